import { POLICY_RULES } from "@/lib/permission/writes";
import { hrefWith } from "@/lib/text/page";
import { type AuditCode, isAuditCode } from "@/lib/audit/codes";
import { screenOf } from "@/lib/audit/object-view";
import { SUSPICION_STATES } from "@/lib/db/enums/suspicions";
import { ASKED_BY, DEPOSIT_REASONS, PAID_VERDICTS, WITHDRAWAL_REASONS } from "@/lib/db/enums/deposits";
import { ESCALATION_ENDINGS, PUT_OFF_ENDINGS, SLA_CLOCKS } from "@/lib/db/enums/kyc";
import { EVIDENCE_SOURCES, OUTCOMES as CONCLUSIONS } from "@/lib/db/enums/outcomes";
import { SCENARIO_NAMES } from "@/lib/lab/view";

/** In the filter's order. Separate from the store, because the browser reads it. */
export const OUTCOMES = ["DONE", "REFUSED", "INTENT", "HELD", "UNKNOWN"] as const;

export const REVEALED = { code: "personal-data.reveal" } as const;
export const REFUSED_SIGN_IN = { code: "session.open", outcome: "REFUSED" } as const;

type Detail = Readonly<Record<string, string | number | boolean | null>>;

export type AuditRow = {
  seq: number;
  at: string;
  code: string;
  outcome: (typeof OUTCOMES)[number];
  actor: string;
  /** Null for a watch, a command or an unknown person. */
  byName: string | null;
  object: string | null;
  objectName: string | null;
  intentId: string | null;
  detail: Detail;
  named: Readonly<Record<string, string>>;
  hash: string;
};

export const knownCode = (code: string): AuditCode | null => (isAuditCode(code) ? code : null);

export const AUDIT_OBJECTS = [
  "kyc",
  "account",
  "wallet",
  "onboarding",
  "staff",
  "approval",
  "approval-policy",
  "kyc-rules",
  "calendar",
  "setting",
  "payee",
  "pix-key",
  "otc",
  "wallet-request",
  "deposit",
  "suspicion",
] as const;

const SETTING_SCREENS: Partial<Record<string, string>> = {
  "allowed-addresses": "/settings/addresses",
  "alarm-bounds": "/settings/alarms",
};

const OWN_SCREENS: Partial<Record<string, (id: string) => string>> = {
  approval: (id) => `/approvals/${encodeURIComponent(id)}`,
  deposit: (id) => `/deposits/${encodeURIComponent(id)}`,
  "approval-policy": () => "/settings/approvals",
  "kyc-rules": () => "/settings/kyc",
  calendar: () => "/settings/calendar",
  setting: (id) => SETTING_SCREENS[id] ?? "/settings",
  "wallet-request": (id) => hrefWith("/wallets/addresses", { search: id }),
  // A person's screen is open to few, so the record is linked instead.
  staff: (id) => hrefWith("/audit", { search: `staff:${id}` }),
};

export function recordOf(object: string) {
  const kind = AUDIT_OBJECTS.find((name) => object.startsWith(`${name}:`)) ?? null;
  if (kind === null) return { kind, id: object, href: null };
  const id = object.slice(kind.length + 1);
  return { kind, id, href: OWN_SCREENS[kind]?.(id) ?? screenOf(object)?.href ?? null };
}

export const objectsIn = ({ object, detail }: Pick<AuditRow, "object" | "detail">): string[] =>
  [object, ...Object.values(detail)]
    .filter((one) => typeof one === "string" && recordOf(one).kind !== null)
    .map(String);

export type Change = { name: string | null; before: string | null; after: string | null };

const asText = (value: Detail[string] | undefined) => (value === null || value === undefined ? null : String(value));

/** `before` has `after`, `from` has `to`, `fromRule` has `toRule`. */
function counterpartOf(name: string): { after: string; of: string | null } | null {
  if (name === "before") return { after: "after", of: null };
  if (name === "from") return { after: "to", of: null };
  const of = /^from([A-Z].*)$/.exec(name)?.[1];
  return of === undefined ? null : { after: `to${of}`, of: of.charAt(0).toLowerCase() + of.slice(1) };
}

/** A value before and after is a change, any other a fact. */
export function readDetail(detail: Detail): { changes: Change[]; facts: [string, string][] } {
  const paired = new Set<string>();
  const changes = Object.keys(detail).flatMap((name) => {
    const counterpart = counterpartOf(name);
    if (counterpart === null || !(counterpart.after in detail)) return [];
    paired.add(name).add(counterpart.after);
    const before = asText(detail[name]);
    const after = asText(detail[counterpart.after]);
    return before === after ? [] : [{ name: counterpart.of, before, after }];
  });
  const rest = Object.entries(detail).filter(([name]) => !paired.has(name));
  const facts = rest.flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, String(value) || "–"]],
  );
  return { changes, facts: facts };
}

