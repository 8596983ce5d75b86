import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import { type AuditEntry, record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError, refuse } from "@/lib/errors/app-error";
import { noteCan } from "./can";
import { type Note, RETRACTABLE_MINUTES } from "./view";
import type { NotedObject } from "@/lib/db/enums/notes";
import { maskWithin } from "@/lib/contract/document";
import { storeTimeBefore } from "@/lib/db/clock";
import { staff } from "@/lib/db/tables/staff";
import { seal, shownSealed } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import type { NoteTarget } from "./target";
import { caseworkNote } from "@/lib/db/tables/notes";

const RETRACTABLE_MS = RETRACTABLE_MINUTES * 60_000;

const sealedAt = (tenant: string, id: string) => ({ column: "casework_note.text_sealed", row: [tenant, id] }) as const;

type NewNote = { noteId: string; text: string };

/** What the caller puts on record last; null when a note of this id is there already. Throws not-found. */
export async function writeNote(
  tx: Tx,
  { tenant, id: staffId }: Actor,
  target: NoteTarget,
  { noteId: id, text }: NewNote,
): Promise<AuditEntry | null> {
  const { object } = target;
  if (!(await target.isThere(tx))) throw new AppError("not-found", { code: "casework" });
  const written = { tenant, id, object, staffId, textSealed: seal(text, sealedAt(tenant, id)) };
  const [stored] = await tx.insert(caseworkNote).values(written).onConflictDoNothing().returning();
  if (stored === undefined) return null;
  await target.notify(tx, { kind: "noted", by: staffId, noteId: id });
  return { tenant, actor: staffId, code: "casework.note", outcome: "DONE", object, detail: { noteId: id } };
}

/** Idempotent. Throws not-found. */
export async function addNote(actor: Actor, target: NoteTarget, note: NewNote): Promise<null> {
  return (await db()).transaction(async (tx) => {
    const written = await writeNote(tx, actor, target, note);
    if (written !== null) await record(tx, written);
    return null;
  });
}

/** Deletes the text, not the row. Idempotent. Throws not-found, forbidden `note-not-yours`, conflict `note-too-old`. */
export async function retractNote(actor: Actor, target: NoteTarget, id: string): Promise<null> {
  const { tenant, id: staffId } = actor;
  const { object } = target;
  const isIt = and(eq(caseworkNote.tenant, tenant), eq(caseworkNote.id, id), eq(caseworkNote.object, object));
  const isOpen = and(isNull(caseworkNote.retractedAt), gt(caseworkNote.createdAt, storeTimeBefore(RETRACTABLE_MS)));
  return (await db()).transaction(async (tx) => {
    const [stored] = await tx.select().from(caseworkNote).where(isIt).for("update");
    if (stored === undefined) throw new AppError("not-found", { code: "casework" });
    if (stored.staffId !== staffId) throw new AppError("forbidden", { code: "note-not-yours" });
    if (stored.retractedAt !== null) return null;
    refuse(noteCan.remove({ isHeld: await target.isHeld(tx) }));
    const taken = await tx
      .update(caseworkNote)
      .set({ textSealed: null, retractedAt: sql`clock_timestamp()` })
      .where(and(isIt, isOpen))
      .returning({ id: caseworkNote.id });
    if (taken.length === 0) throw new AppError("conflict", { code: "note-too-old" });
    await target.notify(tx, { kind: "note-retracted", by: staffId, noteId: id });
    const what = { code: "casework.note-retract", outcome: "DONE", object, detail: { noteId: id } } as const;
    await record(tx, { tenant, actor: staffId, ...what });
    return null;
  });
}

const NOTES_SHOWN = 500;

type NotesRequest = { tenant: string; object: NotedObject; readerId: string };

const isAbout = ({ tenant, object }: Omit<NotesRequest, "readerId">) =>
  and(eq(caseworkNote.tenant, tenant), eq(caseworkNote.object, object));

export const countNotes = (store: Db, about: Omit<NotesRequest, "readerId">): Promise<number> =>
  store.$count(caseworkNote, and(isAbout(about), isNull(caseworkNote.retractedAt)));

/** Newest first, at most 500; documents in them masked. */
export async function listNotes(store: Db, { tenant, object, readerId }: NotesRequest): Promise<Note[]> {
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
