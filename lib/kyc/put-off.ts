import { and, asc, desc, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import { z } from "zod";
import { type AuditEntry, recordAll } from "@/lib/audit/record";
import { Required } from "@/lib/contract/shared";
import { db, type Db, type Tx } from "@/lib/db/connection";
import type { PutOffEnding } from "@/lib/db/enums/kyc";
import { publish, publishAll } from "@/lib/db/publish";
import { kycCase, kycPutOff } from "@/lib/db/tables/kyc";
import { AppError, refuse } from "@/lib/errors/app-error";
import { NOTE_LIMIT } from "@/lib/notes/view";
import { writeNote } from "@/lib/notes/note";
import type { Actor } from "@/lib/permission/grant";
import { caseHeld } from "./assign";
import { instantOf, UpcomingMinute } from "./away";
import { caseCan } from "./can";
import { noteCaseEvents } from "./events";
import { type CaseKey, holdCase, requireOwnCase, whereCase } from "./holder";
import { caseTarget } from "./notes";

/** `putOffId`: one press of the button, and the id of the note with the reason. `seen`: what was in force on the screen. */
export const PuttingOff = z.object({
  kycUUID: Required,
  putOffId: z.uuid(),
  until: UpcomingMinute,
  reason: Required.max(NOTE_LIMIT),
  seen: z.uuid().nullable(),
});
export type PuttingOff = z.output<typeof PuttingOff>;

export const BringingBack = z.object({ kycUUID: Required, putOffId: z.uuid() });
export type BringingBack = z.output<typeof BringingBack>;

type PutOffRow = typeof kycPutOff.$inferSelect;

const ofCase = ({ tenant, kycUUID }: CaseKey) => and(eq(kycPutOff.tenant, tenant), eq(kycPutOff.kycUUID, kycUUID));

async function readInForce(tx: Tx, key: CaseKey): Promise<PutOffRow | undefined> {
  const [row] = await tx
    .select()
    .from(kycPutOff)
    .where(and(ofCase(key), isNull(kycPutOff.endedAt)))
    .orderBy(desc(kycPutOff.createdAt))
    .limit(1);
  return row;
}

async function isKnown(tx: Tx, key: CaseKey, id: string): Promise<boolean> {
  return (await tx.$count(kycPutOff, and(ofCase(key), eq(kycPutOff.id, id)))) > 0;
}

type End = { tenant: string; kycUUIDs: readonly string[]; ending: PutOffEnding; by: string };

const isPerson = (by: string) => !by.startsWith("watch:");

/** Brings back those of the cases that are put off; the caller holds their rows, and records what is returned last. */
export async function endPutOffs(tx: Db | Tx, { tenant, kycUUIDs, ending, by }: End): Promise<AuditEntry[]> {
  if (kycUUIDs.length === 0) return [];
  const ended = await tx
    .update(kycPutOff)
    .set({ endedAt: sql`clock_timestamp()`, ending })
    .where(and(eq(kycPutOff.tenant, tenant), inArray(kycPutOff.kycUUID, [...kycUUIDs]), isNull(kycPutOff.endedAt)))
    .returning({ kycUUID: kycPutOff.kycUUID });
  const objects = ended.map(({ kycUUID }) => kycUUID);
  if (objects.length === 0) return [];
  await tx
    .update(kycCase)
    .set({ putOffUntil: null })
    .where(and(eq(kycCase.tenant, tenant), inArray(kycCase.kycUUID, objects)));
  const event = { tenant, kind: "put-off-ended", actor: isPerson(by) ? by : null, detail: { ending } } as const;
  await noteCaseEvents(
    tx,
    objects.map((kycUUID) => ({ ...event, kycUUID })),
  );
  await publishAll(tx, { tenant, topic: "kyc", objects });
  const what = {
    tenant,
    actor: by,
    code: "kyc.put-off-end",
    outcome: "DONE",
    detail: { putOffEnding: ending },
  } as const;
  return objects.map((kycUUID) => ({ ...what, object: `kyc:${kycUUID}` }));
}

/**
 * Takes a case out of the queue until a minute in São Paulo, with a reason kept as the case's note. The same press again
 * changes nothing. Throws conflict `case-not-yours`, `case-closed`, and `put-off-changed` when another one is in force than was seen.
 */
export async function putOff(actor: Actor<"kyc:assign">, order: PuttingOff): Promise<{ until: string }> {
  const { tenant, id: by } = actor;
  const { kycUUID, putOffId: id, reason, seen } = order;
  const key = { tenant, kycUUID };
  return (await db()).transaction(async (tx) => {
    await requireOwnCase(tx, key, by);
    const [row] = await tx.select().from(kycCase).where(whereCase(key));
    const current = await readInForce(tx, key);
    if (row === undefined) throw new AppError("not-found", { code: "kyc-case" });
    if (current?.id === id) return { until: current.until.toISOString() };
    refuse(caseCan.putOff({ status: row.status, escalation: { isOpen: row.escalationId !== null } }));
    const changed = new AppError("conflict", { code: "put-off-changed" });
    if ((current?.id ?? null) !== seen || (await isKnown(tx, key, id))) throw changed;
    const ended = await endPutOffs(tx, { tenant, kycUUIDs: [kycUUID], ending: "again", by });
    const noted = await writeNote(tx, actor, caseTarget(tenant, kycUUID), { noteId: id, text: reason });
    if (noted === null) throw changed;
    const [stored] = await tx
      .insert(kycPutOff)
      .values({ tenant, id, kycUUID, staffId: by, until: instantOf(order.until) })
      .returning({ until: kycPutOff.until });
    const until = (stored?.until ?? new Date()).toISOString();
    await tx
      .update(kycCase)
      .set({ putOffUntil: new Date(until) })
      .where(whereCase(key));
    await noteCaseEvents(tx, [{ tenant, kycUUID, kind: "put-off", actor: by, detail: { until } }]);
    await publish(tx, { tenant, topic: "kyc", object: kycUUID });
    const what = { tenant, actor: by, outcome: "DONE", object: `kyc:${kycUUID}` } as const;
    await recordAll(tx, [...ended, noted, { ...what, code: "kyc.put-off", detail: { putOffUntil: until } }]);
    return { until };
  });
}

/** Back in the queue at once. Throws conflict `case-held` for a colleague's case, and `put-off-changed`. */
export async function bringBack(actor: Actor<"kyc:assign">, { kycUUID, putOffId }: BringingBack): Promise<null> {
  const { tenant, id: by } = actor;
  const key = { tenant, kycUUID };
  return (await db()).transaction(async (tx) => {
    const holder = await holdCase(tx, key);
    if (holder !== null && holder.id !== by) throw caseHeld(holder);
    const current = await readInForce(tx, key);
    if (current?.id === putOffId)
      await recordAll(tx, await endPutOffs(tx, { tenant, kycUUIDs: [kycUUID], ending: "back", by }));
    else if (current !== undefined || !(await isKnown(tx, key, putOffId)))
      throw new AppError("conflict", { code: "put-off-changed" });
    return null;
  });
}

const MAX_AT_ONCE = 200;

/** Brings back whatever is due by the store's clock, two hundred cases a transaction. */
export async function bringBackDue(store: Db, { tenant, id: by }: { tenant: string; id: string }): Promise<void> {
  for (;;) {
    const due = await store.transaction(async (tx) => {
      const rows = await tx
        .select({ kycUUID: kycCase.kycUUID })
        .from(kycCase)
        .where(and(eq(kycCase.tenant, tenant), lte(kycCase.putOffUntil, sql`clock_timestamp()`)))
        .orderBy(asc(kycCase.seq))
        .limit(MAX_AT_ONCE)
        .for("update");
      const kycUUIDs = rows.map(({ kycUUID }) => kycUUID);
      await recordAll(tx, await endPutOffs(tx, { tenant, kycUUIDs, ending: "time", by }));
      return kycUUIDs.length;
    });
    if (due < MAX_AT_ONCE) return;
  }
}
