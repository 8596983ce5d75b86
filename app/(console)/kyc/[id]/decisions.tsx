import { Lock, Send, Square, SquareCheck } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { EndOutcome } from "@/app/(console)/outcomes/end-outcome";
import { ClientMessages } from "@/components/client-messages";
import { RecordSection } from "@/components/record-columns";
import { Badge, type Tone } from "@/components/ui/badge";
import { formatDateTime } from "@/lib/format";
import type { DecisionView } from "@/lib/kyc/queries";
import { dossierAnchor } from "./dossier-anchor";

const TONES: Record<DecisionView["state"], Tone> = {
  SENDING: "info",
  DONE: "positive",
  REFUSED: "negative",
  UNKNOWN: "warning",
};

type DecisionsProps = {
  decisions: DecisionView[];
  /** Why this person may not say what became of one. */
  denial: string | null;
};

/** What our own people decided about the case, newest first, each with what was told, what was not, and how it ended. */
export function Decisions({ decisions, denial }: DecisionsProps) {
  const t = useTranslations("kycCase");
  return (
    <RecordSection id="decisions" title={t("decisions")}>
      {decisions.length === 0 ? <p className="border-y border-line px-5 py-3 text-muted">{t("noDecisions")}</p> : null}
      <ol className="divide-y divide-line border-line not-empty:border-y">
        {decisions.map((decided) => (
          <Decision key={decided.intentId} decided={decided} denial={denial} />
        ))}
      </ol>
    </RecordSection>
  );
}

function Decision({ decided, denial }: { decided: DecisionView; denial: string | null }) {
  const t = useTranslations("kycCase");
  const locale = useLocale();
  const { intentId, decision, byName, at, state, reason, note, checklist, rulesVersion } = decided;
  return (
    <li className="space-y-2 px-5 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{t("decidedBy", { decision, name: byName })}</span>
        <time dateTime={at} className="text-sm text-muted tabular-nums">
          {formatDateTime(at, locale)}
        </time>
        <Badge tone={TONES[state]}>{t(`outcome.${state}`)}</Badge>
        {state === "UNKNOWN" ? (
          <ClientMessages namespaces={["outcomes"]}>
            <EndOutcome intentId={intentId} needsApproval={false} denial={denial} />
          </ClientMessages>
        ) : null}
      </div>
      <div>
        <h3 className="flex items-center gap-1.5 text-sm text-muted">
          <Send aria-hidden size={12} />
          {t("toldLabel")}
        </h3>
        <p className="max-w-prose break-words whitespace-pre-line">{reason}</p>
      </div>
      {note === null ? null : (
        <div className="rounded border border-line bg-canvas px-3 py-2 xl:bg-surface">
          <h3 className="flex items-center gap-1.5 text-sm text-muted">
            <Lock aria-hidden size={12} />
            {t("noteLabel")} ({t("noteHint")})
          </h3>
          <p className="max-w-prose break-words whitespace-pre-line">
            <bdi>{note}</bdi>
          </p>
        </div>
      )}
      {checklist.length === 0 ? null : <Checklist items={checklist} />}
      {rulesVersion === null ? null : (
        <p className="text-sm text-muted">
          {rulesVersion === 0 ? t("standardRules") : t("rulesVersion", { version: rulesVersion })} ·{" "}
          <a href={`#${dossierAnchor(intentId)}`} className="text-accent underline">
            {t("dossierOf")}
          </a>
        </p>
      )}
    </li>
  );
}

function Checklist({ items }: { items: DecisionView["checklist"] }) {
  const t = useTranslations("kycCase");
  const done = items.filter(({ isChecked }) => isChecked).length;
  return (
    <details>
      <summary className="cursor-pointer text-sm text-muted">{t("checklist", { done, all: items.length })}</summary>
      <ul className="pt-1">
        {items.map(({ code, text, isChecked }) => {
          const Mark = isChecked ? SquareCheck : Square;
          return (
            <li key={code} className="flex items-baseline gap-2 py-0.5">
              <Mark aria-hidden size={13} className="shrink-0 translate-y-0.5 text-muted" />
              <span>
                {text} <span className="sr-only">({t(isChecked ? "checked" : "unchecked")})</span>
              </span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
