import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import type { Role } from "@/lib/permission/permission";
import { addUpload } from "@/lib/notes/file";
import { FILE_HEADERS } from "@/lib/notes/view";
import { liveEvent } from "@/lib/db/tables/live";
import { givenAccount } from "@/test/support/privacy";
import { account } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import { givenApproval } from "@/test/support/approvals";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import {
  accountTarget,
  noteOnAccount,
  readCasework,
  removeFromAccount,
  retractOnAccount,
  takeAccountFile,
} from "./notes";

const PDF = Buffer.from("%PDF-1.7 comprovante");

let db: Db;
let ana = "";
let ref = "";
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "support");
  ref = await givenAccount(db, "52998224725");
});

const proposedOn = async (object: string) => {
  await givenApproval(db, { tenant: "aurora", id: randomUUID(), makerId: ana, headline: "x", object });
};

const writer = () => actorOf("support", ana, "accounts:note");
const readAs = (role: Role, id = ana) => readCasework(actorOf(role, id, "accounts:read"), ref);
const codes = async () => (await db.select().from(auditEvent)).map(({ code, object }) => [code, object]);

it("shows an account note to every account reader and notifies open pages", async () => {
  await noteOnAccount(writer(), { id: ref, noteId: randomUUID(), text: "Ligou: CPF 529.982.247-25" });
  for (const role of ["support", "compliance", "finance", "approver", "auditor", "admin"] as const) {
    expect((await readAs(role, randomUUID())).notes).toMatchObject([{ text: "Ligou: CPF ***.982.247-**" }]);
  }
  expect(await db.select().from(liveEvent)).toMatchObject([{ topic: "transfers", object: `account:${ref}` }]);
  expect(await codes()).toEqual([["casework.note", `account:${ref}`]]);
});

it("lets only its author withdraw a note, for 15 minutes", async () => {
  const noteId = randomUUID();
  await noteOnAccount(writer(), { id: ref, noteId, text: "Engano" });
  expect((await readAs("support")).notes[0]?.retractableUntil).not.toBeNull();
  const other = actorOf("support", await givenStaff(db, "support"), "accounts:note");
  const refused = { kind: "forbidden", details: { code: "note-not-yours" } };
  await expect(retractOnAccount(other, { id: ref, noteId })).rejects.toMatchObject(refused);
  await retractOnAccount(writer(), { id: ref, noteId });
  expect((await readAs("support")).notes).toMatchObject([{ text: null, retractableUntil: null }]);
});

it("returns an account's file as uploaded, until someone removes it", async () => {
  const fileId = randomUUID();
  const name = Buffer.from("comprovante.pdf").toString("base64url");
  const headers = new Headers({ [FILE_HEADERS.id]: fileId, [FILE_HEADERS.name]: name });
  await addUpload(writer(), accountTarget("aurora", ref), { bytes: PDF, headers, segments: { ref } });
  const take = () => takeAccountFile(actorOf("auditor", ana, "accounts:read"), ref, fileId);
  expect(await take()).toMatchObject({ fileName: "comprovante.pdf", contentType: "application/pdf" });
  await removeFromAccount(writer(), { id: ref, fileId, reason: "De outra pessoa" });
  await expect(take()).rejects.toMatchObject({ kind: "not-found" });
  expect((await readAs("support")).files).toMatchObject([{ removed: { reason: "De outra pessoa" } }]);
});

it.each([
  ["a closed account", () => db.update(account).set({ standing: "CLOSED" })],
  ["an account of which something is proposed", () => proposedOn(`account:${ref}`)],
])("keeps a file of %s from deletion by anybody", async (_, ready) => {
  const fileId = randomUUID();
  const name = Buffer.from("comprovante.pdf").toString("base64url");
  const headers = new Headers({ [FILE_HEADERS.id]: fileId, [FILE_HEADERS.name]: name });
  await addUpload(writer(), accountTarget("aurora", ref), { bytes: PDF, headers, segments: { ref } });
  await ready();
  const held = { kind: "conflict", details: { code: "casework-held" } };
  await expect(removeFromAccount(writer(), { id: ref, fileId, reason: "Engano" })).rejects.toMatchObject(held);
  expect((await readAs("support")).files).toMatchObject([{ id: fileId, removed: null }]);
});

it("refuses notes and files for an unknown account", async () => {
  const boreal = await givenAccount(db, "52998224725", "boreal");
  for (const id of [randomUUID(), "no-reference", boreal]) {
    const note = { id, noteId: randomUUID(), text: "A ninguém" };
    await expect(noteOnAccount(writer(), note)).rejects.toMatchObject({ kind: "not-found" });
  }
  expect(await codes()).toEqual([]);
});
