import { ShieldCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { EmptyView } from "@/components/empty-view";
import { buttonClass } from "@/components/ui/button";
import type { KycFilter } from "@/lib/kyc/rules";

/** A clear queue is good news; an empty filter is not, and says how to widen it. */
export function EmptyQueue({ filter }: { filter: KycFilter }) {
  const t = useTranslations();
  if (filter.status === "open" && filter.type === undefined) {
    return <EmptyView icon={ShieldCheck} title={t("kyc.emptyTitle")} body={t("kyc.emptyBody")} />;
  }
  return (
    <EmptyView icon={ShieldCheck} title={t("states.emptyFilter")} body={t("states.emptyFilterBody")}>
      <Link href="/kyc?status=all" prefetch={false} className={buttonClass("plain")}>
        {t("states.clearFilter")}
      </Link>
    </EmptyView>
  );
}
