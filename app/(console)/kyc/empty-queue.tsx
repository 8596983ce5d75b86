import { useTranslations } from "next-intl";
import { EmptyFilterView, EmptyView } from "@/components/layout/empty-view";
import type { KycFilter } from "@/lib/kyc/inputs";
import { caseQueueHref } from "@/lib/kyc/view";

function widened(filter: KycFilter): string {
  const { search, sameDocumentAs, sameMaskAs } = filter;
  const everywhere = caseQueueHref({ view: "all", status: "all", search, sameDocumentAs, sameMaskAs });
  return (search ?? sameDocumentAs ?? sameMaskAs) === undefined || caseQueueHref(filter) === everywhere
    ? "/kyc?status=all"
    : everywhere;
}

export function EmptyQueue({ filter, isWhole }: { filter: KycFilter; isWhole: boolean }) {
  const t = useTranslations();
  const isPlain = caseQueueHref(filter) === caseQueueHref({ view: filter.view, status: "open" });
  if (!isPlain) {
    const body = filter.search === undefined ? undefined : t("kycQueue.emptySearchBody");
    return <EmptyFilterView icon="shield-check" href={widened(filter)} body={body} />;
  }
  if (!isWhole) {
    return <EmptyView icon="shield-check" title={t("kycQueue.nothingYet")} body={t("kycQueue.nothingYetBody")} />;
  }
  const words = {
    mine: [t("kycQueue.emptyMine"), t("kycQueue.emptyMineBody")],
    unassigned: [t("kycQueue.emptyUnassigned"), t("kycQueue.emptyUnassignedBody")],
    due: [t("kycQueue.emptyDue"), t("kycQueue.emptyDueBody")],
    all: [t("kyc.emptyTitle"), t("kyc.emptyBody")],
    escalated: [t("kycQueue.emptyEscalated"), t("kycQueue.emptyEscalatedBody")],
    "put-off": [t("kycQueue.emptyPutOff"), t("kycQueue.emptyPutOffBody")],
  } as const;
  const [title, body] = words[filter.view];
  return <EmptyView icon="shield-check" title={title} body={body} />;
}
