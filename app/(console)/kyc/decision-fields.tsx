import { keyOf } from "@/components/ui/keys";
import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { ChoiceField, RadioTile } from "@/components/ui/choice-field";
import { FieldFrame, useField } from "@/components/ui/field";
import { SENT_BY_KEYS } from "@/components/ui/send-by-keys";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import type { DecisionTerms } from "@/lib/kyc/queries";
import type { Stop } from "@/lib/text/tipping-off";
import { takeDigit } from "./digit-ahead";
import { ItemText, useItemText } from "./item-text";
import { type Decision, type Draft, isChecked, sentTextOf } from "./use-deciding";

type ChecklistFieldProps = {
  items: DecisionTerms["checklist"];
  confirmed: readonly string[];
  error: string | undefined;
  onChange: (confirmed: string[]) => void;
};

function ChecklistField({ items, confirmed, error, onChange }: ChecklistFieldProps) {
  const t = useTranslations("kyc");
  const count = items.filter(({ code }) => confirmed.includes(code)).length;
  const toggle = (code: string) =>
    onChange(confirmed.includes(code) ? confirmed.filter((one) => one !== code) : [...confirmed, code]);
  return (
    <ChoiceField legend={t("checklist")} aside={t("checked", { count, total: items.length })} error={error}>
      <div className="space-y-1.5">
        {items.map((item) => (
          <label key={item.code} className="flex cursor-pointer items-start gap-2.5">
            <input
              type="checkbox"
              name="checklist"
              value={item.code}
              checked={confirmed.includes(item.code)}
              onChange={() => toggle(item.code)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span>
              <ItemText item={item} />
            </span>
          </label>
        ))}
      </div>
    </ChoiceField>
  );
}

type DecisionChoiceProps = {
  status: DecisionTerms["row"]["status"];
  chosen: Decision | null;
  error: string | undefined;
  onChoose: (decision: Decision) => void;
};

function DecisionChoice({ status, chosen, error, onChoose }: DecisionChoiceProps) {
  const t = useTranslations("kyc");
  const choices = [
    {
      decision: "APPROVED",
      name: t("approve"),
      consequence: t("approveBody"),
      icon: <Icon of="check" size={16} />,
      look: "has-checked:border-positive has-checked:bg-positive-tint [&_svg]:text-positive",
    },
    {
      decision: "REPROVED",
      name: t("reprove"),
      consequence: t("reproveBody"),
      icon: <Icon of="x" size={16} />,
      look: "has-checked:border-negative has-checked:bg-negative-tint [&_svg]:text-negative",
    },
  ] as const;
  const offered = choices.filter(({ decision }) => decision !== status);
  return (
    <ChoiceField legend={t("choice")} error={error}>
      <div className="grid gap-2 medium:grid-cols-2">
        {offered.map(({ decision, name, consequence, icon, look }) => (
          <RadioTile
            key={decision}
            name="decision"
            value={decision}
            isChosen={chosen === decision}
            onChoose={() => onChoose(decision)}
            chosenLook={look}
            className="flex gap-2.5 px-3 py-2.5"
          >
            <span className="mt-0.5">{icon}</span>
            <span>
              <span className="block font-medium">{name}</span>
              <span className="block text-sm text-muted">{consequence}</span>
            </span>
          </RadioTile>
        ))}
      </div>
    </ChoiceField>
  );
}

type NoteFieldProps = { value: string; error: string | undefined; onChange: (value: string) => void };

function NoteField({ value, error, onChange }: NoteFieldProps) {
  const t = useTranslations("kyc");
  const hint = t("noteHint");
  const field = useField({ hint, error });
  return (
    <div className="rounded border border-dashed border-line-strong bg-canvas px-3 py-2.5">
      <FieldFrame
        id={field.id}
        label={t("note")}
        hint={hint}
        error={error}
        aside={
          <span className="flex items-center gap-1.5 text-sm text-muted">
            <Icon of="lock" size={13} />
            {t("teamOnly")}
          </span>
        }
      >
        <textarea
          {...field}
          {...SENT_BY_KEYS}
          name="note"
          rows={2}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={cn(INPUT_CLASS, "block min-h-14 resize-y py-2")}
        />
      </FieldFrame>
    </div>
  );
}

type ReasonChoiceProps = {
  reasons: DecisionTerms["reasons"];
  chosen: string | null;
  error: string | undefined;
  onChoose: (code: string) => void;
};

/** Digits 1 to 9 choose a reason. */
function ReasonChoice({ reasons, chosen, error, onChoose }: ReasonChoiceProps) {
  const t = useTranslations("kyc");
  return (
    <ChoiceField legend={t("reason")} error={error}>
      <div className="max-h-60 divide-y divide-line overflow-y-auto rounded border border-control">
        {reasons.map((reason, n) => (
          <label
            key={reason.code}
            className="flex cursor-pointer items-start gap-2.5 px-3 py-2 -outline-offset-2 has-checked:bg-accent-tint has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="reasonCode"
              value={reason.code}
              checked={chosen === reason.code}
              onChange={() => onChoose(reason.code)}
              className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
            />
            <span className="flex-1">
              <ItemText item={reason} />
            </span>
            {n < 9 ? (
              <kbd aria-hidden className="text-sm text-muted">
                {n + 1}
              </kbd>
            ) : null}
          </label>
        ))}
      </div>
    </ChoiceField>
  );
}

type ReasonFieldProps = {
  value: string;
  sentText: string;
  limit: number;
  error: string | undefined;
  onChange: (value: string) => void;
};

/** An overlong text stays as typed or pasted. */
function ReasonField({ value, sentText, limit, error, onChange }: ReasonFieldProps) {
  const t = useTranslations("kyc");
  const isTooLong = sentText.length > limit;
  const problem = isTooLong ? t("reasonTooLong", { limit }) : error;
  const hint = t("additionHint");
  const field = useField({ hint, error: problem });
  const count = (
    <span aria-hidden className={cn("text-sm tabular-nums", isTooLong ? "font-medium text-negative" : "text-muted")}>
      {sentText.length}/{limit}
    </span>
  );
  return (
    <FieldFrame
      id={field.id}
      label={t("addition")}
      hint={hint}
      error={problem}
      aside={value === "" && !isTooLong ? undefined : count}
    >
      <textarea
        {...field}
        {...SENT_BY_KEYS}
        name="addition"
        rows={2}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cn(INPUT_CLASS, "block min-h-14 scroll-mb-18 resize-y py-2")}
      />
      <span aria-live="polite" className="sr-only">
        {value.length > 0 ? t("reasonCount", { used: sentText.length, limit }) : null}
      </span>
    </FieldFrame>
  );
}

