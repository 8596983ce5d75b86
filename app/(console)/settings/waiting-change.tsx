import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { formatDateTime } from "@/lib/text/format";

export function WaitingChange({ proposed }: { proposed: { id: string; byName: string; at: string } | null }) {
  const t = useTranslations("approvalPolicy");
  const locale = useLocale();
  if (proposed === null) return null;
  const { id, byName, at } = proposed;
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <Badge tone="warning">{t("waits")}</Badge>
      <span className="text-muted tabular-nums">
        {t("waitsSince", { name: byName, time: formatDateTime(at, locale) })}
      </span>
      <Link href={`/approvals/${id}`} prefetch={false} className="font-medium text-accent hover:underline">
        {t("seeProposal")}
      </Link>
    </p>
  );
}
