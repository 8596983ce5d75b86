import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { Fragment, type ReactNode } from "react";
import { deniedReason } from "@/app/(console)/permission-denied";
import { ItemText } from "@/app/(console)/kyc/item-text";
import { requireScope } from "@/app/(console)/screen";
import { EndOutcome } from "@/app/(console)/outcomes/end-outcome";
import { CopyButton } from "@/components/table/copy-button";
import { RecordSection } from "@/components/layout/record-columns";
import { SealedText } from "@/components/layout/provider-text";
import { Badge, type Tone } from "@/components/ui/badge";
import { explainTold } from "@/lib/errors/explain";
import { formatDateTime } from "@/lib/text/format";
import { type CaseDossier, type DecisionView, listDossiers } from "@/lib/kyc/queries";
import { DossierDownload } from "./dossier-download";

const TONES: Record<DecisionView["state"], Tone> = {
  SENDING: "info",
  DONE: "positive",
  REFUSED: "negative",
  UNKNOWN: "warning",
};

type DecisionsProps = {
  kycUUID: string;
  decisions: DecisionView[];
  denial: string | null;
};

export async function Decisions({ kycUUID, decisions, denial }: DecisionsProps) {
  const [scope, dossiers, t] = await Promise.all([requireScope(), listDossiers(kycUUID), getTranslations()]);
  if (decisions.length === 0) {
    return <RecordSection id="decisions" title={t("kycCase.decisions")} empty={t("kycCase.noDecisions")} />;
  }
  const exportDenial = await deniedReason(scope.permissions, "dossiers:export");
  return (
    <RecordSection id="decisions" title={t("kycCase.decisions")}>
      <ol className="divide-y divide-line border-y border-line">
        {decisions.map((decided) => {
          const own = dossiers.filter(({ intentId }) => intentId === decided.intentId);
          const { attempts, last } = attemptsOf(decided, own);
          return (
            <Fragment key={decided.intentId}>
              <Decision decided={decided} denial={denial}>
                {last.map((dossier) => (
                  <Evidence key={dossier.id} dossier={dossier} denial={exportDenial} />
                ))}
              </Decision>
              {attempts.map((dossier) => (
                <Attempt key={dossier.id} dossier={dossier} denial={exportDenial} />
              ))}
            </Fragment>
          );
        })}
      </ol>
      {dossiers.length === 0 ? null : (
        <p className="px-5 pt-2 text-sm text-muted">
          {t("dossiers.what")} {exportDenial === null ? t("dossiers.clear") : null}
        </p>
      )}
    </RecordSection>
  );
}

/** Ordered again, a decision takes the place of its earlier attempt, whose dossier stays; newest first. */
export function attemptsOf({ at }: Pick<DecisionView, "at">, dossiers: readonly CaseDossier[]) {
  const isEarlier = ({ sealed }: CaseDossier) => sealed !== null && sealed.at < at;
  return {
    attempts: dossiers.filter(isEarlier).toSorted((one, other) => other.frozenAt.localeCompare(one.frozenAt)),
    last: dossiers.filter((dossier) => !isEarlier(dossier)),
  };
}

async function Attempt({ dossier, denial }: EvidenceProps) {
  const [t, locale] = await Promise.all([getTranslations(), getLocale()]);
  const { frozenAt, sealed } = dossier;
  return (
    <li className="space-y-2 px-5 py-3 break-inside-avoid">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{t("dossiers.earlierAttempt")}</span>
        <time dateTime={frozenAt} className="text-sm text-muted tabular-nums">
          {formatDateTime(frozenAt, locale)}
        </time>
        {sealed === null ? null : <Badge tone={TONES[sealed.end]}>{t(`dossiers.ends.${sealed.end}`)}</Badge>}
      </div>
      <Evidence dossier={dossier} denial={denial} />
    </li>
  );
}

type DecisionProps = { decided: DecisionView; denial: string | null; children: ReactNode };

async function Refusal({ told }: { told: NonNullable<DecisionView["told"]> }) {
  const t = await getTranslations();
  return <div>{explainTold(told, t)}</div>;
}

