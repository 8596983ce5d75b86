import type { Permission } from "@/lib/auth/permission";

/**
 * PENDING waits for a second person; READY was authorised and waits for its maker, who alone can complete it; AUTHORISED is
 * being carried out; HELD waits for the provider's analyst.
 */
const APPROVAL_STATES = [
  "PENDING",
  "READY",
  "AUTHORISED",
  "EXECUTED",
  "HELD",
  "FAILED",
  "UNKNOWN",
  "REFUSED",
  "WITHDRAWN",
  "EXPIRED",
] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

export const POLICY_RULES = ["never", "above", "on-redecision", "always"] as const;
export type PolicyRule = (typeof POLICY_RULES)[number];

export type Policy = {
  rule: PolicyRule;
  /** Reais, with two decimals; null where the rule does not ask for one. */
  amount: string | null;
  expiresAfterHours: number;
  version: number;
};

type Terms = {
  /** What its maker must be allowed. */
  orderedWith: Permission;
  rules: readonly PolicyRule[];
  standard: Omit<Policy, "version">;
  /** It takes what only its maker can add, and nobody may keep: an authorisation waits for them. */
  isCompletedByMaker?: true;
  /** What whoever decides must be allowed, where that is not to authorise what moves money or overrules a decision. */
  decidedWith?: "staff:manage";
};

const aDay = { amount: null, expiresAfterHours: 24 } as const;
const money = {
  orderedWith: "transfers:create",
  rules: ["never", "above", "always"],
  standard: { rule: "above", amount: "5000.00", expiresAfterHours: 24 },
} as const satisfies Terms;

/** What would let one administrator alone make both pairs of eyes: another one decides, and no policy says otherwise. */
const ofAdmins = {
  orderedWith: "staff:manage",
  rules: ["always"],
  standard: { rule: "always", ...aDay },
  decidedWith: "staff:manage",
} as const satisfies Terms;

/** Everything that may need a second person: the rules that fit it, and the one that holds as long as nobody chose. */
const APPROVAL_TERMS = {
  "kyc.decision": {
    orderedWith: "kyc:decide",
    rules: ["never", "on-redecision", "always"],
    standard: { rule: "on-redecision", ...aDay },
  },
  "transfer.internal": money,
  "transfer.external": money,
  "crypto.transfer": {
    orderedWith: "crypto-transfers:create",
    rules: ["never", "always"],
    standard: { rule: "always", ...aDay },
  },
  "account.close": {
    orderedWith: "accounts:close",
    rules: ["never", "always"],
    standard: { rule: "always", ...aDay },
    isCompletedByMaker: true,
  },
  // What moves money or closes an account; about the rest whoever may order it says alone.
  "outcome.end": { orderedWith: "outcomes:end", rules: ["always"], standard: { rule: "always", ...aDay } },
  "staff.invite": ofAdmins,
  "staff.roles": ofAdmins,
  "staff.reset-factor": ofAdmins,
  "policy.loosen": { ...ofAdmins, orderedWith: "settings:manage" },
} as const satisfies Record<string, Terms>;

export type ApprovalKindName = keyof typeof APPROVAL_TERMS;

export const APPROVAL_KIND_NAMES = [
  "kyc.decision",
  "transfer.internal",
  "transfer.external",
  "crypto.transfer",
  "account.close",
  "outcome.end",
  "staff.invite",
  "staff.roles",
  "staff.reset-factor",
  "policy.loosen",
] as const satisfies readonly ApprovalKindName[];

export const termsOf = (kind: ApprovalKindName): Terms => APPROVAL_TERMS[kind];

/** Whether a tenant may choose when it needs a second person. */
export const hasPolicy = (kind: ApprovalKindName): boolean => termsOf(kind).rules.length > 1;

/** What whoever decides about it must be allowed. */
export const decidingPermission = (kind: ApprovalKindName): "approvals:authorize" | "staff:manage" =>
  termsOf(kind).decidedWith ?? "approvals:authorize";

export const isCompletedByMaker = (kind: ApprovalKindName): boolean => termsOf(kind).isCompletedByMaker === true;

/**
 * `5000`, `5000,5`, as written in Brazil `5.000,00` and in English `5,000.00`: the last sign parts the cents off. With two
 * decimals; null for what is no amount, or could be two.
 */
export function reaisOf(written: string): string | null {
  const [comma, point] = [written.lastIndexOf(","), written.lastIndexOf(".")];
  const plain = comma > point ? written.replaceAll(".", "").replace(",", ".") : written.replaceAll(",", "");
  const [, whole, fraction = ""] = /^0*(0|[1-9]\d*)(?:\.(\d{1,2}))?$/.exec(plain.trim()) ?? [];
  return whole === undefined ? null : `${whole}.${fraction.padEnd(2, "0")}`;
}

const cents = (reais: string) => BigInt(reais.replace(".", ""));

/** Whether so many reais, with two decimals, are as many as the policy names, or more. */
export const reaches = (reais: string, { amount }: Policy): boolean => amount !== null && cents(reais) >= cents(amount);

const STRICTNESS: Record<PolicyRule, number> = { never: 0, above: 1, "on-redecision": 1, always: 2 };

/** Whether the second policy lets something pass that the first did not. */
export function loosens(before: Policy, after: Policy): boolean {
  if (STRICTNESS[after.rule] !== STRICTNESS[before.rule]) return STRICTNESS[after.rule] < STRICTNESS[before.rule];
  return after.amount !== null && before.amount !== null && cents(after.amount) > cents(before.amount);
}

export const APPROVAL_VIEWS = ["waiting", "mine", "decided"] as const;
export type ApprovalView = (typeof APPROVAL_VIEWS)[number];

/** Of a comment, and of the reason of a refusal. */
export const TEXT_MAX_LENGTH = 500;

/** What may yet be carried out, and stands in the way of another one for the same object. */
export const OPEN_STATES = ["PENDING", "READY", "AUTHORISED"] as const satisfies ApprovalState[];

/** What became of a proposal is known, and that will not change. */
export const ENDED_STATES = [
  "EXECUTED",
  "FAILED",
  "REFUSED",
  "WITHDRAWN",
  "EXPIRED",
] as const satisfies ApprovalState[];
