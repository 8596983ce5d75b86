import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { BankError } from "@/lib/errors/app-error";
import { type Note, RETRACTABLE_MINUTES } from "./view";
import type { CaseworkObject } from "@/lib/db/enums/notes";
import { maskWithin } from "@/lib/contract/document";
import { storeTimeBefore } from "@/lib/db/clock";
import { staff } from "@/lib/db/tables/staff";
import { seal, shownSealed } from "@/lib/db/seal";
import { type Db, db } from "@/lib/db/connection";
import type { CaseworkTarget } from "./target";
import { caseworkNote } from "@/lib/db/tables/notes";

const RETRACTABLE_MS = RETRACTABLE_MINUTES * 60_000;

const sealedAt = (tenant: string, id: string) => ({ column: "casework_note.text_sealed", row: [tenant, id] }) as const;

/** Idempotent. Throws not-found. */
export async function addNote(
  actor: Actor,
  target: CaseworkTarget,
  note: { noteId: string; text: string },
): Promise<null> {
  const { tenant, id: staffId } = actor;
  const { noteId: id, text } = note;
  const { object } = target;
  return (await db()).transaction(async (tx) => {
    if (!(await target.isThere(tx))) throw new BankError("not-found", { code: "casework" });
    const written = { tenant, id, object, staffId, textSealed: seal(text, sealedAt(tenant, id)) };
    const [stored] = await tx.insert(caseworkNote).values(written).onConflictDoNothing().returning();
    if (stored === undefined) return null;
    await target.notify(tx, { kind: "noted", by: staffId, noteId: id });
    await record(tx, {
      tenant,
      actor: staffId,
      code: "casework.note",
      outcome: "DONE",
      object,
      detail: { noteId: id },
    });
    return null;
  });
}

/** Its text goes, the row stays. Idempotent. Throws not-found, forbidden `note-not-yours` and conflict `note-too-old`. */
export async function retractNote(actor: Actor, target: CaseworkTarget, id: string): Promise<null> {
  const { tenant, id: staffId } = actor;
  const { object } = target;
  const isIt = and(eq(caseworkNote.tenant, tenant), eq(caseworkNote.id, id), eq(caseworkNote.object, object));
  const isOpen = and(isNull(caseworkNote.retractedAt), gt(caseworkNote.createdAt, storeTimeBefore(RETRACTABLE_MS)));
  return (await db()).transaction(async (tx) => {
    const [stored] = await tx.select().from(caseworkNote).where(isIt).for("update");
    if (stored === undefined) throw new BankError("not-found", { code: "casework" });
    if (stored.staffId !== staffId) throw new BankError("forbidden", { code: "note-not-yours" });
    if (stored.retractedAt !== null) return null;
    if (await target.isHeld(tx)) throw new BankError("conflict", { code: "casework-held" });
    const taken = await tx
      .update(caseworkNote)
      .set({ textSealed: null, retractedAt: sql`clock_timestamp()` })
      .where(and(isIt, isOpen))
      .returning({ id: caseworkNote.id });
    if (taken.length === 0) throw new BankError("conflict", { code: "note-too-old" });
    await target.notify(tx, { kind: "note-retracted", by: staffId, noteId: id });
    const what = { code: "casework.note-retract", outcome: "DONE", object, detail: { noteId: id } } as const;
    await record(tx, { tenant, actor: staffId, ...what });
    return null;
  });
}

const NOTES_SHOWN = 500;

type Reading = { tenant: string; object: CaseworkObject; readerId: string };

const isAbout = ({ tenant, object }: Omit<Reading, "readerId">) =>
  and(eq(caseworkNote.tenant, tenant), eq(caseworkNote.object, object));

export const countNotes = (store: Db, about: Omit<Reading, "readerId">): Promise<number> =>
  store.$count(caseworkNote, and(isAbout(about), isNull(caseworkNote.retractedAt)));

/** Newest first, at most 500; documents in them masked. */
export async function listNotes(store: Db, { tenant, object, readerId }: Reading): Promise<Note[]> {
  const isFresh = sql<boolean>`${gt(caseworkNote.createdAt, storeTimeBefore(RETRACTABLE_MS))}`;
  const rows = await store
    .select({ note: caseworkNote, byName: staff.name, isFresh })
    .from(caseworkNote)
    .innerJoin(staff, eq(staff.id, caseworkNote.staffId))
    .where(isAbout({ tenant, object }))
    .orderBy(desc(caseworkNote.createdAt), desc(caseworkNote.id))
    .limit(NOTES_SHOWN);
  return rows.map(({ note: { id, staffId, textSealed, createdAt, retractedAt }, byName, ...row }) => {
    const until = new Date(createdAt.getTime() + RETRACTABLE_MS);
    const isMine = staffId === readerId;
    return {
      id,
      byName,
      isMine,
      text: textSealed === null ? null : maskWithin(shownSealed(textSealed, sealedAt(tenant, id))),
      at: createdAt.toISOString(),
      retractedAt: retractedAt?.toISOString() ?? null,
      retractableUntil: isMine && retractedAt === null && row.isFresh ? until.toISOString() : null,
    };
  });
}
