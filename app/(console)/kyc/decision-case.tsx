import { useLocale, useTranslations } from "next-intl";
import { KycStatusBadge } from "@/components/status-badge";
import { Notice } from "@/components/ui/notice";
import { formatDateTime } from "@/lib/format";
import type { DecisionTerms, KycRow } from "@/lib/kyc/queries";
import { KycStepName, KycTypeName } from "./case-words";
import { WhatChanged } from "./what-changed";

type DecisionCaseProps = {
  row: KycRow;
  /** As it was when the decision was opened, and as it is; neither until it has been read. */
  opened: DecisionTerms | null;
  terms: DecisionTerms | undefined;
  /** The server did not take the decision. */
  isRefused: boolean;
};

/** What is decided about, and what somebody should know before they do. */
export function DecisionCase({ row, opened, terms, isRefused }: DecisionCaseProps) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded border border-line bg-canvas px-3 py-2.5">
        <span className="font-medium tabular-nums">{row.vatNumber}</span>
        <KycStatusBadge status={row.status} />
        <span className="text-sm text-muted">
          <KycTypeName type={row.kycType} /> · <KycStepName process={row.process} />
        </span>
      </div>
      {opened === null || terms === undefined ? null : (
        <WhatChanged before={opened} after={terms} isRefused={isRefused} />
      )}
      {row.unconfirmed ? <UnconfirmedNotice last={row.unconfirmed} /> : null}
      <StandingNotice row={row} last={terms?.lastDecision ?? null} />
    </>
  );
}

/** Somebody decided already, and what became of it is not known: deciding again may be deciding twice. */
function UnconfirmedNotice({ last }: { last: NonNullable<KycRow["unconfirmed"]> }) {
  const t = useTranslations("kyc");
  const locale = useLocale();
  const time = formatDateTime(last.at, locale);
  return <Notice tone="warning">{t("unconfirmed", { decision: last.decision, name: last.byName, time })}</Notice>;
}

type Standing = { row: KycRow; last: DecisionTerms["lastDecision"] };

/** What the decision would overrule, and whether a second person has to agree. Nothing is undone: it is decided anew. */
function StandingNotice({ row: { status, needsSecond }, last }: Standing) {
  const t = useTranslations();
  const locale = useLocale();
  if (status === "APPROVED" || status === "REPROVED") {
    const by =
      last?.decision === status ? { who: "one", name: last.byName, time: formatDateTime(last.at, locale) } : null;
    return (
      <Notice tone={needsSecond ? "info" : "warning"}>
        {t("kyc.overwrites", { status: t(`kyc.status.${status}`) })}{" "}
        {by === null ? null : `${t("kyc.decidedBefore", { decision: status, ...by })} `}
        {needsSecond ? t("kyc.reviewBody") : null}
      </Notice>
    );
  }
  return (
    <>
      {status === "PROCESSING" ? <Notice tone="info">{t("kyc.stillProcessing")}</Notice> : null}
      {needsSecond ? <Notice tone="info">{t("approvals.willPropose")}</Notice> : null}
    </>
  );
}
