import { type AuditCode, isAuditCode } from "@/lib/audit/codes";
import { screenOf } from "@/lib/call-view";
import { hrefWith } from "@/lib/href";

/** How a deed can stand on record, in the order of a choice. Apart from the store, because the browser reads it. */
export const OUTCOMES = ["DONE", "REFUSED", "INTENT", "HELD", "UNKNOWN"] as const;

export type Detail = Readonly<Record<string, string | number | boolean | null>>;

/** One row of the record. */
export type AuditRow = {
  seq: number;
  /** ISO, to the millisecond. */
  at: string;
  code: string;
  outcome: (typeof OUTCOMES)[number];
  actor: string;
  /** The person's name; null for a watch, a command, and who is not known. */
  byName: string | null;
  object: string | null;
  /** Of a person that it was done to. */
  objectName: string | null;
  intentId: string | null;
  detail: Detail;
  /** Of the people whose ids stand in the detail, by id. */
  named: Readonly<Record<string, string>>;
  hash: string;
};

/** The code, when it is one of this version's. */
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
] as const;

const OWN_SCREENS: Partial<Record<string, (id: string) => string>> = {
  approval: (id) => `/approvals/${encodeURIComponent(id)}`,
  "approval-policy": () => "/settings/approvals",
  "kyc-rules": () => "/settings/kyc",
  // Of a person, the record itself shows more than a screen that few may open.
  staff: (id) => hrefWith("/audit", { sought: `staff:${id}` }),
};

/** What something was done to: its kind, if that is one of ours, its id and, where there is one, its screen. */
export function recordOf(object: string) {
  const kind = AUDIT_OBJECTS.find((name) => object.startsWith(`${name}:`)) ?? null;
  if (kind === null) return { kind, id: object, href: null };
  const id = object.slice(kind.length + 1);
  return { kind, id, href: OWN_SCREENS[kind]?.(id) ?? screenOf(object)?.href ?? null };
}

/** A value before and after; `name` says which, where a deed changed several. */
export type Change = { name: string | null; before: string | null; after: string | null };

const asText = (value: Detail[string] | undefined) => (value === null || value === undefined ? null : String(value));

/** What this value became: `before` has `after`, `from` has `to`, `fromRule` has `toRule`. */
function counterpartOf(name: string): { after: string; of: string | null } | null {
  if (name === "before") return { after: "after", of: null };
  if (name === "from") return { after: "to", of: null };
  const of = /^from([A-Z].*)$/.exec(name)?.[1];
  return of === undefined ? null : { after: `to${of}`, of: of.charAt(0).toLowerCase() + of.slice(1) };
}

/** What a deed changed, and what else is told of it: a value before and after is a change, all else a fact. */
export function readDetail(detail: Detail): { changes: Change[]; facts: [string, string][] } {
  const paired = new Set<string>();
  const changes = Object.keys(detail).flatMap((name) => {
    const counterpart = counterpartOf(name);
    if (counterpart === null || !(counterpart.after in detail)) return [];
    paired.add(name).add(counterpart.after);
    const [before, after] = [asText(detail[name]), asText(detail[counterpart.after])];
    return before === after ? [] : [{ name: counterpart.of, before, after }];
  });
  const rest = Object.entries(detail).filter(([name]) => !paired.has(name));
  const told = rest.flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, String(value) || "–"]],
  );
  return { changes, facts: told };
}

/** What details are called that have a name in both languages. */
export const FACTS = [
  "about",
  "amount",
  "antifraudId",
  "area",
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
  "policy",
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
  "tokenAddress",
  "txHash",
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
  "dueSoon",
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
  "released",
] as const;

/** The fact, when it is one that has a name. */
export const knownFact = (name: string) => FACTS.find((known) => known === name) ?? null;

/** Those that hold a person's id. */
export const PERSON_FACTS = ["authorisedBy", "formerHolder", "invitedBy", "issuedBy", "maker", "to"] as const;
