import { composeReason } from "@/lib/kyc-decision";
import type { DecisionTerms } from "@/lib/kyc/queries";
import { identifiersIn, type Stop, stopsIn } from "@/lib/tipping-off";
import type { Decision } from "./decision-choice";

/** A decision as far as somebody has come with it. */
export type Draft = {
  decision: Decision | null;
  reasonCode: string | null;
  /** What the person adds to the reason. */
  addition: string;
  /** What the team alone reads. */
  note: string;
  /** The codes of what was confirmed. */
  confirmed: readonly string[];
};

export const emptyDraft = (decision: Decision | null): Draft => ({
  decision,
  reasonCode: null,
  addition: "",
  note: "",
  confirmed: [],
});

/** Whether closing would lose something that was written. */
export const isWritten = ({ addition, note }: Draft): boolean => addition.trim() !== "" || note.trim() !== "";

export type Telling = {
  /** The code of the reason, when it is one of the decision's. */
  reasonCode: string | null;
  /** What the provider will be told. */
  told: string;
  /** What of it must not leave, in its order. */
  stops: Stop[];
  /** Which of that is somebody's number. */
  identifiers: Stop[];
};

export function tellingOf(
  { decision, reasonCode, addition }: Draft,
  { reasons, stoppedWords }: DecisionTerms,
): Telling {
  const reason = reasons.find((one) => one.code === reasonCode && one.decision === decision);
  const told = reason === undefined ? addition.trim() : composeReason(reason.text, addition);
  const identifiers = identifiersIn(told);
  const words = stopsIn(told, stoppedWords).filter(({ from, to }) =>
    identifiers.every((one) => to <= one.from || from >= one.to),
  );
  const stops = [...identifiers, ...words].toSorted((one, other) => one.from - other.from);
  return { reasonCode: reason?.code ?? null, told, stops, identifiers };
}

/** In the order of the form. */
export type Missing = "decision" | "reasonCode" | "checklist" | "reason" | null;

/** The first thing that keeps the decision from being sent. */
export function missingOf(draft: Draft, terms: DecisionTerms, reasonLimit: number): Missing {
  const { reasonCode, told, stops } = tellingOf(draft, terms);
  if (draft.decision === null || draft.decision === terms.row.status) return "decision";
  if (reasonCode === null) return "reasonCode";
  if (!isChecked(draft, terms)) return "checklist";
  return told.length > reasonLimit || stops.length > 0 ? "reason" : null;
}

/** Whoever approves confirms everything; who reproves need not. */
export const isChecked = ({ decision, confirmed }: Draft, { checklist }: DecisionTerms): boolean =>
  decision !== "APPROVED" || checklist.every(({ code }) => confirmed.includes(code));