type SentPreviewProps = { reason: DecisionTerms["reasons"][number]; text: string; stops: readonly Stop[] };

/** Exactly what the provider gets; blocked terms are marked. */
export function SentPreview({ reason, text, stops }: SentPreviewProps) {
  const t = useTranslations("kyc");
  const isTranslated = useItemText()(reason) !== reason.text;
  const last = stops.at(-1)?.to ?? 0;
  return (
    <figure className="rounded border border-line bg-canvas px-3 py-2.5">
      <figcaption className="flex items-center gap-1.5 text-sm text-muted">
        <Icon of="send" size={13} />
        {t(isTranslated ? "toldInPortuguese" : "told")}
      </figcaption>
      <blockquote className="mt-1 wrap-anywhere whitespace-pre-line">
        {stops.map(({ from, to }, n) => (
          <span key={from}>
            {text.slice(stops[n - 1]?.to ?? 0, from)}
            <mark className="rounded-sm bg-negative-tint px-0.5 font-medium text-negative">{text.slice(from, to)}</mark>
          </span>
        ))}
        {text.slice(last)}
      </blockquote>
    </figure>
  );
}

type DecisionFieldsProps = {
  terms: DecisionTerms;
  draft: Draft;
  isTried: boolean;
  found: Record<string, string>;
  onChange: (changes: Partial<Draft>) => void;
};

export function DecisionFields({ terms, draft, isTried, found, onChange }: DecisionFieldsProps) {
  const t = useTranslations("kyc");
  const body = useRef<HTMLDivElement>(null);
  const { decision, addition, note, confirmed } = draft;
  const { reasonCode, sentText, stops, identifiers } = sentTextOf(draft, terms);
  const chosen = terms.reasons.find((one) => one.code === reasonCode && one.decision === decision);
  const words = [...new Set(stops.map(({ word }) => word))].join(", ");
  const stopped = identifiers.length > 0 ? t("identifiers") : t("stopped", { words, count: stops.length });
  const problems = {
    decision: isTried && decision === null ? t("chooseFirst") : found["decision"],
    reasonCode: isTried && decision !== null && reasonCode === null ? t("reasonFirst") : found["reasonCode"],
    checklist: isTried && !isChecked(draft, terms) ? t("checkFirst") : found["checklist"],
    reason: stops.length > 0 ? stopped : found["reason"],
  };

  const chooseReason = (digit: string | null): boolean => {
    if (digit === null || !/^[1-9]$/.test(digit)) return false;
    const input = body.current?.querySelectorAll<HTMLElement>("input[name=reasonCode]")[Number(digit) - 1];
    input?.focus();
    input?.click();
    return input !== undefined;
  };

  // Rendered once the case is read: focus goes to the first choice.
  useEffect(() => {
    const named = decision === null ? "decision" : "reasonCode";
    body.current?.querySelector<HTMLElement>(`input[name=${named}]`)?.focus();
    chooseReason(takeDigit());
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only once, on opening
  }, []);

  const chooseByDigit = (event: KeyboardEvent) => {
    const { target, ctrlKey, altKey, metaKey } = event;
    if (ctrlKey || altKey || metaKey || (target instanceof Element && target.matches("textarea"))) return;
    if (chooseReason(keyOf(event))) event.preventDefault();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears key presses on every choice within
    <div ref={body} className="space-y-4" onKeyDown={chooseByDigit}>
      <DecisionChoice
        status={terms.row.status}
        chosen={decision}
        error={problems.decision}
        onChoose={(made) => onChange({ decision: made })}
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
        sentText={sentText}
        limit={terms.reasonLimit}
        error={problems.reason}
        onChange={(text) => onChange({ addition: text })}
      />
      <span aria-live="polite" className="sr-only">
        {problems.reason}
      </span>
      {chosen === undefined ? null : <SentPreview reason={chosen} text={sentText} stops={stops} />}
      <NoteField value={note} error={found["note"]} onChange={(text) => onChange({ note: text })} />
    </div>
  );
}
