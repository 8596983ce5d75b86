import { BankError } from "./error";
import type { AnsweredAttempt } from "./intent-kind";
import type { IntentState } from "./intent-schema";

/** What an attempt says of its intent. */
export type Verdict = {
  state: Exclude<IntentState, "SENDING">;
  /** Whether it holds whoever else is finding out about the same intent. */
  isConclusive: boolean;
  /** Whether the same bytes may go out again, under the same key, before anybody is told. */
  canTryAgain: boolean;
  kept: string | null;
  requestId: string | null;
  /** SHA-256 in hex of the answer's text; null when there was none. */
  answerHash: string | null;
  error: unknown;
};

type Known = {
  isKeyed: boolean;
  /** Whether an attempt before this one may have taken effect. */
  mayHaveExecuted: boolean;
};

/** Whether a failed write may have taken effect all the same. */
function isAmbiguous({ kind, details: { mayHaveExecuted } }: BankError): boolean {
  return mayHaveExecuted ?? (kind === "unavailable" || kind === "malformed");
}

/** Given under a key, these are what the business said the first time: our assumption, for the interface names none. */
const BUSINESS_STATUSES: readonly (number | undefined)[] = [404, 422];

function refused(
  error: BankError,
  { isKeyed, mayHaveExecuted }: Known,
): Pick<Verdict, "state" | "isConclusive" | "canTryAgain"> {
  const { kind, details } = error;
  const isOfBusiness = kind === "blocked" || BUSINESS_STATUSES.includes(details.status);
  const isPassing = kind === "rate-limited" || kind === "unavailable";
  if (!mayHaveExecuted || isOfBusiness) {
    return { state: "REFUSED", isConclusive: !isKeyed || isOfBusiness, canTryAgain: isKeyed && isPassing };
  }
  // A refusal at the gate is this attempt's; the earlier one may be running yet (409) or have run.
  return { state: "UNKNOWN", isConclusive: false, canTryAgain: isPassing || kind === "conflict" };
}

const NOT_KNOWN = { state: "UNKNOWN", isConclusive: false, canTryAgain: false, kept: null } as const;

/** Judges a failed attempt (interface: Errors › HTTP statuses; Antifraud-held transaction). */
export function judgeFailure(error: unknown, known: Known): Verdict {
  const { requestId = null, answerHash = null } = error instanceof BankError ? error.details : {};
  const unsure = { ...NOT_KNOWN, requestId, answerHash, error };
  if (!(error instanceof BankError)) return unsure;
  if (error.kind === "held") {
    const isHeld = error.details.code === "TRANSACTION_PENDING_APPROVAL";
    return isHeld ? { ...unsure, state: "HELD", isConclusive: true } : unsure;
  }
  if (isAmbiguous(error)) return { ...unsure, canTryAgain: known.isKeyed && error.kind === "unavailable" };
  return { ...unsure, ...refused(error, known) };
}

/** Judges an answered attempt: a success that does not say so leaves a doubt. */
export function judgeAnswer(answered: AnsweredAttempt): Verdict {
  const isDone = answered.kept !== null;
  return { ...answered, state: isDone ? "DONE" : "UNKNOWN", isConclusive: isDone, canTryAgain: false, error: null };
}

/** Refused on our own side: nothing left. */
export function refusedUnsent(error: unknown): Verdict {
  return { ...NOT_KNOWN, state: "REFUSED", requestId: null, answerHash: null, error };
}

/** What was not known has had no effect: it was looked for, and is not there. */
export const unseen = (code: string): Verdict => ({
  ...NOT_KNOWN,
  state: "REFUSED",
  isConclusive: true,
  requestId: null,
  answerHash: null,
  error: new BankError("conflict", { code }),
});

/** What was not known has taken effect: it was seen, though its answer never was. */
export const SEEN: Verdict = {
  ...NOT_KNOWN,
  state: "DONE",
  isConclusive: true,
  requestId: null,
  answerHash: null,
  error: null,
};
