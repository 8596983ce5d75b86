import { and, asc, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { alias } from "drizzle-orm/pg-core";
import { approval } from "@/lib/db/tables/approvals";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { listFiles } from "@/lib/notes/file";
import { countNotes, listNotes } from "@/lib/notes/note";
import type { CaseFile, Note } from "@/lib/notes/view";
import { maskWithin } from "@/lib/contract/document";
import { type KycProcessName, type KycStatus, REASON_MAX_LENGTH } from "@/lib/contract/kyc";
import { isStorable } from "@/lib/contract/shared";
import { recordAccess } from "@/lib/audit/access-log";
import { env } from "@/lib/settings/env";
import { storeNow } from "@/lib/db/clock";
import { staff } from "@/lib/db/tables/staff";
import { onboarding } from "@/lib/db/tables/customers";
import { type CheckedItem, kycCase, kycDecision, kycEvent, kycRecord } from "@/lib/db/tables/kyc";
import { providerIntent, type IntentState } from "@/lib/db/tables/provider";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { toldOf } from "@/lib/provider/intents/told";
import type { Reason } from "@/lib/db/enums/case-rules";
import { shownSealed } from "@/lib/db/seal";
import { type Db, db } from "@/lib/db/connection";
import { maskName } from "@/lib/text/masks";
import type { ReadFailure, Told } from "@/lib/errors/result";
import { safeLink } from "@/lib/text/safe-link";
import { providerText } from "@/lib/text/provider-word";
import { whereCase } from "./holder";
import { caseRulesOf, checklistOf, reasonsOf } from "./case-rules";
import { lastDecision } from "./decision-validation";
import { type LinkHistory, readLinkHistory, webviewKey } from "./hand-link";
import { isCaseHeld, readsNotes } from "./notes";
import { CASE_EVENT_KINDS } from "@/lib/db/enums/kyc";
import { findCase, type KycRow } from "./queue";
import { readRelated, type Related } from "./records";
import { fitsMask, shownStartOf, type StartedCase, type StartView, startView } from "@/lib/db/started-case";
import type { TimelineShow } from "./view";
import { freshness } from "@/lib/db/watch-state";

const OTHER_KINDS = [
  "proposed",
  "proposal-authorised",
  "proposal-refused",
  "proposal-withdrawn",
  "proposal-expired",
  "onboarding-seen",
  "onboarding-settled",
] as const;

const TIMELINE_KINDS = [...CASE_EVENT_KINDS, ...OTHER_KINDS] as const;
type TimelineKind = (typeof TIMELINE_KINDS)[number];

export type TimelineEntry = {
  key: string;
  at: string;
  kind: TimelineKind;
  /** Null: the provider or the system. */
  byName: string | null;
  isMine: boolean;
  otherName: string | null;
  detail: Readonly<Record<string, string | number | boolean | null>>;
};

type Timeline = {
  entries: TimelineEntry[];
  older: string | null;
};

const SHOWN = 40;

type CaseRequest = { tenant: string; kycUUID: string };

const ownEvents = ({ tenant, kycUUID }: CaseRequest): SQL => sql`
  select ${kycEvent.at} as at, 'e' || lpad(${kycEvent.id}::text, 20, '0') as key, ${kycEvent.kind} as kind,
    ${kycEvent.actor}::text as actor, ${kycEvent.detail} as detail
  from ${kycEvent} where ${kycEvent.tenant} = ${tenant} and ${kycEvent.kycUUID} = ${kycUUID}`;

const isAbout = ({ tenant, kycUUID }: CaseRequest): SQL =>
  sql`${approval.tenant} = ${tenant} and ${approval.kind} = 'kyc.decision' and ${approval.object} = ${`kyc:${kycUUID}`}`;

const pendingApprovals = (asked: CaseRequest): SQL => sql`
  select ${approval.createdAt}, 'p' || ${approval.id}::text, 'proposed', ${approval.makerId}::text,
    jsonb_build_object('approvalId', ${approval.id})
  from ${approval} where ${isAbout(asked)}
  union all
  select coalesce(${approval.decidedAt}, ${approval.endedAt}), 'q' || ${approval.id}::text,
    'proposal-' || case when ${approval.deciderId} is null then lower(${approval.state})
      when ${approval.state} = 'REFUSED' then 'refused' else 'authorised' end,
    case when ${approval.state} = 'WITHDRAWN' then ${approval.makerId} else ${approval.deciderId} end::text,
    jsonb_build_object('approvalId', ${approval.id})
  from ${approval} where ${isAbout(asked)} and coalesce(${approval.decidedAt}, ${approval.endedAt}) is not null
    and (${approval.deciderId} is not null or ${approval.state} in ('WITHDRAWN', 'EXPIRED'))`;

const onboardings = (tenant: string, hashes: readonly string[]): SQL => sql`
  union all
  select ${onboarding.firstSeenAt}, 'o' || ${onboarding.id}::text, 'onboarding-seen', null,
    jsonb_build_object('onboarding', ${onboarding.id})
  from ${onboarding} where ${and(eq(onboarding.tenant, tenant), inArray(onboarding.documentHash, [...hashes]))}
  union all
  select ${onboarding.changedAt}, 's' || ${onboarding.id}::text, 'onboarding-settled', null,
    jsonb_build_object('onboarding', ${onboarding.id}, 'status', ${onboarding.status})
  from ${onboarding} where ${and(eq(onboarding.tenant, tenant), inArray(onboarding.documentHash, [...hashes]))}
    and ${onboarding.status} <> 'PROCESSING'`;

const IS_SHOWN: Record<TimelineShow, SQL> = {
  all: sql`true`,
  people: sql`actor is not null`,
  provider: sql`actor is null`,
};

/** Microseconds and key, so that entries of the same time keep their order. */
const CURSOR = /^(\d{1,16})\.([a-z][\w-]{1,80})$/;

function isBefore(cursor: string | null): SQL {
  const [, micros, key] = CURSOR.exec(cursor ?? "") ?? [];
  return micros === undefined ? sql`true` : sql`(micros, key) < (${micros}::bigint, ${key})`;
}

const Found = z.object({
  rows: z.array(
    z.object({
      micros: z.coerce.string(),
      key: z.string(),
      at: z.coerce.date(),
      kind: z.string(),
      actor: z.string().nullable(),
      detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    }),
  ),
});
type TimelineRow = z.infer<typeof Found>["rows"][number];

const isKind = (kind: string): kind is TimelineKind => TIMELINE_KINDS.some((known) => known === kind);

const othersOf = ({ kind, detail }: TimelineRow): string[] => {
  const other = kind === "assigned" || kind === "shared" ? detail["to"] : kind === "taken-over" ? detail["from"] : null;
  return typeof other === "string" && /^[\da-f-]{36}$/.test(other) ? [other] : [];
};

async function namesOf(store: Db, rows: readonly TimelineRow[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap((row) => [...(row.actor === null ? [] : [row.actor]), ...othersOf(row)]))];
  if (ids.length === 0) return new Map();
  const people = await store.select({ id: staff.id, name: staff.name }).from(staff).where(inArray(staff.id, ids));
  return new Map(people.map(({ id, name }) => [id, name]));
}

