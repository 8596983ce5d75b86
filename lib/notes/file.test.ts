import { createHash, randomBytes, randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { FILES_MAX } from "./view";
import { dataKey } from "@/lib/settings/keys";
import { caseTarget } from "@/lib/kyc/notes";
import { kycEvent } from "@/lib/db/tables/kyc";
import { givenCase } from "@/test/support/kyc";
import { resealRound } from "@/lib/privacy/rotation";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { decoded, SpeltDocument } from "@/test/support/spelt-documents";
import { attachment } from "@/lib/query";
import { addFile, downloadFile, downloadName, fileTypeOf, listFiles, openFile, removeFile } from "./file";
import type { NoteTarget } from "./target";
import { FileNamed } from "./inputs";
import { PIECE_BYTES } from "./pieces";
import { caseworkContent, caseworkFile, caseworkPiece } from "@/lib/db/tables/notes";

const PDF = Buffer.from("%PDF-1.7 contrato social de Maria");
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);

let db: Db;
let target: NoteTarget;
let ana = "";
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "compliance");
  target = caseTarget("aurora", await givenCase(db));
});

const named = (name: string) => FileNamed.safeParse({ fileId: randomUUID(), name }).data?.name;
const person = () => actorOf("compliance", ana, "kyc:note");
const reader = () => actorOf("compliance", ana, "kyc:read");
const put = (bytes: Uint8Array = PDF, fileId: string = randomUUID()) =>
  addFile(person(), target, { fileId, name: "contrato da Maria.pdf", bytes }).then(() => fileId);
const list = () => listFiles(db, { tenant: "aurora", object: target.object, readerId: ana });
const codes = async () =>
  (await db.select({ code: auditEvent.code }).from(auditEvent).orderBy(auditEvent.seq)).map(({ code }) => code);

describe("a file of a record", () => {
  it("stores a file once however often it is sent, with its hash", async () => {
    const id = await put();
    await put(PDF, id);
    const sha256 = createHash("sha256").update(PDF).digest("hex");
    const what = { name: "contrato da Maria.pdf", mediaType: "application/pdf", sizeBytes: PDF.length, sha256 };
    expect(await list()).toMatchObject([{ id, ...what, byName: "Ana Prado", isMine: true, removed: null }]);
    expect(await db.$count(caseworkContent)).toBe(1);
  });

  it("stores neither a file's name nor its content in clear", async () => {
    await put();
    const [content] = await db.select().from(caseworkContent);
    expect(Buffer.from(content?.bytes ?? []).includes("Maria")).toBe(false);
    expect(JSON.stringify([await db.select().from(caseworkFile), await db.select().from(auditEvent)])).not.toContain(
      "Maria",
    );
  });

  it("returns a file as sent, after an audit row", async () => {
    const id = await put(PNG);
    const opened = await openFile(reader(), target.object, id);
    expect({ ...opened, bytes: Buffer.from(opened.bytes) }).toEqual({
      name: "contrato da Maria.pdf",
      mediaType: "image/png",
      bytes: PNG,
    });
    expect(await codes()).toEqual(["casework.file-add", "casework.file-open"]);
    expect(await db.select().from(kycEvent)).toMatchObject([{ kind: "file-added", detail: { fileId: id } }]);
  });

  it("finds no file of another case or tenant", async () => {
    const id = await put();
    const other = `kyc:${await givenCase(db)}` as const;
    await expect(openFile(reader(), other, id)).rejects.toMatchObject({ kind: "not-found" });
    await expect(openFile(reader(), target.object, randomUUID())).rejects.toMatchObject({ kind: "not-found" });
    expect(await codes()).toEqual(["casework.file-add"]);
  });

  it("opens a file after a data key change that left its bytes alone", async () => {
    const old = dataKey(Buffer.alloc(32, 7));
    const next = dataKey(Buffer.alloc(32, 8));
    const id = await put();
    const before = await db.select({ bytes: caseworkContent.bytes }).from(caseworkContent);
    givenEnv({ dataKeys: [next, old] });
    await resealRound(db);
    givenEnv({ dataKeys: [next] });
    expect(Buffer.from((await openFile(reader(), target.object, id)).bytes)).toEqual(PDF);
    expect(await db.select({ bytes: caseworkContent.bytes }).from(caseworkContent)).toEqual(before);
  });
});

const longest = async () => {
  const largest = sql<number>`max(octet_length(bytes))`;
  const [piece] = await db.select({ largest }).from(caseworkPiece);
  const [content] = await db.select({ largest }).from(caseworkContent);
  return [piece?.largest, content?.largest];
};

