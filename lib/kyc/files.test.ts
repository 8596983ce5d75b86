import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { listFiles } from "@/lib/notes/file";
import { FILE_HEADERS } from "@/lib/notes/view";
import type { Role } from "@/lib/permission/permission";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { putToCase, removeFromCase, takeCaseFile } from "./files";
import { noteOnCase, retractOnCase } from "./notes";
import { kycDecision } from "@/lib/db/tables/kyc";
import { givenCase } from "@/test/support/kyc";
import { givenIntentRows } from "@/test/support/claims";

const PDF = Buffer.from("%PDF-1.7 contrato");

let db: Db;
let ana = "";
let kycUUID = "";
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "compliance");
  kycUUID = await givenCase(db);
});

async function put(name: string, id: string = randomUUID()): Promise<string> {
  const headers = new Headers({ [FILE_HEADERS.id]: id });
  headers.set(FILE_HEADERS.name, Buffer.from(name).toString("base64url"));
  await putToCase(actorOf("compliance", ana, "kyc:note"), { bytes: PDF, headers, segments: { id: kycUUID } });
  return id;
}
const take = (role: Role, fileId: string) => takeCaseFile(actorOf(role, ana, "kyc:read"), kycUUID, fileId);

describe("a file that is sent", () => {
  it("takes a file's name from a header in any characters", async () => {
    await put("procuração 印.pdf");
    const files = await listFiles(db, { tenant: "aurora", object: `kyc:${kycUUID}`, readerId: ana });
    expect(files.map(({ name }) => name)).toEqual(["procuração 印.pdf"]);
  });

  it("refuses a file without a name or an id", async () => {
    for (const sent of [put(""), put(" \u202E "), put("contrato.pdf", "7")]) {
      await expect(sent).rejects.toMatchObject({ kind: "invalid", details: { code: "file-name" } });
    }
  });
});

describe("what was put to a case that is decided", () => {
  it("locks a case's files and notes after a decision", async () => {
    const actor = actorOf("compliance", ana, "kyc:note");
    const early = await put("engano.pdf");
    const fileId = await put("contrato.pdf");
    const noteId = randomUUID();
    await noteOnCase(actor, { id: kycUUID, noteId, text: "conferido" });
    await removeFromCase(actor, { id: kycUUID, fileId: early, reason: "engano" });
    const id = randomUUID();
    const at = new Date();
    const sender = { actor: ana, owner: randomUUID(), key: randomUUID(), isExclusive: true, bodyHash: "x" };
    const sending = { state: "REFUSED", attempts: 1, mayHaveExecuted: false, sendingUntil: at, createdAt: at } as const;
    const what = { tenant: "aurora", id, operation: "/v1/kyc/manual-decision", object: `kyc:${kycUUID}` };
    await givenIntentRows(db, { ...what, ...sender, ...sending });
    const decided = { decision: "APPROVED", reason: "sealed", staffId: ana, createdAt: at } as const;
    await db.insert(kycDecision).values({ tenant: "aurora", intentId: id, kycUUID, ...decided });
    const held = { kind: "conflict", details: { code: "casework-held" } };
    await expect(removeFromCase(actor, { id: kycUUID, fileId, reason: "engano" })).rejects.toMatchObject(held);
    await expect(retractOnCase(actor, { id: kycUUID, noteId })).rejects.toMatchObject(held);
    expect((await take("auditor", fileId)).fileName).toBe("contrato.pdf");
  });
});

describe("a file that is taken", () => {
  it("returns a whole file, with an extension that fits its bytes", async () => {
    const { parts, ...file } = await take("auditor", await put("529.982.247-25.exe"));
    expect(file).toEqual({ fileName: "***.982.247-**.exe.pdf", contentType: "application/pdf" });
    const taken: Uint8Array[] = [];
    for await (const part of parts) taken.push(part);
    expect(Buffer.concat(taken)).toEqual(PDF);
  });

  it.each(["support", "finance"] as const)("hides the file from %s, who may see the case", async (role) => {
    const id = await put("contrato.pdf");
    await expect(take(role, id)).rejects.toMatchObject({ kind: "forbidden", details: { code: "kyc:note" } });
    expect((await db.select().from(auditEvent)).map(({ code }) => code)).toEqual(["casework.file-add"]);
  });

  it("finds no file for an unknown id", async () => {
    for (const id of ["nothing", randomUUID()]) {
      await expect(take("compliance", id)).rejects.toMatchObject({ kind: "not-found" });
    }
  });
});
