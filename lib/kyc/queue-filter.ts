import { and, arrayContains, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "@/lib/permission/grant";
import { startOfDayIn } from "@/lib/db/clock";
import { kycCase, kycCaseRules } from "@/lib/db/tables/kyc";
import type { Db, Tx } from "@/lib/db/connection";
import type { KycFilter } from "./inputs";
import { SHOWN } from "./records";
import { beginsWith, hasSameDocument, hasSameMask } from "./same-document";
import { STANDARD_RULES } from "./standard-rules-view";
import { beginningShown } from "./beginning-shown";
import { type KycSort, type KycStanding, type KycView, orderOf, sortOf } from "./view";

export type Asker = { tenant: string; id: string; dueSoonHours: number | SQL<number> };

export const dueSoonHoursOf = (tenant: string): SQL<number> =>
  sql<number>`coalesce((select (${kycCaseRules.rules} ->> 'dueSoonHours')::float8 from ${kycCaseRules}
    where ${kycCaseRules.tenant} = ${tenant} order by ${kycCaseRules.version} desc limit 1), ${STANDARD_RULES.dueSoonHours}::float8)`;

const SoonRead = z.object({ rows: z.tuple([z.object({ hours: z.coerce.number() })]) });

/** Reads the hours first: PostgreSQL plans the "due soon" page well only with the number. */
export async function askerOf(store: Db | Tx, { tenant, id }: Pick<Actor, "tenant" | "id">): Promise<Asker> {
  const { rows } = SoonRead.parse(await store.execute(sql`select ${dueSoonHoursOf(tenant)} as hours`));
  return { tenant, id, dueSoonHours: rows[0].hours };
}

// Word for word as in the schema, so that the index is used.
export const OPEN = sql.raw("status not in ('APPROVED', 'REPROVED')");
const DUE = sql.raw("coalesce(due_at, 'infinity')");
/** Deadlines of open cases, then open ones without, then decided ones. */
const CLOCK = sql.raw(
  "(case when status in ('APPROVED', 'REPROVED') then 'infinity' else coalesce(due_at, '9999-12-31 00:00:00+00') end)",
);
export const WAITING = sql.raw("coalesce(waiting_since, 'infinity')");

/** As columns without their table, the cases' and the counts'. */
export const PUT_OFF = sql.raw("is_put_off");

const ESCALATED = sql.raw("escalation_id is not null");

export function caseMatches(text: string): SQL | undefined {
  const shown = beginningShown(text);
  return or(
    sql`${kycCase.kycUUID} like ${beginsWith(text)}`,
    arrayContains(kycCase.tags, [text.toLowerCase()]),
    shown === null ? undefined : sql`${SHOWN} like ${beginsWith(shown)}`,
  );
}

const soonEnd = (hours: Asker["dueSoonHours"]) => sql`now() + ${hours} * interval '1 hour'`;

function isOfView(view: KycView, { id, dueSoonHours }: Asker): SQL | undefined {
  if (view === "mine") return eq(kycCase.assigneeId, id);
  if (view === "unassigned") return isNull(kycCase.assigneeId);
  if (view === "escalated") return ESCALATED;
  return view === "due" ? sql`${OPEN} and ${DUE} <= ${soonEnd(dueSoonHours)}` : undefined;
}

/** Its own view and whoever seeks a case show it; every other list leaves it out until its time. */
function isInTurn({ view, search, sameDocumentAs, sameMaskAs, ids }: KycFilter): SQL | undefined {
  if (view === "put-off") return PUT_OFF;
  const isSought = [search, sameDocumentAs, sameMaskAs, ids].some((part) => part !== undefined);
  return isSought ? undefined : sql`not ${PUT_OFF}`;
}

function isStanding(standing: KycStanding): SQL | undefined {
  if (standing === "all") return undefined;
  // A literal, not a parameter: the planner then knows how many rows to expect.
  return standing === "open" ? OPEN : sql.raw(`status = '${standing}'`);
}

function isDue(due: KycFilter["due"], { dueSoonHours }: Asker): SQL | undefined {
  if (due === undefined) return undefined;
  const end = soonEnd(dueSoonHours);
  const tomorrow = startOfDayIn(1);
  const afterTomorrow = startOfDayIn(2);
  const spans = {
    late: sql`${DUE} < now()`,
    soon: sql`${DUE} >= now() and ${DUE} <= ${end}`,
    later: sql`${DUE} > ${end}`,
    today: sql`${DUE} >= now() and ${DUE} < ${tomorrow}`,
    tomorrow: sql`${DUE} >= ${tomorrow} and ${DUE} < ${afterTomorrow}`,
    "after-tomorrow": sql`${DUE} >= ${afterTomorrow} and ${DUE} < 'infinity'`,
  } as const satisfies Record<NonNullable<KycFilter["due"]>, SQL>;
  return sql`${OPEN} and ${spans[due]}`;
}

/** Only cases that wait for our people have a deadline. */
const isTimed = (status: KycStanding) => status === "open" || status === "PENDING" || status === "all";

/** The planner does not see by itself that these exclude each other. */
const matchesNothing = ({ status, view, due }: KycFilter) =>
  !isTimed(status) && (view === "due" || (due !== undefined && (due !== "later" || status !== "PROCESSING")));

export function matching(asker: Asker, filter: KycFilter): SQL | undefined {
  const { type, process, assignee, tags, age, search, sameDocumentAs, sameMaskAs, ids } = filter;
  if (matchesNothing(filter)) return sql`false`;
  return and(
    eq(kycCase.tenant, asker.tenant),
    isStanding(filter.status),
    isOfView(filter.view, asker),
    isInTurn(filter),
    isDue(filter.due, asker),
    type === undefined ? undefined : eq(kycCase.kycType, type),
    process === undefined ? undefined : eq(kycCase.process, process),
    assignee === undefined ? undefined : eq(kycCase.assigneeId, assignee),
    tags === undefined ? undefined : arrayContains(kycCase.tags, tags),
    age === undefined ? undefined : sql`${kycCase.firstSeenAt} <= now() - ${Number(age)} * interval '1 day'`,
    search === undefined ? undefined : caseMatches(search),
    sameDocumentAs === undefined ? undefined : hasSameDocument(asker.tenant, sameDocumentAs),
    sameMaskAs === undefined ? undefined : hasSameMask(asker.tenant, sameMaskAs),
    ids === undefined ? undefined : inArray(kycCase.kycUUID, ids),
  );
}

const KEYS: Readonly<Record<Exclude<KycSort, "due">, SQL | null>> = {
  arrival: null,
  changed: sql.raw("changed_at"),
  waiting: WAITING,
};

function keyOf(filter: KycFilter): SQL | null {
  const sort = sortOf(filter);
  if (sort !== "due") return KEYS[sort];
  if (!isTimed(filter.status)) return null;
  const isOpen = filter.status !== "all" || filter.view === "due" || filter.due !== undefined;
  return isOpen ? DUE : CLOCK;
}

const NEVER = "none";

export function ordering(filter: KycFilter, isBackwards = false) {
  const key = keyOf(filter);
  const isDescending = (orderOf(filter) === "desc") !== isBackwards;
  const direction = sql.raw(isDescending ? "desc" : "asc");
  const sign = sql.raw(isDescending ? "<" : ">");
  const micros = sql`(extract(epoch from nullif(${key ?? sql`now()`}, 'infinity')) * 1000000)::bigint::text`;
  return {
    orderBy: key === null ? sql`${kycCase.seq} ${direction}` : sql`${key} ${direction}, ${kycCase.seq} ${direction}`,
    cursor:
      key === null
        ? sql<string>`'~' || ${kycCase.seq}`
        : sql<string>`coalesce(${micros}, ${sql.raw(`'${NEVER}'`)}) || '~' || ${kycCase.seq}`,
    afterCursor: (cursor: string): SQL | undefined => {
      const [at = "", seq = ""] = cursor.split("~");
      if (key === null) return sql`${kycCase.seq} ${sign} ${Number(seq)}`;
      if (at === "") return undefined;
      const instant =
        at === NEVER
          ? sql`'infinity'::timestamptz`
          : sql`'epoch'::timestamptz + ${at}::bigint * interval '1 microsecond'`;
      return sql`(${key}, ${kycCase.seq}) ${sign} (${instant}, ${Number(seq)})`;
    },
  };
}
