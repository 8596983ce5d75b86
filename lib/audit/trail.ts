import { and, asc, desc, eq, gt, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import { auditEvent, staff } from "@/lib/store/schema";
import { type Db, db } from "@/lib/store/store";
import { CSV_START, csvLine } from "@/lib/text/csv";
import { isUuid } from "@/lib/text/hash";
import { namingHidden } from "@/lib/text/safe-link";
import { providerText } from "@/lib/text/typed";
import type { AuditFilter } from "./rules";
import { AUDIT_OBJECTS, type AuditRow, PERSON_FACTS } from "./view";

type Kept = typeof auditEvent.$inferSelect;

const minute = (text: string) => sql`${text}::timestamp at time zone 'America/Sao_Paulo'`;

/** Numbers and times go together, so a stretch of time is one of numbers. */
function lastBefore(tenant: string, time: SQL): SQL {
  return sql`coalesce((select ${auditEvent.seq} from ${auditEvent} where ${auditEvent.tenant} = ${tenant}
    and ${auditEvent.at} < ${time} order by ${auditEvent.at} desc, ${auditEvent.seq} desc limit 1), 0)`;
}

function isSought(text: string): SQL | undefined {
  const objects = [text, ...AUDIT_OBJECTS.map((kind) => `${kind}:${text}`)];
  const byObject = inArray(auditEvent.object, objects);
  return isUuid(text) ? or(eq(auditEvent.intentId, text), byObject) : byObject;
}

export function matching(tenant: string, filter: AuditFilter): SQL | undefined {
  const { code, outcome, actor, sought, from, to } = filter;
  return and(
    eq(auditEvent.tenant, tenant),
    code === undefined ? undefined : eq(auditEvent.code, code),
    outcome === undefined ? undefined : eq(auditEvent.outcome, outcome),
    actor === undefined ? undefined : eq(auditEvent.actor, actor),
    sought === undefined ? undefined : isSought(sought),
    from === undefined ? undefined : sql`${auditEvent.seq} > ${lastBefore(tenant, minute(from))}`,
    to === undefined
      ? undefined
      : sql`${auditEvent.seq} <= ${lastBefore(tenant, sql`${minute(to)} + interval '1 minute'`)}`,
  );
}

const STAFF = "staff:";
const personOf = (object: string | null) => (object?.startsWith(STAFF) ? object.slice(STAFF.length) : "");

const peopleIn = (detail: Kept["detail"]) => PERSON_FACTS.map((name) => String(detail[name] ?? ""));

export async function withNames(store: Db, rows: readonly Kept[]): Promise<AuditRow[]> {
  const told = rows.flatMap(({ actor, object, detail }) => [actor, personOf(object), ...peopleIn(detail)]);
  const ids = [...new Set(told)].filter(isUuid);
  const { id, name } = staff;
  const people = ids.length === 0 ? [] : await store.select({ id, name }).from(staff).where(inArray(id, ids));
  const names = new Map(people.map((person) => [person.id, person.name]));
  return rows.map((kept) => {
    const { tenant: _, ...row } = kept;
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

const PAGE_ROWS = 50;

export type TrailPage = { rows: AuditRow[]; older: number | null; newer: number | null };

/** Keyset paging: the last page costs what the first one does. */
export async function readPage(tenant: string, filter: AuditFilter): Promise<TrailPage> {
  const { before, after } = filter;
  const isUpwards = after !== undefined;
  const edge = isUpwards ? gt(auditEvent.seq, after) : before === undefined ? undefined : lt(auditEvent.seq, before);
  const store = await db();
  const found = await store
    .select()
    .from(auditEvent)
    .where(and(matching(tenant, filter), edge))
    .orderBy((isUpwards ? asc : desc)(auditEvent.seq))
    .limit(PAGE_ROWS + 1);
  const hasMore = found.length > PAGE_ROWS;
  // Less than a page is left above: show the newest page whole.
  if (isUpwards && !hasMore) return readPage(tenant, { ...filter, after: undefined, before: undefined });
  const page = found.slice(0, PAGE_ROWS);
  const rows = await withNames(store, isUpwards ? page.toReversed() : page);
  const older = isUpwards || hasMore ? (rows.at(-1)?.seq ?? null) : null;
  const newer = isUpwards || before !== undefined ? (rows[0]?.seq ?? null) : null;
  return { rows, older, newer };
}

const BATCH_ROWS = 2_000;

/** Newest first, up to the last row at the time of asking. */
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

type Wanted = { tenant: string; filter: AuditFilter; upTo: number };

/** For reading: only the JSON file is the record word for word. */
const readable = (detail: AuditRow["detail"]): string =>
  JSON.stringify(detail, (_, value: unknown) => (typeof value === "string" ? providerText(value) : value));

const COLUMNS = ["seq", "at", "code", "event", "outcome", "actor", "person", "object", "intent", "detail", "hash"];

export async function* asCsv(
  { tenant, filter, upTo }: Wanted,
  nameOf: (code: string) => string,
): AsyncGenerator<string> {
  yield `${CSV_START}${csvLine(COLUMNS)}`;
  for await (const rows of batches(tenant, filter, upTo)) {
    const lines = rows.map(({ seq, at, code, outcome, actor, byName, object, intentId, detail, hash }) => {
      const about = object === null ? null : namingHidden(object);
      return csvLine([seq, at, code, nameOf(code), outcome, actor, byName, about, intentId, readable(detail), hash]);
    });
    yield lines.join("");
  }
}

export async function* asJson({ tenant, filter, upTo }: Wanted): AsyncGenerator<string> {
  let before = "[\n";
  for await (const rows of batches(tenant, filter, upTo)) {
    yield before + rows.map((row) => JSON.stringify(row)).join(",\n");
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}
