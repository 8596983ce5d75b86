import { and, arrayContains, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { readSought } from "@/lib/kyc-search";
import { type KycSort, type KycStanding, type KycView, orderOf, sortOf } from "@/lib/kyc-view";
import { kycCase } from "@/lib/store/schema";
import type { KycFilter } from "./rules";

/** Who asks, and from how many hours before its end a case counts as due. */
export type Asker = { tenant: string; id: string; dueSoonHours: number };

// Word for word as in the schema, for an index holds what is asked for in its own words alone.
const OPEN = sql.raw("status not in ('APPROVED', 'REPROVED')");
const DUE = sql.raw("coalesce(due_at, 'infinity')");
/** Of all cases: the deadlines of open ones, then open ones without, then what is decided. */
const CLOCK = sql.raw(
  "(case when status in ('APPROVED', 'REPROVED') then 'infinity' else coalesce(due_at, '9999-12-31 00:00:00+00') end)",
);
const WAITING = sql.raw("coalesce(waiting_since, 'infinity')");
const SHOWN = sql.raw("regexp_replace(vat_number, '[^0-9A-Za-z]', '', 'g')");

const beginsWith = (text: string) => `${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

function isSought(text: string): SQL | undefined {
  const sought = readSought(text);
  if (sought.kind === "mask") return sql`${SHOWN} = ${sought.shown}`;
  const { shown } = sought;
  return or(
    sql`${kycCase.kycUUID} like ${beginsWith(sought.text)}`,
    arrayContains(kycCase.tags, [sought.text.toLowerCase()]),
    shown === null ? undefined : sql`${SHOWN} like ${beginsWith(shown)}`,
  );
}

const soonEnd = (hours: number) => sql`now() + ${hours} * interval '1 hour'`;

function isOfView(view: KycView, { id, dueSoonHours }: Asker): SQL | undefined {
  if (view === "mine") return eq(kycCase.assigneeId, id);
  if (view === "unassigned") return isNull(kycCase.assigneeId);
  return view === "due" ? sql`${OPEN} and ${DUE} <= ${soonEnd(dueSoonHours)}` : undefined;
}

function isStanding(standing: KycStanding): SQL | undefined {
  if (standing === "all") return undefined;
  // To the letter, and no parameter: so the planner knows that what waits is open, and how many those are.
  return standing === "open" ? OPEN : sql.raw(`status = '${standing}'`);
}

function isDue(due: KycFilter["due"], { dueSoonHours }: Asker): SQL | undefined {
  if (due === undefined) return undefined;
  const end = soonEnd(dueSoonHours);
  if (due === "late") return sql`${OPEN} and ${DUE} < now()`;
  return due === "soon" ? sql`${OPEN} and ${DUE} >= now() and ${DUE} <= ${end}` : sql`${OPEN} and ${DUE} > ${end}`;
}

/** Who works on it has a deadline; what is decided, or with the provider, has none. */
const isTimed = (status: KycStanding) => status === "open" || status === "PENDING" || status === "all";

/** Nothing else is due: the planner does not see by itself that both cannot be, and would look for it. */
const isContrary = ({ status, view, due }: KycFilter) =>
  !isTimed(status) && (view === "due" || (due !== undefined && (due !== "later" || status !== "PROCESSING")));

/** The tenant's cases that fit, wherever a page of them begins. */
export function matching(asker: Asker, filter: KycFilter): SQL | undefined {
  const { type, process, assignee, tags, age, sought, ids } = filter;
  if (isContrary(filter)) return sql`false`;
  return and(
    eq(kycCase.tenant, asker.tenant),
    isStanding(filter.status),
    isOfView(filter.view, asker),
    isDue(filter.due, asker),
    type === undefined ? undefined : eq(kycCase.kycType, type),
    process === undefined ? undefined : eq(kycCase.process, process),
    assignee === undefined ? undefined : eq(kycCase.assigneeId, assignee),
    tags === undefined ? undefined : arrayContains(kycCase.tags, tags),
    age === undefined ? undefined : sql`${kycCase.firstSeenAt} <= now() - ${Number(age)} * interval '1 day'`,
    sought === undefined ? undefined : isSought(sought),
    ids === undefined ? undefined : inArray(kycCase.kycUUID, ids),
  );
}

const KEYS: Readonly<Record<Exclude<KycSort, "due">, SQL | null>> = {
  arrival: null,
  changed: sql.raw("changed_at"),
  waiting: WAITING,
};

/** What a list is ordered by before the order of arrival; null: by that alone. */
function keyOf(filter: KycFilter): SQL | null {
  const sort = sortOf(filter);
  if (sort !== "due") return KEYS[sort];
  if (!isTimed(filter.status)) return null;
  const isOpen = filter.status !== "all" || filter.view === "due" || filter.due !== undefined;
  return isOpen ? DUE : CLOCK;
}

const NEVER = "none";

/** The order of a filter's rows, forwards or backwards, and how an edge of a page is named and passed. */
export function ordering(filter: KycFilter, isBackwards = false) {
  const key = keyOf(filter);
  const isDescending = (orderOf(filter) === "desc") !== isBackwards;
  const direction = sql.raw(isDescending ? "desc" : "asc");
  const sign = sql.raw(isDescending ? "<" : ">");
  const micros = sql`(extract(epoch from nullif(${key ?? sql`now()`}, 'infinity')) * 1000000)::bigint::text`;
  return {
    by: key === null ? sql`${kycCase.seq} ${direction}` : sql`${key} ${direction}, ${kycCase.seq} ${direction}`,
    edge:
      key === null
        ? sql<string>`'~' || ${kycCase.seq}`
        : sql<string>`coalesce(${micros}, ${sql.raw(`'${NEVER}'`)}) || '~' || ${kycCase.seq}`,
    beyond: (edge: string): SQL | undefined => {
      const [at = "", seq = ""] = edge.split("~");
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
