import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { kycEvent } from "@/lib/db/tables/kyc";
import { caseTarget } from "@/lib/kyc/notes";
import { givenCase } from "@/test/support/kyc";
import { liveEvent } from "@/lib/db/tables/live";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { addNote, countNotes, listNotes, retractNote } from "./note";
import type { NoteTarget } from "./target";
import { caseworkNote } from "@/lib/db/tables/notes";

const text = "Maria ligou: manda o contrato amanhã";

let db: Db;
let target: NoteTarget;
let ana = "";
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "compliance");
  target = caseTarget("aurora", await givenCase(db));
});

const person = (id: string) => actorOf("compliance", id, "kyc:note");
const write = (noteId: string = randomUUID()) => addNote(person(ana), target, { noteId, text }).then(() => noteId);
const read = (readerId = ana) => listNotes(db, { tenant: "aurora", object: target.object, readerId });
const later = (minutes: number) =>
  db.update(caseworkNote).set({ createdAt: sql`${caseworkNote.createdAt} - ${minutes} * interval '1 minute'` });

describe("a note", () => {
  it("stores a note once however often it is sent, newest first, with its author", async () => {
    const first = await write();
    await write(first);
    const second = await write();
    expect(await read()).toMatchObject([
      { id: second, byName: "Ana Prado", isMine: true, text, retractedAt: null },
      { id: first, text },
    ]);
    expect(await read(await givenStaff(db, "auditor"))).toMatchObject([
      { isMine: false, retractableUntil: null },
      { isMine: false },
    ]);
  });

  it("masks a document in a note's text", async () => {
    const note = { noteId: randomUUID(), text: "Sócio: 529.982.247-25, e 52998224725" };
    await addNote(person(ana), target, note);
    expect((await read())[0]?.text).toBe("Sócio: ***.982.247-**, e ***.982.247-**");
  });

  it("shows a note in timeline, audit and open screens, never in clear", async () => {
    const noteId = await write();
    expect(await db.select().from(kycEvent)).toMatchObject([{ kind: "noted", actor: ana, detail: { noteId } }]);
    expect(await db.select().from(auditEvent)).toMatchObject([
      { code: "casework.note", actor: ana, object: target.object, detail: { noteId } },
    ]);
    expect(await db.select().from(liveEvent)).toHaveLength(1);
    const stored = [await db.select().from(caseworkNote), await db.select().from(auditEvent)];
    expect(JSON.stringify(stored)).not.toContain("Maria");
  });

  it("refuses a note on an unknown case or another tenant's", async () => {
    for (const nowhere of [caseTarget("aurora", "none"), caseTarget("boreal", target.object.slice("kyc:".length))]) {
      const note = { noteId: randomUUID(), text };
      await expect(addNote(person(ana), nowhere, note)).rejects.toMatchObject({ kind: "not-found" });
    }
    expect(await db.$count(caseworkNote)).toBe(0);
  });
});

describe("taking a note back", () => {
  it("deletes a withdrawn note's text and keeps that it existed", async () => {
    const noteId = await write();
    await retractNote(person(ana), target, noteId);
    await retractNote(person(ana), target, noteId);
    expect(await read()).toMatchObject([{ id: noteId, text: null, retractedAt: expect.any(String) }]);
    expect(await db.select({ kind: kycEvent.kind }).from(kycEvent).orderBy(kycEvent.id)).toEqual([
      { kind: "noted" },
      { kind: "note-retracted" },
    ]);
    expect(await countNotes(db, { tenant: "aurora", object: target.object })).toBe(0);
  });

  it("lets only its author withdraw a note", async () => {
    const noteId = await write();
    const rui = await givenStaff(db, "compliance");
    await expect(retractNote(person(rui), target, noteId)).rejects.toMatchObject({
      details: { code: "note-not-yours" },
    });
    expect(await read()).toMatchObject([{ text }]);
  });

  it("lets a note be withdrawn for a quarter of an hour", async () => {
    const noteId = await write();
    await later(14);
    expect((await read())[0]?.retractableUntil).not.toBeNull();
    await later(1);
    expect((await read())[0]?.retractableUntil).toBeNull();
    await expect(retractNote(person(ana), target, noteId)).rejects.toMatchObject({ details: { code: "note-too-old" } });
  });

  it("withdraws no note of another record", async () => {
    const noteId = await write();
    const other = caseTarget("aurora", await givenCase(db));
    await expect(retractNote(person(ana), other, noteId)).rejects.toMatchObject({ kind: "not-found" });
  });
});