export type TimelineAsked = { show: TimelineShow; before: string | null };

/** Newest first, forty at a time; `before` is `older` of the previous page. Null when the watch has not seen the case. */
export async function readCaseTimeline(
  actor: Actor<"kyc:read">,
  kycUUID: string,
  { show, before }: TimelineAsked,
): Promise<Timeline | null> {
  if (!isStorable(kycUUID)) return null;
  const { tenant } = actor;
  const store = await db();
  const isThere = whereCase({ tenant, kycUUID });
  const [there, start] = await Promise.all([store.$count(kycCase, isThere), shownStartOf(store, tenant, kycUUID)]);
  if (there === 0) return null;
  const asked = { tenant, kycUUID };
  const others = start === null ? sql`` : onboardings(tenant, start.hashes);
  const found = await store.execute(sql`
    select * from (
      select at, (extract(epoch from at) * 1000000)::bigint as micros, key, kind, actor, detail
      from (${ownEvents(asked)} union all ${pendingApprovals(asked)} ${others}) as told (at, key, kind, actor, detail)
    ) as placed
    where ${IS_SHOWN[show]} and ${isBefore(before)}
    order by micros desc, key desc limit ${SHOWN + 1}`);
  const { rows } = Found.parse(found);
  const names = await namesOf(store, rows);
  const shown = rows.slice(0, SHOWN);
  const last = shown.at(-1);
  return {
    entries: shown.flatMap((row) => {
      const { key, at, kind, actor: by, detail } = row;
      if (!isKind(kind)) return [];
      const [other] = othersOf(row);
      const otherName = other === undefined ? null : (names.get(other) ?? null);
      const byName = by === null ? null : (names.get(by) ?? "");
      return [{ key, at: at.toISOString(), kind, byName, isMine: by === actor.id, otherName, detail }];
    }),
    older: rows.length > SHOWN && last !== undefined ? `${last.micros}.${last.key}` : null,
  };
}