describe("a file of megabytes", () => {
  const LARGE = Buffer.concat([PDF, randomBytes(3 * PIECE_BYTES)]);

  it("stores a large file in small pieces and returns it as sent", async () => {
    const id = await put(LARGE);
    expect(await longest()).toEqual([PIECE_BYTES, PIECE_BYTES]);
    expect(await db.$count(caseworkPiece, eq(caseworkPiece.fileId, id))).toBe(3);
    expect(Buffer.from((await openFile(reader(), target.object, id)).bytes)).toEqual(LARGE);
  });

  it("leaves nothing of a file that was resent, refused or removed", async () => {
    const id = await put(LARGE);
    await put(LARGE, id);
    expect(await db.$count(caseworkPiece)).toBe(3);
    const gone = { ...target, isThere: async () => false };
    const sent = { fileId: randomUUID(), name: "contrato.pdf", bytes: LARGE };
    await expect(addFile(person(), gone, sent)).rejects.toMatchObject({ kind: "not-found" });
    expect(await db.$count(caseworkPiece)).toBe(3);
    await removeFile(person(), target, { fileId: id, reason: "repetido" });
    expect(await db.$count(caseworkPiece)).toBe(0);
  });

  it("removes an interrupted upload at the next one, an hour later", async () => {
    const piece = { tenant: "aurora", nth: 1, bytes: PDF };
    const old = { ...piece, uploadId: randomUUID(), createdAt: new Date(Date.now() - 61 * 60_000) };
    const running = { ...piece, uploadId: randomUUID() };
    await db.insert(caseworkPiece).values([old, running]);
    await put();
    expect(await db.select({ id: caseworkPiece.uploadId }).from(caseworkPiece)).toEqual([{ id: running.uploadId }]);
  });
});

describe("removing a file", () => {
  it("deletes a file's content, and keeps that it existed and why it went", async () => {
    const id = await put();
    const removal = { fileId: id, reason: "Veio o documento de outra pessoa" };
    await removeFile(person(), target, removal);
    await removeFile(person(), target, { ...removal, reason: "outro motivo" });
    expect(await list()).toMatchObject([{ id, removed: { byName: "Ana Prado", reason: removal.reason } }]);
    expect(await db.$count(caseworkContent)).toBe(0);
    await expect(openFile(reader(), target.object, id)).rejects.toMatchObject({ kind: "not-found" });
    expect(await codes()).toEqual(["casework.file-add", "casework.file-remove"]);
  });
});

describe("what is taken", () => {
  it.each([
    ["a page", "<html><script>alert(1)</script>", "file-type"],
    ["a program", "MZ\u0090\u0000", "file-type"],
    ["an image of another kind", "GIF89a", "file-type"],
    ["a page that calls itself a PDF further down", " %PDF-1.7", "file-type"],
    ["a drawing with a script", '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', "file-type"],
    ["an archive", "PK\u0003\u0004", "file-type"],
    ["nothing", "", "file-empty"],
  ])("refuses %s, whatever its name", async (_, bytes, code) => {
    await expect(put(Buffer.from(bytes, "latin1"))).rejects.toMatchObject({ kind: "invalid", details: { code } });
    expect(await db.$count(caseworkFile)).toBe(0);
  });

  it("limits a record to twenty files, even for two concurrent uploads", async () => {
    for (let n = 1; n < FILES_MAX; n += 1) await put();
    const settled = await Promise.allSettled([put(), put(), put()]);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(settled.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { details: { code: "too-many-files" } },
    });
    const [one] = await list();
    await removeFile(person(), target, { fileId: one?.id ?? "", reason: "repetido" });
    await put();
    expect(await db.$count(caseworkContent)).toBe(FILES_MAX);
    expect(await db.$count(caseworkFile, eq(caseworkFile.tenant, "aurora"))).toBe(FILES_MAX + 1);
  });

  it("recognises a file by its first bytes, which decide its extension", () => {
    expect(fileTypeOf(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))).toBe("image/jpeg");
    expect(fileTypeOf(Buffer.from([0xff, 0xd8]))).toBeNull();
    expect(downloadName("contrato.PDF", "application/pdf")).toBe("contrato.PDF");
    expect(downloadName("foto.jpeg", "image/jpeg")).toBe("foto.jpeg");
    expect(downloadName("foto.exe", "image/png")).toBe("foto.exe.png");
  });

  it("drops paths and invisible characters from a file's name", () => {
    expect(named("../../etc/contrato.pdf")).toBe("contrato.pdf");
    expect(named("C:\\notas\\foto\u202Egnp.exe")).toBe("fotognp.exe");
    expect(named(`${"x".repeat(300)}.pdf`)).toHaveLength(200);
    expect(named(" \u0007 ")).toBeUndefined();
  });

  it("masks documents in a file's listed and downloaded name", async () => {
    // Cut in the middle of an escape, its rest would read as a digit.
    const Whole = SpeltDocument.filter(({ spelling }) => spelling.length <= 180);
    const [spelt] = fc.sample(Whole, 1);
    const name = `RG de ${spelt?.spelling} frente.pdf`;
    const fileId = randomUUID();
    await addFile(person(), target, { fileId, name, bytes: PDF });
    const { fileName } = await downloadFile(reader(), target.object, fileId);
    const texts = [fileName, attachment(fileName), ...(await list()).map((file) => JSON.stringify(file))];
    expect(texts.filter((text) => decoded(text).includes(spelt?.document ?? ""))).toEqual([]);
  });
});
