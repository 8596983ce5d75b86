import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { isUnderApproval } from "@/lib/approvals/records";
import { type AuditEntry, record, recordAll } from "@/lib/audit/record";
import { Required } from "@/lib/contract/shared";
import { db, type Db, type Tx } from "@/lib/db/connection";
import type { EscalationEnding } from "@/lib/db/enums/kyc";
import { publish } from "@/lib/db/publish";
import { kycCase, kycEscalation } from "@/lib/db/tables/kyc";
import { staff } from "@/lib/db/tables/staff";
import { AppError, refuse } from "@/lib/errors/app-error";
import { writeNote } from "@/lib/notes/note";
import { NOTE_LIMIT } from "@/lib/notes/view";
import type { Actor } from "@/lib/permission/grant";
import { caseHeld } from "./assign";
import { caseCan } from "./can";
import { noteCaseEvents } from "./events";
import { type CaseKey, holdCase, requireOwnCase, whereCase } from "./holder";
import { caseTarget } from "./notes";
import { endPutOffs } from "./put-off";

const Note = Required.max(NOTE_LIMIT);
const one = { kycUUID: Required, escalationId: z.uuid() };

/** `escalationId`: one press of the button, and the id of the note that asks. */
export const Escalating = z.object({ ...one, text: Note });
export type Escalating = z.output<typeof Escalating>;

/** `takeFrom`: the colleague of the second level whom the person agreed to take it from. */
export const TakingEscalation = z.object({ ...one, takeFrom: z.uuid().nullable() });
export type TakingEscalation = z.output<typeof TakingEscalation>;

/** `answerId`: the note that answers. */
export const AnsweringEscalation = z.object({ ...one, answerId: z.uuid(), text: Note });
export type AnsweringEscalation = z.output<typeof AnsweringEscalation>;

export const WithdrawingEscalation = z.object(one);
export type WithdrawingEscalation = z.output<typeof WithdrawingEscalation>;

type SecondLevel = Actor<"approvals:authorize">;

const changed = () => new AppError("conflict", { code: "escalation-changed" });

const ofCase = ({ tenant, kycUUID }: CaseKey) =>
  and(eq(kycEscalation.tenant, tenant), eq(kycEscalation.kycUUID, kycUUID));

/** The last one of a case, whose row the caller holds. */
async function readLast(tx: Tx, key: CaseKey) {
  const [found] = await tx
    .select({ row: kycEscalation, takerName: staff.name })
    .from(kycEscalation)
    .leftJoin(staff, eq(staff.id, kycEscalation.takenBy))
    .where(ofCase(key))
    .orderBy(desc(kycEscalation.createdAt))
    .limit(1);
  return found === undefined ? null : { ...found.row, takerName: found.takerName ?? "" };
}

type Happening = CaseKey & { by: string };

async function tellCase(
  tx: Tx,
  { by, ...key }: Happening,
  kind: "escalated" | "escalation-taken" | "escalation-answered" | "escalation-ended",
): Promise<void> {
  const detail = kind === "escalation-ended" ? { ending: "withdrawn" } : {};
  await noteCaseEvents(tx, [{ ...key, kind, actor: by, detail }]);
  await publish(tx, { tenant: key.tenant, topic: "kyc", object: key.kycUUID });
}

const entryOf = ({ tenant, kycUUID, by }: Happening, code: AuditEntry["code"], detail = {}): AuditEntry => ({
  tenant,
  actor: by,
  code,
  outcome: "DONE",
  object: `kyc:${kycUUID}`,
  detail,
});

/**
 * Hands an open case to the second level, and brings it back if it was put off; who has it keeps it. The same press again changes
 * nothing. Throws conflict `case-not-yours`, `case-closed`, `case-escalated` and `approval-open`.
 */
export async function escalate(
  actor: Actor<"kyc:assign">,
  { kycUUID, escalationId: id, text }: Escalating,
): Promise<null> {
  const { tenant, id: by } = actor;
  const key = { tenant, kycUUID };
  return (await db()).transaction(async (tx) => {
    await requireOwnCase(tx, key, by);
    const [row] = await tx.select().from(kycCase).where(whereCase(key));
    if (row === undefined) throw new AppError("not-found", { code: "kyc-case" });
    if ((await tx.$count(kycEscalation, and(ofCase(key), eq(kycEscalation.id, id)))) > 0) return null;
    const pendingApproval = (await isUnderApproval(tx, tenant, `kyc:${kycUUID}`)) || null;
    refuse(caseCan.escalate({ ...row, escalation: { isOpen: row.escalationId !== null }, pendingApproval }));
    const ended = await endPutOffs(tx, { tenant, kycUUIDs: [kycUUID], ending: "back", by });
    const noted = await writeNote(tx, actor, caseTarget(tenant, kycUUID), { noteId: id, text });
    if (noted === null) throw changed();
    await tx.insert(kycEscalation).values({ tenant, id, kycUUID, staffId: by });
    await tx.update(kycCase).set({ escalationId: id }).where(whereCase(key));
    await tellCase(tx, { ...key, by }, "escalated");
    await recordAll(tx, [...ended, noted, entryOf({ ...key, by }, "kyc.escalate")]);
    return null;
  });
}

