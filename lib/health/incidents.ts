import { and, desc, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import { storeTimeBefore } from "@/lib/db/clock";
import type { Db, Tx } from "@/lib/db/connection";
import { INCIDENT_DAYS, type IncidentKind } from "@/lib/db/enums/health";
import { publish } from "@/lib/db/publish";
import { healthIncident } from "@/lib/db/tables/health";
import { mailNotice } from "@/lib/db/tables/mail";
import { queueMail } from "@/lib/mail/outbox";
import { watchId } from "@/lib/permission/watches";
import type { AnswerChanges } from "@/lib/conformance/records";
import { BOUNDS, JUDGED_KINDS } from "./verdict";
import type { Fault, IncidentRow } from "./view";

/** `subject`: which of several, a watch's name say; at most one is open for each. */
type IncidentKey = { tenant: string; kind: IncidentKind; subject?: string };

/** The tenant's active administrators, each in their own language: they alone can do something about it. */
const toAdministrators = { permission: "settings:manage", except: watchId("health") } as const;

const isOf = ({ tenant, kind, subject = "" }: IncidentKey) =>
  and(eq(healthIncident.tenant, tenant), eq(healthIncident.kind, kind), eq(healthIncident.subject, subject));

const isOpen = isNull(healthIncident.endedAt);

/**
 * Opens an incident and queues its mail, unless it is open already; call it in the transaction of what was found. True when
 * this call opened it. A kind of its own needs a line in `INCIDENT_KINDS` and its name under `health.kinds`.
 */
export async function openIncident(tx: Tx, key: IncidentKey & { since?: string }): Promise<boolean> {
  const { tenant, kind, subject = "", since } = key;
  const openedAt = since === undefined ? sql`clock_timestamp()` : new Date(since);
  const [opened] = await tx
    .insert(healthIncident)
    .values({ tenant, kind, subject, openedAt })
    .onConflictDoNothing()
    .returning({ id: healthIncident.id });
  if (opened === undefined) {
    await tx
      .update(healthIncident)
      .set({ wellSince: null })
      .where(and(isOf(key), isOpen, isNotNull(healthIncident.wellSince)));
    return false;
  }
  await queueMail(tx, { tenant, subject: "incident", object: opened.id, to: toAdministrators });
  await publish(tx, { tenant, topic: "health" });
  return true;
}

/** Ends the open incident and queues the mail that all is well again. True when this call ended it. */
export async function endIncident(tx: Tx, key: IncidentKey): Promise<boolean> {
  const [ended] = await tx
    .update(healthIncident)
    .set({ endedAt: sql`coalesce(${healthIncident.wellSince}, clock_timestamp())` })
    .where(and(isOf(key), isOpen))
    .returning({ id: healthIncident.id });
  if (ended === undefined) return false;
  await queueMail(tx, { tenant: key.tenant, subject: "recovered", object: ended.id, to: toAdministrators });
  await publish(tx, { tenant: key.tenant, topic: "health" });
  return true;
}

export async function openKinds(store: Db | Tx, tenant: string): Promise<ReadonlySet<IncidentKind>> {
  const rows = await store
    .selectDistinct({ kind: healthIncident.kind })
    .from(healthIncident)
    .where(and(eq(healthIncident.tenant, tenant), isOpen));
  return new Set(rows.map(({ kind }) => kind));
}

/** One for each operation whose answers differ from the contract since a day, until they do no more. */
export async function settleChanges(tx: Tx, tenant: string, { begun, ended }: AnswerChanges): Promise<void> {
  const kind = "answers-changed";
  for (const subject of begun) await openIncident(tx, { tenant, kind, subject });
  const open = await tx
    .select({ subject: healthIncident.subject })
    .from(healthIncident)
    .where(and(eq(healthIncident.tenant, tenant), eq(healthIncident.kind, kind), isOpen));
  for (const { subject } of open) if (ended(subject)) await endIncident(tx, { tenant, kind, subject });
}

/** Opens what fails, and ends what has been well for `BOUNDS.calmMs`; of the health watch's own kinds alone. */
export async function settleIncidents(tx: Tx, tenant: string, faults: readonly Fault[]): Promise<void> {
  for (const fault of faults) await openIncident(tx, { tenant, ...fault });
  const { kind, subject, wellSince } = healthIncident;
  const isCalm = sql<boolean>`coalesce(${wellSince} <= ${storeTimeBefore(BOUNDS.calmMs)}, false)`;
  const open = await tx
    .select({ kind, subject, isCalm, isWell: sql<boolean>`${wellSince} is not null` })
    .from(healthIncident)
    .where(and(eq(healthIncident.tenant, tenant), isOpen));
  const over = open.filter(
    (one) =>
      JUDGED_KINDS.includes(one.kind) &&
      !faults.some((fault) => fault.kind === one.kind && fault.subject === one.subject),
  );
  for (const { isCalm: isOver, isWell, ...key } of over) {
    if (isOver) await endIncident(tx, { tenant, ...key });
    else if (!isWell)
      await tx
        .update(healthIncident)
        .set({ wellSince: sql`clock_timestamp()` })
        .where(and(isOf({ tenant, ...key }), isOpen));
  }
}

const MAX_ROWS = 200;

const sentAs = (subject: "incident" | "recovered") =>
  sql<number>`count(*) filter (where ${mailNotice.subject} = ${subject} and ${mailNotice.end} = 'sent')`.mapWith(
    Number,
  );

/** Open ones, and those that ended within `INCIDENT_DAYS`; the newest first, 200 at most. */
export async function listIncidents(store: Db, tenant: string): Promise<IncidentRow[]> {
  const { id, kind, subject, openedAt, endedAt, wellSince } = healthIncident;
  const rows = await store
    .select({
      id,
      kind,
      subject,
      openedAt,
      endedAt,
      wellSince,
      mailed: sentAs("incident"),
      mailedEnd: sentAs("recovered"),
      waiting:
        sql<number>`count(*) filter (where ${mailNotice.staffId} is not null and ${mailNotice.endedAt} is null)`.mapWith(
          Number,
        ),
    })
    .from(healthIncident)
    .leftJoin(mailNotice, and(eq(mailNotice.tenant, tenant), eq(mailNotice.object, sql`${id}::text`)))
    .where(
      and(
        eq(healthIncident.tenant, tenant),
        sql`(${isOpen} or ${gt(endedAt, sql`statement_timestamp() - ${INCIDENT_DAYS} * interval '1 day'`)})`,
      ),
    )
    .groupBy(id)
    .orderBy(desc(openedAt), desc(id))
    .limit(MAX_ROWS);
  return rows.map((row) => ({
    ...row,
    openedAt: row.openedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    wellSince: row.wellSince?.toISOString() ?? null,
  }));
}