/** Without permission to read notes, only their number is returned. */
export type Casework =
  | { isReadable: true; notes: Note[]; files: CaseFile[]; isHeld: boolean }
  | { isReadable: false; notes: number; files: number };

/** Its address is not in the page: taking it is audited. */
type CaseWebview = LinkHistory & {
  key: string;
  host: string;
  isSafe: boolean;
  /** Masked; null: the case's own. */
  vatNumber: string | null;
  name: string | null;
};

/** Only transfers are held, never a decision. */
type DecisionState = Exclude<IntentState, "HELD">;

export type DecisionView = {
  intentId: string;
  decision: "APPROVED" | "REPROVED";
  reason: string;
  reasonCode: string | null;
  /** For the team alone; null when absent or the reader may not see it. */
  note: string | null;
  checklist: readonly CheckedItem[];
  /** Null before there were rules; 0: the standard ones. */
  rulesVersion: number | null;
  byName: string;
  /** The second person; null where none was needed. */
  authorisedBy: string | null;
  at: string;
  state: DecisionState;
  told: Told | null;
};

const decider = alias(staff, "decider");

type DecisionsRequest = { tenant: string; kycUUID: string; showsNotes: boolean };

export async function readDecisions(
  store: Db,
  { tenant, kycUUID, showsNotes }: DecisionsRequest,
): Promise<DecisionView[]> {
  const rows = await store
    .select({ decided: kycDecision, byName: staff.name, intent: providerIntent, authorisedBy: decider.name })
    .from(kycDecision)
    .innerJoin(providerIntent, ofIntent(kycDecision))
    .innerJoin(staff, eq(staff.id, kycDecision.staffId))
    .leftJoin(approval, and(eq(approval.tenant, tenant), eq(approval.intentId, kycDecision.intentId)))
    .leftJoin(decider, eq(decider.id, approval.deciderId))
    .where(and(eq(kycDecision.tenant, tenant), eq(kycDecision.kycUUID, kycUUID)))
    .orderBy(desc(kycDecision.createdAt));
  return rows.map(({ decided, byName, authorisedBy, intent }) => {
    const { intentId, decision, reason, reasonCode, noteSealed, checklist, rulesVersion, createdAt } = decided;
    const row = [tenant, intentId];
    return {
      intentId,
      decision,
      reason: maskWithin(shownSealed(reason, { column: "kyc_decision.reason", row })),
      reasonCode,
      note:
        showsNotes && noteSealed !== null
          ? maskWithin(shownSealed(noteSealed, { column: "kyc_decision.note_sealed", row }))
          : null,
      checklist,
      rulesVersion,
      byName,
      authorisedBy,
      at: createdAt.toISOString(),
      state: intent.state === "HELD" ? "UNKNOWN" : intent.state,
      told: toldOf(intent),
    };
  });
}

export type DecisionTerms = {
  row: KycRow;
  isMine: boolean;
  rulesVersion: number;
  reasons: Pick<Reason, "code" | "decision" | "text">[];
  checklist: { code: string; text: string }[];
  stoppedWords: string[];
  reasonLimit: number;
  lastDecision: { decision: "APPROVED" | "REPROVED"; byName: string; at: string } | null;
};

/** Audits the access. Throws `AppError` not-found. */
export async function readDecisionTerms(actor: Actor<"kyc:decide">, kycUUID: string): Promise<DecisionTerms> {
  const { tenant, id } = actor;
  const store = await db();
  const key = { tenant, kycUUID };
  const found = isStorable(kycUUID) ? await findCase(store, key) : null;
  if (found === null) throw new AppError("not-found", { code: "kyc-case" });
  const { row } = found;
  await recordAccess(actor, `kyc:${kycUUID}`);
  const { version, rules } = await caseRulesOf(store, tenant);
  const last = await lastDecision(store, key, null);
  return {
    row,
    isMine: row.assignee?.id === id,
    rulesVersion: version,
    reasons: reasonsOf(rules.reasons, row).map(({ code, decision, text }) => ({ code, decision, text })),
    checklist: checklistOf(rules, row).map(({ code, text }) => ({ code, text })),
    stoppedWords: rules.stoppedWords,
    reasonLimit: REASON_MAX_LENGTH,
    lastDecision: last === null ? null : { decision: last.decision, byName: last.by.name, at: last.by.since },
  };
}