function Decision({ decided, denial, children }: DecisionProps) {
  const t = useTranslations("kycCase");
  const locale = useLocale();
  const { intentId, decision, byName, authorisedBy, at, state, reason, note, checklist, rulesVersion } = decided;
  const isTold = state === "DONE" || state === "UNKNOWN";
  const wasRefused = state === "REFUSED" && decided.told?.wasSent === true;
  return (
    <li className="space-y-2 px-5 py-3 break-inside-avoid">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{t("decidedBy", { decision, name: byName })}</span>
        {authorisedBy === null ? null : <span>{t("authorisedBy", { name: authorisedBy })}</span>}
        <time dateTime={at} className="text-sm text-muted tabular-nums">
          {formatDateTime(at, locale)}
        </time>
        <Badge tone={TONES[state]}>{t(`outcome.${wasRefused ? "PROVIDER_REFUSED" : state}`)}</Badge>
        {state === "UNKNOWN" ? <EndOutcome intentId={intentId} needsApproval={false} denial={denial} /> : null}
      </div>
      {decided.told === null ? null : <Refusal told={decided.told} />}
      <div>
        <h3 className="flex items-center gap-1.5 text-sm text-muted">
          {isTold ? <Icon of="send" size={12} /> : null}
          {t(isTold ? "toldLabel" : "reasonLabel")}
        </h3>
        <p className="max-w-prose break-words whitespace-pre-line">
          <SealedText text={reason} />
        </p>
      </div>
      {note === null ? null : (
        <div className="rounded border border-line bg-canvas px-3 py-2 @widest:bg-surface">
          <h3 className="flex items-center gap-1.5 text-sm text-muted">
            <Icon of="lock" size={12} />
            {t("noteLabel")} ({t("noteHint")})
          </h3>
          <p className="max-w-prose break-words whitespace-pre-line">
            <SealedText text={note} />
          </p>
        </div>
      )}
      {checklist.length === 0 ? null : <Checklist items={checklist} />}
      {rulesVersion === null ? null : (
        <p className="text-sm text-muted">
          {rulesVersion === 0 ? t("standardRules") : t("rulesVersion", { version: rulesVersion })}
        </p>
      )}
      {children}
    </li>
  );
}

type EvidenceProps = { dossier: CaseDossier; denial: string | null };

async function Evidence({ dossier: { id, sealed }, denial }: EvidenceProps) {
  const [t, locale] = await Promise.all([getTranslations("dossiers"), getLocale()]);
  if (sealed === null) {
    return (
      <p className="flex items-start gap-1.5 text-sm text-muted">
        <Icon of="hourglass" size={13} className="mt-0.5 shrink-0" />
        {t("openWhat")}
      </p>
    );
  }
  const time = formatDateTime(sealed.at, locale);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 rounded border border-line bg-surface py-1.5 pr-1.5 pl-3">
      <p className="flex items-center gap-1.5 text-sm">
        <Icon of="shield-check" size={13} className="shrink-0 text-muted" />
        {t("sealedAs", { end: t(`ends.${sealed.end}`), time })}
        <CopyButton text={sealed.sha256} label={t("copyHash")} />
      </p>
      <DossierDownload dossierId={id} time={time} denial={denial} />
    </div>
  );
}

function Checklist({ items }: { items: DecisionView["checklist"] }) {
  const t = useTranslations("kycCase");
  const done = items.filter(({ isChecked }) => isChecked).length;
  return (
    <details>
      <summary className="cursor-pointer text-sm text-muted">{t("checklist", { done, all: items.length })}</summary>
      <ul className="pt-1">
        {items.map(({ isChecked, ...item }) => {
          const mark = isChecked ? "square-check" : "square";
          return (
            <li key={item.code} className="flex items-baseline gap-2 py-0.5">
              <Icon of={mark} size={13} className="shrink-0 translate-y-0.5 text-muted" />
              <span>
                <ItemText item={item} /> <span className="sr-only">({t(isChecked ? "checked" : "unchecked")})</span>
              </span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
