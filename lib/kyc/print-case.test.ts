import { createHash, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { auditEvent } from "@/lib/db/tables/audit";
import { kycCase } from "@/lib/db/tables/kyc";
import { maskDocument } from "@/lib/contract/document";
import type { Db } from "@/lib/db/connection";
import { addFile } from "@/lib/notes/file";
import type { Role } from "@/lib/permission/permission";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { givenCase, givenStarted } from "@/test/support/kyc";
import { textsOf } from "@/test/support/pdf";
import { claim } from "./assign";
import { noteCaseEvents } from "./events";
import { caseTarget, noteOnCase } from "./notes";
import { exportCase } from "./print-case";

const CPF = "52998224725";
const RACERS = 10;
const SEEN = new Date("2026-11-20T14:03:22.117Z");

let db: Db;
let ana = "";
let kycUUID = "";
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "compliance");
  kycUUID = await givenCase(db, { vatNumber: maskDocument(CPF), seenAt: SEEN, tags: ["filial sul"] });
});

async function bytesOf({ parts }: Awaited<ReturnType<typeof exportCase>>): Promise<Buffer> {
  const taken: Uint8Array[] = [];
  for await (const part of parts) taken.push(part);
  return Buffer.concat(taken);
}

const bytesFor = async (id: string) => bytesOf(await exportCase(actorOf("compliance", id, "kyc:read"), kycUUID));
const sha256Of = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

async function printed(role: Role = "compliance"): Promise<{ fileName: string; text: string }> {
  const download = await exportCase(actorOf(role, ana, "kyc:read"), kycUUID);
  return { fileName: download.fileName, text: textsOf(await bytesOf(download)).join(" ") };
}

async function givenCasework(): Promise<string> {
  const noter = actorOf("compliance", ana, "kyc:note");
  await claim(actorOf("compliance", ana, "kyc:assign"), { kycUUID, takeFrom: null });
  await noteOnCase(noter, { id: kycUUID, noteId: randomUUID(), text: `Pediu pressa: ${CPF}` });
  const bytes = Buffer.from("%PDF-1.7 contrato");
  await addFile(noter, caseTarget("aurora", kycUUID), { fileId: randomUUID(), name: "contrato.pdf", bytes });
  const [stored] = await db
    .select({ detail: auditEvent.detail })
    .from(auditEvent)
    .where(eq(auditEvent.code, "casework.file-add"));
  return String(Object(stored?.detail).sha256);
}

describe("the PDF of a case", () => {
  it("has holder, tags, notes, files by hash, claim and timeline, masked as on screen", async () => {
    await givenStarted(db, ana, { kycUUID, document: CPF });
    const sha256 = await givenCasework();
    const { fileName, text } = await printed();
    expect(fileName).toBe(`case-kyc-${kycUUID}.pdf`);
    for (const part of [
      "filial sul",
      "Ana Prado",
      "Pediu pressa",
      "contrato.pdf",
      sha256,
      maskDocument(CPF),
      "M••• d••• S•••",
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/52998224725|529\.982|Maria|Josefa/);
  });

  it("says that it is open, and as known on when", async () => {
    expect((await printed()).text).toContain("Open; as known on 20 Nov 2026");
    await db.update(kycCase).set({ status: "APPROVED" }).where(eq(kycCase.kycUUID, kycUUID));
    expect((await printed()).text).toContain("Decided; as known on 20 Nov 2026");
  });

  it("counts notes and files for whoever may not read them", async () => {
    const sha256 = await givenCasework();
    const { text } = await printed("support");
    expect(text).toContain("1: only people who decide, authorise or audit read them.");
    for (const part of ["pressa", "contrato.pdf", sha256]) expect(text).not.toContain(part);
  });

  it("is on record with the hash of what was printed", async () => {
    await printed();
    const rows = await db.select().from(auditEvent).where(eq(auditEvent.code, "kyc.export-case"));
    expect(rows).toMatchObject([
      {
        actor: ana,
        object: `kyc:${kycUUID}`,
        detail: { format: "pdf", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    ]);
  });

  it("is on record ten times for ten people at once, each with the hash of their own", async () => {
    const people: string[] = [];
    for (let nth = 0; nth < RACERS; nth += 1) people.push(await givenStaff(db, "compliance"));
    const hashes = await Promise.all(people.map(async (id) => [id, sha256Of(await bytesFor(id))] as const));
    const rows = await db.select().from(auditEvent).where(eq(auditEvent.code, "kyc.export-case"));
    expect(new Map(rows.map(({ actor, detail }) => [actor, detail["sha256"]]))).toEqual(new Map(hashes));
    expect(rows).toHaveLength(RACERS);
  });

  it("says one state throughout, and the one on record, while the case is decided", async () => {
    const move = db.transaction(async (tx) => {
      await tx.update(kycCase).set({ status: "APPROVED" }).where(eq(kycCase.kycUUID, kycUUID));
      const detail = { from: "PENDING", to: "APPROVED", process: "kyc-backgroundcheck" };
      await noteCaseEvents(tx, [{ tenant: "aurora", kycUUID, kind: "moved", actor: null, detail }]);
    });
    const prints = await Promise.all(Array.from({ length: RACERS }, () => bytesFor(ana)));
    await move;
    const rows = await db.select().from(auditEvent).where(eq(auditEvent.code, "kyc.export-case"));
    for (const bytes of prints) {
      const text = textsOf(bytes).join(" ");
      const recorded = rows.find(({ detail }) => detail["sha256"] === sha256Of(bytes));
      const isDecided = text.includes("Decided; as known on");
      expect(recorded?.detail["status"]).toBe(isDecided ? "APPROVED" : "PENDING");
      expect(text.includes("Moved at the provider")).toBe(isDecided);
    }
  });

  it("finds no case for an unknown id", async () => {
    await expect(exportCase(actorOf("compliance", ana, "kyc:read"), randomUUID())).rejects.toMatchObject({
      kind: "not-found",
    });
  });
});