const FACTS = [
  "about",
  "amount",
  "antifraudId",
  "area",
  "asset",
  "authorisedBy",
  "bodyHash",
  "class",
  "code",
  "codes",
  "days",
  "decision",
  "direction",
  "everywhere",
  "fault",
  "field",
  "filter",
  "firstBad",
  "format",
  "from",
  "heads",
  "hours",
  "how",
  "invitation",
  "invitationsRevoked",
  "invitedBy",
  "isBreakGlass",
  "isNew",
  "isRepeat",
  "isShown",
  "issuedBy",
  "key",
  "kind",
  "left",
  "link",
  "loosens",
  "maker",
  "matched",
  "needs",
  "network",
  "note",
  "path",
  "policy",
  "rate",
  "rateDay",
  "reason",
  "reveals",
  "roles",
  "rows",
  "rule",
  "secondFactor",
  "session",
  "sessionsEnded",
  "signature",
  "status",
  "step",
  "tag",
  "times",
  "tokenAddress",
  "txHash",
  "under",
  "seenFrom",
  "seenTo",
  "unreadable",
  "upTo",
  "use",
  "version",
  "what",
  "why",
  "document",
  "documentscopy",
  "likenesses",
  "model",
  "slaPf",
  "slaPj",
  "slaClock",
  "dueSoon",
  "sharing",
  "approvalReason",
  "refusalReason",
  "checklistPf",
  "checklistPj",
  "stoppedWord",
  "texts",
  "scopes",
  "reasonCode",
  "rules",
  "to",
  "formerHolder",
  "isNextCase",
  "personSum",
  "personCount",
  "payeeSum",
  "payeeCount",
  "tenantSum",
  "firstSum",
  "released",
  "lastAt",
  "label",
  "labelBefore",
  "walletUse",
  "walletUseBefore",
  "conclusion",
  "evidence",
  "reference",
  "excluded",
  "wasContradicted",
  "candidate",
  "asked",
  "verdict",
  "calls",
  "opens",
  "closes",
  "tedOpens",
  "tedCloses",
  "holidaysSet",
  "holidaysRemoved",
  "putOffUntil",
  "putOffEnding",
  "escalationEnding",
  "suspicionState",
  "casesTo",
  "casesHanded",
  "viewsTo",
  "viewsHanded",
  "scenario",
  "people",
  "nextOn",
  "address",
  "addressesAdded",
  "addressesRemoved",
  "isOpen",
  "alarm",
  "within",
  "bound",
  "perHour",
  "timesMedian",
  "dayFloor",
] as const;

export const knownFact = (name: string) => FACTS.find((known) => known === name) ?? null;

export const PERSON_FACTS = [
  "authorisedBy",
  "formerHolder",
  "invitedBy",
  "issuedBy",
  "maker",
  "to",
  "casesTo",
  "viewsTo",
] as const;

/** Each list has its words under `audit.values`; other values appear as stored. */
const VALUE_WORDS = [
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
  "why.sso-untold",
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
  "ending.linked",
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
  "model.BASIC",
  "model.MEDIUM",
  "model.COMPLETE",
  ...CONCLUSIONS.map((outcome) => `conclusion.${outcome}` as const),
  ...EVIDENCE_SOURCES.map((source) => `evidence.${source}` as const),
  ...ASKED_BY.map((what) => `asked.${what}` as const),
  ...PAID_VERDICTS.map((verdict) => `verdict.${verdict}` as const),
  ...POLICY_RULES.map((rule) => `rule.${rule}` as const),
  ...SLA_CLOCKS.map((clock) => `slaClock.${clock}` as const),
  "within.hour",
  "within.day",
  "field.document",
  "field.identity",
  "field.information",
  "what.dossier",
  "what.letter",
  "what.looks",
  "what.receipt",
  "what.statement",
  "area.kyc",
  "area.onboarding",
  "class.calls",
  "class.webhooks",
  "class.incidents",
  "class.open-pages",
  "class.drafts",
  "class.sessions",
  "class.order-bodies",
  "class.payees",
  "class.wallet-references",
  "class.movements",
  "class.positions",
  "class.entries",
  "class.onboardings",
  "class.kyc",
  "class.casework",
  "class.reveals",
  "class.approvals",
  "class.audit",
  "fault.altered",
  "fault.missing",
  "fault.inserted",
  "fault.truncated",
  "fault.restored",
  "fault.rewritten",
  "fault.forged-head",
  "fault.missing-head",
  "walletUse.own",
  "walletUse.customer",
  "walletUse.checkout",
  "walletUse.other",
  "use.shown",
  "use.copied",
  ...[...DEPOSIT_REASONS, ...WITHDRAWAL_REASONS].map((reason) => `deposit.${reason}` as const),
  ...ESCALATION_ENDINGS.map((ending) => `escalationEnding.${ending}` as const),
  ...SUSPICION_STATES.map((state) => `suspicionState.${state}` as const),
  ...PUT_OFF_ENDINGS.map((ending) => `putOffEnding.${ending}` as const),
  "issuer.mail",
  "issuer.command",
  ...SCENARIO_NAMES.map((name) => `scenario.${name}` as const),
] as const;
type ValueWord = (typeof VALUE_WORDS)[number];

/** For details not named like their list. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  from: ["status"],
  to: ["status"],
  reason: ["ending", "reveal", "deposit"],
  code: ["why"],
  walletUseBefore: ["walletUse"],
  issuedBy: ["issuer"],
  invitedBy: ["issuer"],
};

/** `name` null: an account or a person, before and after. */
export function valueWord(name: string | null, value: string): ValueWord | null {
  const lists = name === null ? ["state"] : (LISTS[name] ?? [name]);
  return VALUE_WORDS.find((word) => lists.some((list) => word === `${list}.${value}`)) ?? null;
}

export type Part = { text: string; fate: "gone" | "new" | "kept" };

const partsOf = (value: string | null) => (value ?? "").split(",").filter(Boolean);

export function compareLists(before: string | null, after: string | null): Part[] {
  const had = partsOf(before);
  const has = partsOf(after);
  return [
    ...had.map((text): Part => ({ text, fate: has.includes(text) ? "kept" : "gone" })),
    ...has.filter((text) => !had.includes(text)).map((text): Part => ({ text, fate: "new" })),
  ];
}
