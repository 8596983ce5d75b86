import { useTranslations } from "next-intl";
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { DecisionTerms } from "@/lib/kyc/queries";
import { ChecklistField } from "./checklist-field";
import { DecisionChoice } from "./decision-choice";
import { type Draft, isChecked, tellingOf } from "./decision-draft";
import { NoteField } from "./note-field";
import { ReasonChoice } from "./reason-choice";
import { ReasonField } from "./reason-field";
import { ToldPreview } from "./told-preview";

type DecisionFieldsProps = {
  terms: DecisionTerms;
  draft: Draft;
  reasonLimit: number;
  /** Somebody tried to send it: what is missing is said. */
  isTried: boolean;
  /** What the server found wrong, by field. */
  found: Record<string, string>;
  onChange: (changes: Partial<Draft>) => void;
};

/** The decision, and then what it needs: a reason that leaves, what was checked, and a note that stays. */
export function DecisionFields({ terms, draft, reasonLimit, isTried, found, onChange }: DecisionFieldsProps) {
  const t = useTranslations("kyc");
  const body = useRef<HTMLDivElement>(null);
  const { decision, addition, note, confirmed } = draft;
  const { reasonCode, told, stops, identifiers } = tellingOf(draft, terms);
  const words = [...new Set(stops.map(({ word }) => word))].join(", ");
  const stopped = identifiers.length > 0 ? t("identifiers") : t("stopped", { words, count: stops.length });
  const isSame = decision !== null && decision === terms.row.status;
  const unchosen = isTried && decision === null ? t("chooseFirst") : found["decision"];
  const problems = {
    decision: isSame ? t("sameDecision") : unchosen,
    reasonCode: isTried && decision !== null && reasonCode === null ? t("reasonFirst") : found["reasonCode"],
    checklist: isTried && !isChecked(draft, terms) ? t("checkFirst") : found["checklist"],
    reason: stops.length > 0 ? stopped : found["reason"],
  };

  // It comes in once the case has been read: whoever works by keyboard is where they have something to choose.
  useEffect(() => {
    const named = decision === null ? "decision" : "reasonCode";
    body.current?.querySelector<HTMLElement>(`input[name=${named}]`)?.focus();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when it comes in
  }, []);

  const chooseByDigit = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, altKey, metaKey } = event;
    if (ctrlKey || altKey || metaKey || (target instanceof Element && target.matches("textarea"))) return;
    const input = body.current?.querySelectorAll<HTMLElement>("input[name=reasonCode]")[Number(key) - 1];
    if (!/^[1-9]$/.test(key) || input === undefined) return;
    event.preventDefault();
    input.focus();
    input.click();
  };

  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- pressed on any choice within it
    <div ref={body} className="space-y-4" onKeyDown={chooseByDigit}>
      <DecisionChoice
        chosen={decision}
        error={problems.decision}
        onChoose={(chosen) => onChange({ decision: chosen })}
      />
      {decision === null ? null : (
        <ReasonChoice
          reasons={terms.reasons.filter((reason) => reason.decision === decision)}
          chosen={reasonCode}
          error={problems.reasonCode}
          onChoose={(code) => onChange({ reasonCode: code })}
        />
      )}
      {decision === "APPROVED" && terms.checklist.length > 0 ? (
        <ChecklistField
          items={terms.checklist}
          confirmed={confirmed}
          error={problems.checklist}
          onChange={(codes) => onChange({ confirmed: codes })}
        />
      ) : null}
      <ReasonField
        value={addition}
        told={told}
        limit={reasonLimit}
        error={problems.reason}
        onChange={(text) => onChange({ addition: text })}
      />
      <span aria-live="polite" className="sr-only">
        {problems.reason}
      </span>
      {reasonCode === null ? null : <ToldPreview text={told} stops={stops} />}
      <NoteField value={note} error={found["note"]} onChange={(text) => onChange({ note: text })} />
    </div>
  );
}