/** Throws conflict `escalation-taken` for a colleague's unless it is taken from them, `escalation-changed`, and forbidden `escalation-own`. */
export async function takeEscalation(
  actor: SecondLevel,
  { kycUUID, escalationId, takeFrom }: TakingEscalation,
): Promise<null> {
  const { tenant, id: by } = actor;
  const key = { tenant, kycUUID };
  return (await db()).transaction(async (tx) => {
    await holdCase(tx, key);
    const last = await readLast(tx, key);
    if (last?.id !== escalationId || last.endedAt !== null) throw changed();
    refuse(caseCan.takeEscalation({ isMine: last.staffId === by }));
    const { takenBy, takenAt, takerName } = last;
    if (takenBy === by) return null;
    if (takenBy !== null && takenBy !== takeFrom) {
      const holder = { id: takenBy, name: takerName, since: (takenAt ?? last.createdAt).toISOString() };
      throw new AppError("conflict", { code: "escalation-taken", holder });
    }
    await tx
      .update(kycEscalation)
      .set({ takenBy: by, takenAt: sql`clock_timestamp()` })
      .where(and(eq(kycEscalation.tenant, tenant), eq(kycEscalation.id, escalationId)));
    await tellCase(tx, { ...key, by }, "escalation-taken");
    const former = takenBy === null ? {} : { formerHolder: takenBy };
    await record(tx, entryOf({ ...key, by }, "kyc.escalation-take", former));
    return null;
  });
}

/** Hands the case back with a note. Throws conflict `escalation-not-yours` and `escalation-changed`. */
export async function answerEscalation(
  actor: SecondLevel,
  { kycUUID, escalationId, answerId, text }: AnsweringEscalation,
): Promise<null> {
  const { tenant, id: by } = actor;
  const key = { tenant, kycUUID };
  return (await db()).transaction(async (tx) => {
    await holdCase(tx, key);
    const last = await readLast(tx, key);
    if (last?.id === escalationId && last.answerId === answerId && last.takenBy === by) return null;
    if (last?.id !== escalationId || last.endedAt !== null) throw changed();
    if (last.takenBy !== by) throw new AppError("conflict", { code: "escalation-not-yours" });
    const noted = await writeNote(tx, actor, caseTarget(tenant, kycUUID), { noteId: answerId, text });
    if (noted === null) throw changed();
    await end(tx, { tenant, ids: [escalationId], ending: "answered", answerId });
    await tellCase(tx, { ...key, by }, "escalation-answered");
    await recordAll(tx, [noted, entryOf({ ...key, by }, "kyc.escalation-answer")]);
    return null;
  });
}

/** Taken back by whoever has the case, until the second level took it. Throws conflict `case-held`, `escalation-taken` and `escalation-changed`. */
export async function withdrawEscalation(
  actor: Actor<"kyc:assign">,
  { kycUUID, escalationId }: WithdrawingEscalation,
): Promise<null> {
  const { tenant, id: by } = actor;
  const key = { tenant, kycUUID };
  return (await db()).transaction(async (tx) => {
    const holder = await holdCase(tx, key);
    if (holder !== null && holder.id !== by) throw caseHeld(holder);
    const last = await readLast(tx, key);
    if (last?.id === escalationId && last.ending === "withdrawn") return null;
    if (last?.id !== escalationId || last.endedAt !== null) throw changed();
    if (last.takenBy !== null) {
      const taker = { id: last.takenBy, name: last.takerName, since: (last.takenAt ?? last.createdAt).toISOString() };
      throw new AppError("conflict", { code: "escalation-taken", holder: taker });
    }
    await end(tx, { tenant, ids: [escalationId], ending: "withdrawn", answerId: null });
    await tellCase(tx, { ...key, by }, "escalation-ended");
    await record(tx, entryOf({ ...key, by }, "kyc.escalation-end", { escalationEnding: "withdrawn" }));
    return null;
  });
}

type End = { tenant: string; ids: readonly string[]; ending: EscalationEnding; answerId: string | null };

async function end(tx: Db | Tx, { tenant, ids, ending, answerId }: End): Promise<string[]> {
  if (ids.length === 0) return [];
  const ended = await tx
    .update(kycEscalation)
    .set({ endedAt: sql`clock_timestamp()`, ending, answerId })
    .where(and(eq(kycEscalation.tenant, tenant), inArray(kycEscalation.id, [...ids]), isNull(kycEscalation.endedAt)))
    .returning({ kycUUID: kycEscalation.kycUUID });
  const objects = ended.map(({ kycUUID }) => kycUUID);
  await tx
    .update(kycCase)
    .set({ escalationId: null })
    .where(and(eq(kycCase.tenant, tenant), inArray(kycCase.kycUUID, objects)));
  return objects;
}

/** Of cases that were decided meanwhile; the caller holds their rows, tells their screens, and records what is returned last. */
export async function endEscalations(
  tx: Db | Tx,
  { tenant, ids, by }: { tenant: string; ids: readonly string[]; by: string },
): Promise<AuditEntry[]> {
  const objects = await end(tx, { tenant, ids, ending: "decided", answerId: null });
  const event = { tenant, kind: "escalation-ended", actor: null, detail: { ending: "decided" } } as const;
  await noteCaseEvents(
    tx,
    objects.map((kycUUID) => ({ ...event, kycUUID })),
  );
  return objects.map((kycUUID) =>
    entryOf({ tenant, kycUUID, by }, "kyc.escalation-end", { escalationEnding: "decided" }),
  );
}
