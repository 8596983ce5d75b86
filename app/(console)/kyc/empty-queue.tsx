import { ShieldCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { EmptyFilterView } from "@/components/empty-filter-view";
import { EmptyView } from "@/components/empty-view";
import type { KycFilter } from "@/lib/kyc/rules";

/** A clear queue is good news; an empty filter is not, and says how to widen it. */
export function EmptyQueue({ filter }: { filter: KycFilter }) {
  const t = useTranslations();
  if (filter.status === "open" && filter.type === undefined) {
    return <EmptyView icon={ShieldCheck} title={t("kyc.emptyTitle")} body={t("kyc.emptyBody")} />;
  }
  return <EmptyFilterView icon={ShieldCheck} href="/kyc?status=all" />;
}
