import type { Locale } from "next-intl";
import { type ApprovalKindName, type Policy, type PolicyRule, termsOf } from "@/lib/permission/writes";
import { formatBrl } from "@/lib/text/format";
import type { ApprovalState } from "@/lib/db/enums/approvals";

export const DAY_COUNT_MAX = 10_000;
export const EXPIRY_HOURS_MAX = 168;

export const hasPolicy = (kind: ApprovalKindName): boolean => termsOf(kind).rules.length > 1;

export const decidingPermission = (kind: ApprovalKindName): "approvals:authorize" | "staff:manage" =>
  termsOf(kind).decidedWith ?? "approvals:authorize";

export const isCompletedByMaker = (kind: ApprovalKindName): boolean => termsOf(kind).isCompletedByMaker === true;

const cents = (reais: string) => BigInt(reais.replace(".", ""));

export const reaches = (reais: string, amount: string | null): boolean =>
  amount !== null && cents(reais) >= cents(amount);

export const APPROVAL_REASONS = [
  "always",
  "amount",
  "account-sum",
  "person-sum",
  "person-count",
  "payee-sum",
  "payee-count",
  "tenant-sum",
  "first-sum",
] as const;

/** The day's total without approval for the term's account, person, payee or tenant. */
export type ApprovalReason = {
  by: (typeof APPROVAL_REASONS)[number];
  sum: string;
  count: number;
  /** The term's limit: reais with two decimals, or a number; null when none was stored. */
  limit: string | null;
};

export const reasonValues = ({ sum, count, limit }: ApprovalReason, locale: Locale) => ({
  amount: formatBrl(sum, locale),
  count,
  limit: limit === null ? "none" : limit.includes(".") ? formatBrl(limit, locale) : limit,
});

const isHigher = (earlier: bigint | null, later: bigint | null) =>
  earlier !== null && (later === null || later > earlier);
const ofSum = (reais: string | null) => (reais === null ? null : cents(reais));
const ofCount = (count: number | null) => (count === null ? null : BigInt(count));

const STRICTNESS: Record<PolicyRule, number> = { never: 0, above: 1, "on-redecision": 1, "on-exposed": 2, always: 3 };

/** Whether `after` allows anything that `before` did not. */
export function loosens(before: Policy, after: Policy): boolean {
  if (STRICTNESS[after.rule] !== STRICTNESS[before.rule]) return STRICTNESS[after.rule] < STRICTNESS[before.rule];
  return (
    isHigher(ofSum(before.amount), ofSum(after.amount)) ||
    isHigher(ofSum(before.personSum), ofSum(after.personSum)) ||
    isHigher(ofSum(before.payeeSum), ofSum(after.payeeSum)) ||
    isHigher(ofSum(before.tenantSum), ofSum(after.tenantSum)) ||
    isHigher(ofSum(before.firstSum), ofSum(after.firstSum)) ||
    isHigher(ofCount(before.personCount), ofCount(after.personCount)) ||
    isHigher(ofCount(before.payeeCount), ofCount(after.payeeCount))
  );
}

export const APPROVAL_VIEWS = ["owed", "waiting", "mine", "decided"] as const;
export type ApprovalView = (typeof APPROVAL_VIEWS)[number];

/** `account`: grouped by the account they are about. */
export const APPROVAL_SORTS = ["expires", "created", "account"] as const;
export type ApprovalSort = (typeof APPROVAL_SORTS)[number];

export const TEXT_MAX_LENGTH = 500;

export const OPEN_STATES = ["PENDING", "READY", "AUTHORISED"] as const satisfies ApprovalState[];

export const ENDED_STATES = [
  "EXECUTED",
  "FAILED",
  "REFUSED",
  "WITHDRAWN",
  "EXPIRED",
] as const satisfies ApprovalState[];

/** Of which the maker learns: what they withdrew they know. */
export const NEWS_STATES = ENDED_STATES.filter((state) => state !== "WITHDRAWN");

/** What it wants of whoever reads it. */
export type ApprovalOwed = "decide" | "complete" | "result";

/** Changes permissions here: nothing is sent to the provider. */
export const isHere = (kind: ApprovalKindName) =>
  decidingPermission(kind) === "staff:manage" || kind === "privacy.more";

/** Is sent to the provider as soon as it is authorised. */
export const isSentAtOnce = (kind: ApprovalKindName) =>
  !isHere(kind) && !isCompletedByMaker(kind) && kind !== "outcome.end";

/** A failed request says who refused it, or that nothing was sent. */
export type ApprovalWord = ApprovalState | "PROVIDER_REFUSED" | "BLOCKED" | "UNSENT";

type Ended = { kind: ApprovalKindName; state: ApprovalState; code: string | null };

/** `left`: how the sent write ended; null when nothing was sent. */
export function wordOf({ kind, state, code }: Ended, left: "refused" | "said" | null): ApprovalWord {
  if (state !== "FAILED") return state;
  if (isHere(kind) || kind === "outcome.end" || left === "said") return "FAILED";
  if (left === null || code === "intent-reused") return "UNSENT";
  return code === "TRANSACTION_BLOCKED" ? "BLOCKED" : "PROVIDER_REFUSED";
}

type Standing = { kind: ApprovalKindName; state: ApprovalState };

export function approvalOutcome({ kind, state }: Standing, deciderName: string | null) {
  if (isHere(kind) && state === "EXECUTED") return "EXECUTED_HERE";
  if (decidingPermission(kind) === "staff:manage" && state === "PENDING") return "PENDING_HERE";
  if (state === "REFUSED" && deciderName === null) return "REFUSED_BY_RULE";
  return state === "EXPIRED" && deciderName !== null ? "EXPIRED_READY" : state;
}

export const doneOf = (kind: ApprovalKindName, state: ApprovalState) =>
  isHere(kind) && state === "EXECUTED" ? "EXECUTED_HERE" : state;