export type KycCaseView = {
  row: KycRow;
  asOf: string;
  isStale: boolean;
  failure: ReadFailure | null;
  now: string;
  dueSoonHours: number;
  records: { process: KycProcessName; status: KycStatus }[];
  webviews: CaseWebview[];
  start: StartView | null;
  related: Related;
  decisions: DecisionView[];
  casework: Casework;
};

async function readCasework(actor: Actor<"kyc:read">, kycUUID: string): Promise<Casework> {
  const store = await db();
  const reading = { tenant: actor.tenant, object: `kyc:${kycUUID}`, readerId: actor.id } as const;
  if (!readsNotes(actor.roles)) {
    const [files, notes] = await Promise.all([listFiles(store, reading), countNotes(store, reading)]);
    return { isReadable: false, notes, files: files.filter(({ removed }) => removed === null).length };
  }
  const [files, notes, isHeld] = await Promise.all([
    listFiles(store, reading),
    listNotes(store, reading),
    isCaseHeld(store, actor.tenant, kycUUID),
  ]);
  return { isReadable: true, notes, files, isHeld };
}

/** A name is shown for the one partner whose masked document matches. */
function webviewsOf(
  webviews: (typeof kycCase.$inferSelect)["webviews"],
  start: StartedCase | null,
  historyOf: (key: string) => LinkHistory,
): CaseWebview[] {
  return webviews.flatMap(({ vatNumber, url }) => {
    const link = safeLink(url, env().isEmbedded);
    const [member, another] =
      start?.members.filter((one) => vatNumber !== null && fitsMask(one.vatNumber, vatNumber)) ?? [];
    return link === null
      ? []
      : [
          {
            key: webviewKey(url),
            host: link.host,
            isSafe: link.href !== null,
            ...historyOf(webviewKey(url)),
            vatNumber: vatNumber && providerText(vatNumber),
            name: another === undefined && member !== undefined ? maskName(member.name) : null,
          },
        ];
  });
}

async function readRecords(store: Db, tenant: string, kycUUID: string) {
  const { process, status } = kycRecord;
  return store
    .select({ process, status })
    .from(kycRecord)
    .where(and(eq(kycRecord.tenant, tenant), eq(kycRecord.kycUUID, kycUUID)))
    .orderBy(asc(process));
}

/** Audits the access. Null when the watch has not seen the case. */
export async function readCase(actor: Actor<"kyc:read">, kycUUID: string): Promise<KycCaseView | null> {
  if (!isStorable(kycUUID)) return null;
  const store = await db();
  const { tenant, roles } = actor;
  const found = await findCase(store, { tenant, kycUUID });
  if (found === null) return null;
  const { row, stored } = found;
  // Audited in parallel with the reads, but before anything is returned.
  const reading = { tenant, kycUUID };
  const relatedOf = async (start: StartedCase | null) =>
    readRelated(store, { ...reading, vatNumber: row.vatNumber, start });
  const started = shownStartOf(store, tenant, kycUUID);
  const [start, related, { isStale, failure }, { rules }, now, records, decisions, casework, historyOf] =
    await Promise.all([
      started,
      started.then(relatedOf),
      freshness(tenant, "kyc"),
      caseRulesOf(store, tenant),
      storeNow(store),
      readRecords(store, tenant, kycUUID),
      readDecisions(store, { ...reading, showsNotes: readsNotes(roles) }),
      readCasework(actor, kycUUID),
      readLinkHistory(store, reading, actor.id),
      recordAccess(actor, `kyc:${kycUUID}`),
    ]);
  return {
    row,
    asOf: stored.seenAt.toISOString(),
    isStale,
    failure,
    now: now.toISOString(),
    dueSoonHours: rules.dueSoonHours,
    records,
    webviews: webviewsOf(stored.webviews, start, historyOf),
    start: start && startView(start),
    related,
    decisions,
    casework,
  };
}
