import { type DayLimits, NO_LIMITS } from "./limits";
import type { Permission } from "./permission";

export const POLICY_RULES = ["never", "above", "on-redecision", "on-exposed", "always"] as const;
export type PolicyRule = (typeof POLICY_RULES)[number];

export type Policy = DayLimits & {
  rule: PolicyRule;
  /** Reais with two decimals; null for rules without an amount. */
  amount: string | null;
  expiresAfterHours: number;
  version: number;
};

/** When a second person is needed: an administrator's choices, and the default. */
export type PolicyTerms = {
  rules: readonly PolicyRule[];
  standard: Omit<Policy, "version">;
  isCompletedByMaker?: true;
  decidedWith?: "staff:manage";
};

type WriteTerms = {
  /** Checked at the order and at the execution. */
  orderedWith: Permission;
  /** For writes sent to the provider: the permission to read a refusal later. */
  readWith?: Permission;
  /** Its code on record, where that is not called as its permission. */
  recordedAs?: `${string}.${string}`;
  policy?: PolicyTerms;
};

const aDay = { ...NO_LIMITS, amount: null, expiresAfterHours: 24 } as const;
const always = { rule: "always", ...aDay } as const;

const ofMoney = {
  rules: ["never", "above", "always"],
  standard: {
    ...aDay,
    rule: "above",
    amount: "5000.00",
    personSum: "10000.00",
    payeeSum: "5000.00",
    tenantSum: "50000.00",
    firstSum: "1000.00",
  },
} as const satisfies PolicyTerms;

const ofTransfers = { orderedWith: "transfers:create", readWith: "transfers:read", policy: ofMoney } as const;

/** Would let one administrator pose as two: always another one decides. */
const ofAdmins = { rules: ["always"], standard: always, decidedWith: "staff:manage" } as const satisfies PolicyTerms;

/** Every write by its name: who may order it, and when a second person is needed. */
export const WRITE_TERMS = {
  "kyc.decision": {
    orderedWith: "kyc:decide",
    readWith: "kyc:read",
    policy: { rules: ["never", "on-redecision", "on-exposed", "always"], standard: { ...aDay, rule: "on-redecision" } },
  },
  "kyc.start": { orderedWith: "kyc:start", readWith: "kyc:read" },
  "account.create": { orderedWith: "onboarding:create", readWith: "onboarding:read" },
  "transfer.internal": { ...ofTransfers, recordedAs: "transfer.internal" },
  "transfer.external": { ...ofTransfers, recordedAs: "transfer.external" },
  "crypto.transfer": {
    orderedWith: "crypto-transfers:create",
    readWith: "wallets:read",
    policy: { rules: ["never", "always"], standard: always },
  },
  "account.close": {
    orderedWith: "accounts:close",
    readWith: "accounts:read",
    policy: { rules: ["never", "always"], standard: always, isCompletedByMaker: true },
  },
  "wallet.create": { orderedWith: "wallets:create", readWith: "wallets:read" },
  "wallet.address": { orderedWith: "wallets:create", readWith: "wallets:read" },
  // Only people who may order these can judge them.
  "outcome.end": { orderedWith: "outcomes:end", policy: { rules: ["always"], standard: always } },
  "staff.invite": { orderedWith: "staff:manage", policy: ofAdmins },
  "staff.roles": { orderedWith: "staff:manage", policy: ofAdmins },
  "staff.reset-factor": { orderedWith: "staff:manage", policy: ofAdmins },
  "policy.loosen": { orderedWith: "settings:manage", policy: ofAdmins },
  "kyc.rules": { orderedWith: "settings:manage", policy: ofAdmins },
  "privacy.more": {
    orderedWith: "pii:reveal",
    policy: { rules: ["always"], standard: { ...always, expiresAfterHours: 1 } },
  },
} as const satisfies Record<string, WriteTerms>;

type Terms = typeof WRITE_TERMS;
export type WriteName = keyof Terms;
type Having<Term extends keyof WriteTerms> = {
  [Name in WriteName]: Terms[Name] extends Required<Pick<WriteTerms, Term>> ? Name : never;
}[WriteName];

export type ApprovalKindName = Having<"policy">;
/** Sent to the provider, so that its outcome may stay unknown. */
export type OutcomeName = Having<"readWith">;

export type OrderedWith<Name extends WriteName> = Terms[Name]["orderedWith"];
export type ReadWith = Terms[OutcomeName]["readWith"];

export const isWriteName = (name: string): name is WriteName => Object.hasOwn(WRITE_TERMS, name);
const hasTerms = (name: WriteName): name is ApprovalKindName => "policy" in WRITE_TERMS[name];
const isSent = (name: WriteName): name is OutcomeName => "readWith" in WRITE_TERMS[name];

export type RecordedAs = Extract<Terms[WriteName], { recordedAs: string }>["recordedAs"];

const WRITE_NAMES = Object.keys(WRITE_TERMS).filter(isWriteName);
export const APPROVAL_KIND_NAMES = WRITE_NAMES.filter(hasTerms);
export const OUTCOME_NAMES = WRITE_NAMES.filter(isSent);

export const RECORDED_AS: readonly RecordedAs[] = Object.values(WRITE_TERMS).flatMap((terms) =>
  "recordedAs" in terms ? [terms.recordedAs] : [],
);

export const orderedWith = <Name extends WriteName>(name: Name): OrderedWith<Name> => WRITE_TERMS[name].orderedWith;

export const readWith = (name: OutcomeName): ReadWith => WRITE_TERMS[name].readWith;

export const termsOf = (kind: ApprovalKindName): PolicyTerms => WRITE_TERMS[kind].policy;
