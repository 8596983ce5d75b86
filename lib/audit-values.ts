/** What values on record mean, list by list: each has its words under `audit.values`. What is in no list stands as it is. */
export const VALUE_WORDS = [
  "state.active",
  "state.disabled",
  "decision.APPROVED",
  "decision.REPROVED",
  "status.PENDING",
  "status.PROCESSING",
  "status.APPROVED",
  "status.REPROVED",
  "status.CONFIRMED",
  "status.ERROR",
  "how.password",
  "how.oidc",
  "how.totp",
  "how.read",
  "why.wrong",
  "why.too-many",
  "why.infected",
  "why.last-admin",
  "why.sso-unverified",
  "why.sso-taken",
  "why.sso-disabled",
  "why.sso-unmapped",
  "why.admin-not-independent",
  "why.approval-own",
  "why.approval-ended",
  "why.approval-expired",
  "why.approval-edited",
  "why.approval-not-yours",
  "why.approval-undecided",
  "why.approval-under-way",
  "why.maker-lost-right",
  "why.policy-changed",
  "why.unopened",
  "why.row-broken",
  "why.kind-unknown",
  "ending.signed-out",
  "ending.signed-in-again",
  "ending.idle",
  "ending.expired",
  "ending.ended-by-owner",
  "ending.ended-by-admin",
  "ending.roles-changed",
  "ending.disabled",
  "ending.password-changed",
  "ending.factor-changed",
  "reveal.service",
  "reveal.verification",
  "reveal.fraud",
  "reveal.authority",
  "direction.in",
  "direction.out",
  "step.made",
  "step.renewed",
  "step.revoked",
  "kind.PF",
  "kind.PJ",
  "kind.kyc.decision",
  "kind.transfer.internal",
  "kind.transfer.external",
  "kind.crypto.transfer",
  "kind.account.close",
  "kind.staff.invite",
  "kind.staff.roles",
  "kind.staff.reset-factor",
  "kind.policy.loosen",
  "rule.never",
  "rule.always",
  "rule.above",
  "rule.on-redecision",
  "field.document",
  "field.identity",
  "what.dossier",
  "what.looks",
  "area.kyc",
  "area.onboarding",
  "class.calls",
  "class.webhooks",
  "class.open-pages",
  "class.drafts",
  "class.sessions",
  "class.order-bodies",
  "class.onboardings",
  "class.kyc",
  "class.casework",
  "class.reveals",
  "class.approvals",
  "class.audit",
  "fault.edited",
  "fault.missing",
  "fault.inserted",
  "fault.reordered",
  "fault.truncated",
  "fault.restored",
  "fault.rewritten",
  "fault.forged-head",
  "fault.missing-head",
  "use.shown",
  "use.copied",
  "issuer.mail",
  "issuer.command",
] as const;
export type ValueWord = (typeof VALUE_WORDS)[number];

/** The lists that the values of a detail come from, where they are not called like it. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  from: ["status"],
  to: ["status"],
  reason: ["ending", "reveal"],
  code: ["why"],
  issuedBy: ["issuer"],
  invitedBy: ["issuer"],
};

/** What a value of this detail is called; `name` null: what a person or an account was before and is after. */
export function valueWord(name: string | null, value: string): ValueWord | null {
  const lists = name === null ? ["state"] : (LISTS[name] ?? [name]);
  return VALUE_WORDS.find((word) => lists.some((list) => word === `${list}.${value}`)) ?? null;
}

/** A part of a value that is a list, as roles are: what was there before, is there after, or both. */
export type Part = { text: string; fate: "gone" | "new" | "kept" };

const partsOf = (value: string | null) => (value ?? "").split(",").filter(Boolean);

/** What of a list went, came and stayed, in the order of before and then of what came. */
export function compareLists(before: string | null, after: string | null): Part[] {
  const [had, has] = [partsOf(before), partsOf(after)];
  return [
    ...had.map((text): Part => ({ text, fate: has.includes(text) ? "kept" : "gone" })),
    ...has.filter((text) => !had.includes(text)).map((text): Part => ({ text, fate: "new" })),
  ];
}
