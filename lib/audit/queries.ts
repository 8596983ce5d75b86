import { and, desc, eq, gt, sql } from "drizzle-orm";
import { getTranslations } from "next-intl/server";
import type { Actor } from "@/lib/auth/grant";
import { staffMembership } from "@/lib/auth/schema";
import { type AuditRow, OUTCOMES } from "./view";
import { env } from "@/lib/settings/env";
import { hrefWith } from "@/lib/text/page";
import { type Download, query } from "@/lib/query";
import { auditEvent, staff } from "@/lib/store/schema";
import { type Db, db } from "@/lib/store/store";
import { civilDay } from "@/lib/text/time";
import { readCheck } from "./check";
import { AUDIT_CODES, isAuditCode } from "./codes";
import { asCsv, asJson } from "./trail";
import { readLastHead } from "./head";
import { abandoned, type BegunWrite } from "./incident";
import { record } from "./record";
import { readHead } from "./chain";
import { AuditFilter, ExportFormat } from "./rules";
import { matching, readPage, type TrailPage, withNames } from "./trail";
import type { Fault } from "./verify";

export type RecordState = {
  last: number;
  upTo: number | null;
  checkedAt: string | null;
  fault: Fault | null;
  abandoned: Pick<BegunWrite, "intentId" | "seq" | "code">[];
  /** Rows that could not be worked in the last thirty days, newest first. */
  unreadable: { seq: number; intentId: string | null }[];
  signed: { seq: number; at: string } | null;
};

export type Trail = TrailPage & {
  state: RecordState;
  people: { id: string; name: string }[];
  asOf: string;
};

const MOST_INCIDENTS = 100;

function readIncidents(store: Db, tenant: string): Promise<RecordState["unreadable"]> {
  const { seq, intentId, at, code } = auditEvent;
  const isRecent = gt(at, sql`clock_timestamp() - interval '30 days'`);
  return store
    .select({ seq, intentId })
    .from(auditEvent)
    .where(and(eq(auditEvent.tenant, tenant), eq(code, "records.unreadable"), isRecent))
    .orderBy(desc(seq))
    .limit(MOST_INCIDENTS);
}

async function readState(tenant: string): Promise<RecordState> {
  const store = await db();
  const [check, { seq }] = [await readCheck(store, tenant), await readHead(store, tenant)];
  const signed = await readLastHead(env().auditHeadsDir, tenant);
  return {
    last: seq,
    upTo: check?.upTo.seq ?? null,
    checkedAt: check?.checkedAt ?? null,
    fault: check?.fault ?? null,
    abandoned: abandoned(check?.open ?? [], Date.now()),
    unreadable: await readIncidents(store, tenant),
    signed: signed === null ? null : { seq: signed.head.seq, at: signed.head.at },
  };
}

async function readPeople(tenant: string) {
  const { id, name } = staff;
  return (await db())
    .select({ id, name })
    .from(staff)
    .innerJoin(staffMembership, eq(staffMembership.staffId, id))
    .where(eq(staffMembership.tenant, tenant))
    .orderBy(name);
}

const textOf = (filter: AuditFilter) => hrefWith("", { ...filter, before: undefined, after: undefined }).slice(1);

/** Once in five minutes for each filter. */
async function noteReading(actor: Actor, filter: AuditFilter): Promise<void> {
  const store = await db();
  const own = { tenant: actor.tenant, actor: actor.id, code: "audit.read", outcome: "DONE" } as const;
  const detail = { filter: textOf(filter) };
  const isOwn = and(eq(auditEvent.tenant, own.tenant), eq(auditEvent.actor, own.actor), eq(auditEvent.code, own.code));
  const isLate = sql`${auditEvent.at} > clock_timestamp() - interval '5 minutes'`;
  const isSame = sql`${auditEvent.detail}->>'filter' = ${detail.filter}`;
  const lately = await store
    .select({ seq: auditEvent.seq })
    .from(auditEvent)
    .where(and(isOwn, isLate, isSame))
    .orderBy(desc(auditEvent.seq))
    .limit(1);
  if (lately.length === 0) await record(store, { ...own, detail });
}

/** Newest first, fifty a page; reading it is recorded. */
export const listTrail = query("audit:read", async (actor, given: Partial<AuditFilter> = {}): Promise<Trail> => {
  const filter = AuditFilter.parse(given);
  await noteReading(actor, filter);
  const page = await readPage(actor.tenant, filter);
  const [state, people] = [await readState(actor.tenant), await readPeople(actor.tenant)];
  return { ...page, state, people, asOf: new Date().toISOString() };
});

const MOST_NEW = 100;

export const countNew = query(
  "audit:read",
  async (actor, given: Partial<AuditFilter> = {}): Promise<{ count: number }> => {
    const { after = 0, ...filter } = AuditFilter.parse(given);
    const found = await (
      await db()
    )
      .select({ seq: auditEvent.seq })
      .from(auditEvent)
      .where(and(matching(actor.tenant, filter), gt(auditEvent.seq, after)))
      .limit(MOST_NEW);
    return { count: found.length };
  },
);

const MOST_OF_INTENT = 50;

export const listOfIntent = query("audit:read", async (actor, intentId: string): Promise<AuditRow[]> => {
  const filter = AuditFilter.parse({ sought: intentId });
  if (filter.sought === undefined) return [];
  const store = await db();
  const rows = await store
    .select()
    .from(auditEvent)
    .where(matching(actor.tenant, filter))
    .orderBy(auditEvent.seq)
    .limit(MOST_OF_INTENT);
  return withNames(store, rows);
});

/** Recorded before its first byte. */
export const exportTrail = query(
  "audit:export",
  async (actor, given: Partial<AuditFilter> = {}, asked: ExportFormat = "csv"): Promise<Download> => {
    const filter = AuditFilter.parse(given);
    const format = ExportFormat.parse(asked);
    const store = await db();
    const { tenant, id } = actor;
    const { seq: upTo } = await readHead(store, tenant);
    const detail = { format, filter: textOf(filter), upTo };
    await record(store, { tenant, actor: id, code: "audit.export", outcome: "DONE", detail });
    const { before: _, after: __, ...whole } = filter;
    const wanted = { tenant, filter: AuditFilter.parse(whole), upTo };
    const fileName = `audit-${civilDay(new Date())}.${format}`;
    if (format === "json") return { fileName, contentType: "application/json", parts: asJson(wanted) };
    const say = await getTranslations("audit.codes");
    const nameOf = (code: string) => (isAuditCode(code) ? say(code) : code);
    return { fileName, contentType: "text/csv; charset=utf-8", parts: asCsv(wanted, nameOf) };
  },
);

export const auditChoices = { codes: AUDIT_CODES, outcomes: OUTCOMES } as const;
