import { and, asc, count, desc, eq, gt, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import { staff } from "@/lib/db/tables/staff";
import { auditEvent } from "@/lib/db/tables/audit";
import { account, onboarding } from "@/lib/db/tables/customers";
import { transfer } from "@/lib/db/tables/transfers";
import { dayAmong, startOfDay } from "@/lib/db/clock";
import { namesObject } from "@/lib/db/columns";
import { type Db, db } from "@/lib/db/connection";
import { type CsvColumn, csvMoment, csvName, csvTable } from "@/lib/text/csv";
import { isUuid } from "@/lib/text/decode";
import type { Locale } from "@/lib/text/format";
import { namingHidden } from "@/lib/text/safe-link";
import { isUnopened, providerText } from "@/lib/text/provider-word";
import { AuditFilter, ExportFormat } from "./inputs";
import { AUDIT_OBJECTS, type AuditRow, PERSON_FACTS, OUTCOMES, recordOf, REFUSED_SIGN_IN, REVEALED } from "./view";
import { getLocale, getTranslations } from "next-intl/server";
import type { Actor } from "@/lib/permission/grant";
import { staffMembership } from "@/lib/db/tables/auth";
import { env } from "@/lib/settings/env";
import { hrefWith, PAGE_SIZE } from "@/lib/text/page";
import { type Download, query } from "@/lib/query";
import { minutesOf } from "@/lib/text/period";
import { civilDay, lastDays } from "@/lib/text/time";
import { readCheck } from "./check";
import { AUDIT_CODES, isAuditCode } from "@/lib/audit/codes";
import { readLastHead } from "@/lib/audit/head";
import { abandoned, type BegunWrite } from "@/lib/audit/incident";
import { record } from "@/lib/audit/record";
import { readHead } from "@/lib/audit/chain";
import type { Fault } from "./verify";
import type { Role } from "@/lib/permission/permission";
import { readReasons, type Reason } from "@/lib/privacy/queries";

type StoredEvent = typeof auditEvent.$inferSelect;

const minute = (text: string) => sql`${text}::timestamp at time zone 'America/Sao_Paulo'`;

/** Numbers and times rise together, so a time range is a range of numbers. */
function lastBefore(tenant: string, time: SQL): SQL {
  return sql`coalesce((select ${auditEvent.seq} from ${auditEvent} where ${auditEvent.tenant} = ${tenant}
    and ${auditEvent.at} < ${time} order by ${auditEvent.at} desc, ${auditEvent.seq} desc limit 1), 0)`;
}

/** The provider's id that a record's screen shows beside our reference. */
function namesByProviderId(tenant: string, id: string): SQL | undefined {
  const ofAccount = sql`(select 'account:' || ${account.ref} from ${account} where ${account.tenant} = ${tenant} and ${account.accountId} = ${id})`;
  const ofOnboarding = sql`(select 'onboarding:' || ${onboarding.id} from ${onboarding} where ${onboarding.tenant} = ${tenant} and ${onboarding.onBoardingId} = ${id})`;
  const ofTransfer = sql`(select ${transfer.intentId} from ${transfer} where ${transfer.tenant} = ${tenant} and ${transfer.transactionId} = ${id} limit 1)`;
  return or(eq(auditEvent.object, ofAccount), eq(auditEvent.object, ofOnboarding), eq(auditEvent.intentId, ofTransfer));
}

function matchesSearch(tenant: string, text: string): SQL | undefined {
  const found = or(namesObject(auditEvent.object, text, AUDIT_OBJECTS), namesByProviderId(tenant, text));
  return isUuid(text) ? or(eq(auditEvent.intentId, text), found) : found;
}

function matching(tenant: string, filter: AuditFilter): SQL | undefined {
  const { code, outcome, actor, search } = filter;
  const { from, to } = minutesOf(filter);
  return and(
    eq(auditEvent.tenant, tenant),
    code === undefined ? undefined : eq(auditEvent.code, code),
    outcome === undefined ? undefined : eq(auditEvent.outcome, outcome),
    actor === undefined ? undefined : eq(auditEvent.actor, actor),
    search === undefined ? undefined : matchesSearch(tenant, search),
    from === undefined ? undefined : sql`${auditEvent.seq} > ${lastBefore(tenant, minute(from))}`,
    to === undefined
      ? undefined
      : sql`${auditEvent.seq} <= ${lastBefore(tenant, sql`${minute(to)} + interval '1 minute'`)}`,
  );
}

const STAFF = "staff:";
const personOf = (object: string | null) => (object?.startsWith(STAFF) ? object.slice(STAFF.length) : "");

const peopleIn = (detail: StoredEvent["detail"]) => PERSON_FACTS.map((name) => String(detail[name] ?? ""));

async function withNames(store: Db, rows: readonly StoredEvent[]): Promise<AuditRow[]> {
  const mentioned = rows.flatMap(({ actor, object, detail }) => [actor, personOf(object), ...peopleIn(detail)]);
  const ids = [...new Set(mentioned)].filter(isUuid);
  const { id, name } = staff;
  const people = ids.length === 0 ? [] : await store.select({ id, name }).from(staff).where(inArray(id, ids));
  const names = new Map(people.map((person) => [person.id, person.name]));
  return rows.map((stored) => {
    const { tenant: _, ...row } = stored;
    const [byName = null, objectName = null] = [names.get(row.actor), names.get(personOf(row.object))];
    const named = Object.fromEntries(
      peopleIn(row.detail).flatMap((who) => {
        const found = names.get(who);
        return found === undefined ? [] : [[who, found]];
      }),
    );
    return { ...row, at: row.at.toISOString(), byName, objectName, named };
  });
}

type TrailPage = { rows: AuditRow[]; older: number | null; newer: number | null };

/** Keyset paging: the last page costs as little as the first. */
async function readPage(tenant: string, filter: AuditFilter): Promise<TrailPage> {
  const { before, after } = filter;
  const isUpwards = after !== undefined;
  const cursor = isUpwards ? gt(auditEvent.seq, after) : before === undefined ? undefined : lt(auditEvent.seq, before);
  const store = await db();
  const found = await store
    .select()
    .from(auditEvent)
    .where(and(matching(tenant, filter), cursor))
    .orderBy((isUpwards ? asc : desc)(auditEvent.seq))
    .limit(PAGE_SIZE + 1);
  const hasMore = found.length > PAGE_SIZE;
  // Less than a page is left above: show the newest page whole.
  if (isUpwards && !hasMore) return readPage(tenant, { ...filter, after: undefined, before: undefined });
  const page = found.slice(0, PAGE_SIZE);
  const rows = await withNames(store, isUpwards ? page.toReversed() : page);
  const older = isUpwards || hasMore ? (rows.at(-1)?.seq ?? null) : null;
  const newer = isUpwards || before !== undefined ? (rows[0]?.seq ?? null) : null;
  return { rows, older, newer };
}

const BATCH_ROWS = 2_000;

/** Newest first, up to the last row at the time of the request. */
async function* batches(tenant: string, filter: AuditFilter, upTo: number): AsyncGenerator<AuditRow[]> {
  const store = await db();
  let edge = upTo + 1;
  for (;;) {
    const found = await store
      .select()
      .from(auditEvent)
      .where(and(matching(tenant, filter), lt(auditEvent.seq, edge)))
      .orderBy(desc(auditEvent.seq))
      .limit(BATCH_ROWS);
    const last = found.at(-1);
    if (last === undefined) return;
    yield await withNames(store, found);
    edge = last.seq;
  }
}

type AuditQuery = { tenant: string; filter: AuditFilter; upTo: number };

/** For reading only: the JSON file has the exact record. */
const readable = (detail: AuditRow["detail"]): string =>
  JSON.stringify(detail, (_, value: unknown) => (typeof value === "string" ? providerText(value) : value));

type FiledRow = AuditRow & { called: string | null; why: Reason | null };

type CsvContext = {
  say: Awaited<ReturnType<typeof getTranslations<"audit">>>;
  ofReasons: Awaited<ReturnType<typeof getTranslations<"privacy.reasons">>>;
  locale: Locale;
};

function subjectOf({ object, objectName, called }: FiledRow, { say }: CsvContext): string | null {
  const { kind } = recordOf(object ?? "");
  const name = objectName ?? called;
  if (kind === null) return null;
  return name === null ? say(`objects.${kind}`) : `${say(`objects.${kind}`)} ${namingHidden(name)}`;
}

const COLUMNS = [
  { name: "seq", csv: ({ seq }) => seq },
  { name: "at", csv: ({ at }, { locale }) => csvMoment(at, locale) },
  { name: "code", csv: ({ code }) => code },
  { name: "event", csv: ({ code }, { say }) => (isAuditCode(code) ? say(`codes.${code}`) : code) },
  { name: "outcome", csv: ({ outcome }, { say }) => say(`outcomes.${outcome}`) },
  { name: "actor", csv: ({ actor }) => actor },
  { name: "person", csv: ({ byName }) => byName },
  { name: "object", csv: ({ object }) => (object === null ? null : namingHidden(object)) },
  { name: "subject", csv: subjectOf },
  {
    name: "reason",
    csv: ({ why }, { ofReasons }) =>
      why && [ofReasons(why.choice), ...(isUnopened(why.note) ? [] : [providerText(why.note)])].join(": "),
  },
  { name: "intent", csv: ({ intentId }) => intentId },
  { name: "detail", csv: ({ detail }) => readable(detail) },
  { name: "hash", csv: ({ hash }) => hash },
] as const satisfies readonly CsvColumn<FiledRow, CsvContext>[];

export type AuditFileColumn = (typeof COLUMNS)[number]["name"];

type Reader = { tenant: string; roles: readonly Role[] };
type NamesOf = (reader: Reader, objects: readonly string[]) => Promise<Readonly<Record<string, string>>>;

const NO_NAMES: NamesOf = async () => ({});

async function* asCsv(
  { tenant, filter, upTo }: AuditQuery,
  words: CsvContext,
  namesOf: (objects: readonly string[]) => ReturnType<NamesOf>,
): AsyncGenerator<string> {
  const { head, line } = csvTable(COLUMNS, words, (name) => words.say(`csv.${name}`));
  yield head;
  for await (const rows of batches(tenant, filter, upTo)) {
    const names = await namesOf([...new Set(rows.flatMap(({ object }) => object ?? []))]);
    const reasons = await readReasons(
      { tenant },
      rows.flatMap(({ intentId }) => intentId ?? []),
    );
    const known = (row: AuditRow) => ({
      called: names[row.object ?? ""] ?? null,
      why: reasons[row.intentId ?? ""] ?? null,
    });
    yield rows.map((row) => line({ ...row, ...known(row) })).join("");
  }
}

export async function* asJson({ tenant, filter, upTo }: AuditQuery): AsyncGenerator<string> {
  let before = "[\n";
  for await (const rows of batches(tenant, filter, upTo)) {
    yield before + rows.map((row) => JSON.stringify(row)).join(",\n");
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}

export type RecordState = {
  last: number;
  upTo: number | null;
  checkedAt: string | null;
  fault: Fault | null;
  abandoned: Pick<BegunWrite, "intentId" | "seq" | "code">[];
  /** Rows of the last thirty days that could not be processed, newest first. */
  unreadable: { seq: number; intentId: string | null }[];
  signed: { seq: number; at: string } | null;
};

export type Trail = TrailPage & {
  state: RecordState;
  people: { id: string; name: string }[];
  asOf: string;
};

const MAX_INCIDENTS = 100;

function readIncidents(store: Db, tenant: string): Promise<RecordState["unreadable"]> {
  const { seq, intentId, at, code } = auditEvent;
  const isRecent = gt(at, sql`clock_timestamp() - interval '30 days'`);
  return store
    .select({ seq, intentId })
    .from(auditEvent)
    .where(and(eq(auditEvent.tenant, tenant), eq(code, "records.unreadable"), isRecent))
    .orderBy(desc(seq))
    .limit(MAX_INCIDENTS);
}

async function readState(tenant: string): Promise<RecordState> {
  const store = await db();
  const [check, { seq }, signed, unreadable] = await Promise.all([
    readCheck(store, tenant),
    readHead(store, tenant),
    readLastHead(env().auditHeadsDir, tenant),
    readIncidents(store, tenant),
  ]);
  return {
    last: seq,
    upTo: check?.upTo.seq ?? null,
    checkedAt: check?.checkedAt ?? null,
    fault: check?.fault ?? null,
    abandoned: abandoned(check?.open ?? [], Date.now()),
    unreadable,
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

const OVERSIGHT_DAYS = 14;

export type Oversight = {
  state: RecordState;
  days: { day: string; reveals: number; refused: number }[];
};

async function countPerDay(store: Db, tenant: string): Promise<Oversight["days"]> {
  const { at, code, outcome, seq } = auditEvent;
  const isOfTenant = eq(auditEvent.tenant, tenant);
  const [first] = await store.select({ at }).from(auditEvent).where(isOfTenant).orderBy(seq).limit(1);
  const days = lastDays(OVERSIGHT_DAYS).filter((day) => first !== undefined && day >= civilDay(first.at));
  if (days[0] === undefined) return [];
  const isRefusedSignIn = and(eq(code, REFUSED_SIGN_IN.code), eq(outcome, REFUSED_SIGN_IN.outcome));
  const isRecent = sql`${seq} > ${lastBefore(tenant, startOfDay(days[0]))}`;
  const day = dayAmong(days, at);
  const rows = await store
    .select({ day, code, events: count() })
    .from(auditEvent)
    .where(and(isOfTenant, isRecent, or(eq(code, REVEALED.code), isRefusedSignIn)))
    .groupBy(sql`1, 2`);
  const countOf = (wanted: string, of: string) =>
    rows.find((row) => row.day === of && row.code === wanted)?.events ?? 0;
  return days.map((one) => ({
    day: one,
    reveals: countOf(REVEALED.code, one),
    refused: countOf(REFUSED_SIGN_IN.code, one),
  }));
}

export const getOversight = query("audit:read", async ({ tenant }): Promise<Oversight> => {
  const [state, days] = await Promise.all([readState(tenant), countPerDay(await db(), tenant)]);
  return { state, days };
});

const textOf = (filter: AuditFilter) => hrefWith("", { ...filter, before: undefined, after: undefined }).slice(1);

/** Audits the reading, once in five minutes for each filter. */
async function noteReading(actor: Actor, filter: AuditFilter): Promise<void> {
  const store = await db();
  const own = { tenant: actor.tenant, actor: actor.id, code: "audit.read", outcome: "DONE" } as const;
  const detail = { filter: textOf(filter) };
  const isOwn = and(eq(auditEvent.tenant, own.tenant), eq(auditEvent.actor, own.actor), eq(auditEvent.code, own.code));
  const isLate = sql`${auditEvent.at} > clock_timestamp() - interval '5 minutes'`;
  const isSame = sql`${auditEvent.detail}->>'filter' = ${detail.filter}`;
  const recent = await store
    .select({ seq: auditEvent.seq })
    .from(auditEvent)
    .where(and(isOwn, isLate, isSame))
    .orderBy(desc(auditEvent.seq))
    .limit(1);
  if (recent.length === 0) await record(store, { ...own, detail });
}

/** Newest first, fifty a page; audits the reading. */
export const listTrail = query("audit:read", async (actor, given: Partial<AuditFilter> = {}): Promise<Trail> => {
  const filter = AuditFilter.parse(given);
  await noteReading(actor, filter);
  const [page, state, people] = await Promise.all([
    readPage(actor.tenant, filter),
    readState(actor.tenant),
    readPeople(actor.tenant),
  ]);
  return { ...page, state, people, asOf: new Date().toISOString() };
});

const MAX_NEW = 100;

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
      .limit(MAX_NEW);
    return { count: found.length };
  },
);

const MAX_OF_INTENT = 50;

export const listOfIntent = query("audit:read", async (actor, intentId: string): Promise<AuditRow[]> => {
  const filter = AuditFilter.parse({ search: intentId });
  if (filter.search === undefined) return [];
  const store = await db();
  const rows = await store
    .select()
    .from(auditEvent)
    .where(matching(actor.tenant, filter))
    .orderBy(auditEvent.seq)
    .limit(MAX_OF_INTENT);
  return withNames(store, rows);
});

/** Audited before its first byte. `namesOf`: what records are called, of which this area knows people alone. */
export const exportTrail = query(
  "audit:export",
  async (
    actor,
    given: Partial<AuditFilter> = {},
    asked: ExportFormat = "csv",
    namesOf: NamesOf = NO_NAMES,
  ): Promise<Download> => {
    const filter = AuditFilter.parse(given);
    const format = ExportFormat.parse(asked);
    const store = await db();
    const { tenant, id } = actor;
    const { seq: upTo } = await readHead(store, tenant);
    const detail = { format, filter: textOf(filter), upTo };
    await record(store, { tenant, actor: id, code: "audit.export", outcome: "DONE", detail });
    const { before: _, after: __, ...whole } = filter;
    const wanted = { tenant, filter: AuditFilter.parse(whole), upTo };
    const [say, ofReasons, locale] = await Promise.all([
      getTranslations("audit"),
      getTranslations("privacy.reasons"),
      getLocale(),
    ]);
    if (format === "json") {
      const fileName = `${say("file")}-${civilDay(new Date())}.json`;
      return { fileName, contentType: "application/json", parts: asJson(wanted) };
    }
    const parts = asCsv(wanted, { say, ofReasons, locale }, (objects) => namesOf(actor, objects));
    return { fileName: csvName(say("file"), locale), contentType: "text/csv; charset=utf-8", parts };
  },
);

export const auditChoices = { codes: AUDIT_CODES, outcomes: OUTCOMES } as const;
