import { useLocale, useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { formatDateTime } from "@/lib/format";
import type { KycRow } from "@/lib/kyc/queries";
import type { Step, useDeciding } from "./use-deciding";

type BeforeDecidingProps = {
  step: Step;
  row: KycRow;
  deciding: Pick<ReturnType<typeof useDeciding>, "isReading" | "readAgain">;
};

/** What stands in the place of the fields as long as the case is not the person's to decide. */
export function BeforeDeciding({ step, row, deciding }: BeforeDecidingProps) {
  const t = useTranslations();
  const locale = useLocale();
  switch (step) {
    case "reading":
    case "ready":
      return <FieldsSkeleton />;
    case "failed":
      return (
        <Notice tone="negative" live="assertive">
          <p>{t("kyc.termsFailed")}</p>
          <Button size="small" className="mt-2" isBusy={deciding.isReading} onClick={deciding.readAgain}>
            {t("common.retry")}
          </Button>
        </Notice>
      );
    case "proposed":
      return <Notice tone="warning">{t("approvals.waitsFor", { name: row.proposal?.makerName ?? "" })}</Notice>;
    case "held":
      return (
        <p>
          {t("kyc.heldBy", {
            name: row.assignee?.name ?? "",
            time: row.assignedAt === null ? "" : formatDateTime(row.assignedAt, locale),
          })}
        </p>
      );
  }
}

/** In the size of what comes, so that the buttons stay where they are. */
function FieldsSkeleton() {
  const t = useTranslations("kyc");
  return (
    <div className="space-y-4">
      <output className="sr-only">{t("termsReading")}</output>
      <div className="grid gap-2 sm:grid-cols-2">
        <Skeleton className="h-18 rounded" />
        <Skeleton className="h-18 rounded" />
      </div>
      <Skeleton className="h-20 rounded" />
      <Skeleton className="h-24 rounded" />
    </div>
  );
}
