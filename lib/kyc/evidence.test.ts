import { APPROVABLE_WRITES } from "@/lib/writes/approvable";
import { createHash, randomUUID } from "node:crypto";
import { desc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { givenPolicy } from "@/test/support/approvals";
import { authorise } from "@/lib/approvals/decide";
import { addFile } from "@/lib/notes/file";
import { Contents } from "@/lib/dossiers/contents";
import { DossierFile } from "@/lib/dossiers/file";
import { fileOf } from "@/lib/dossiers/records";
import { dossier } from "@/lib/db/tables/dossiers";
import { reveal } from "@/lib/db/tables/privacy";
import { kycCase } from "@/lib/db/tables/kyc";
import { seal } from "@/lib/db/seal";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import type { Harness } from "@/test/support/service/harness";
import { orderDecision } from "./decide";
import { caseTarget, noteOnCase, retractOnCase } from "./notes";
import { startCase } from "./start";
import { companyOrder, decide, decisionOn, givenCase, givenOwnCase } from "@/test/support/kyc";

let db: Db;
let service: Harness;
let staffId = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "compliance");
  service = await givenService();
});

async function lastContents(): Promise<Contents> {
  const [row] = await db.select().from(dossier).orderBy(desc(dossier.createdAt)).limit(1);
  if (row === undefined) throw new Error("there is no dossier");
  return Contents.parse(DossierFile.parse(JSON.parse(fileOf(row) ?? "")).contents);
}

const ordering = (kycUUID: string) => orderDecision(actorOf("compliance", staffId, "kyc:decide"), decisionOn(kycUUID));

describe("the evidence of a decision", () => {
  it("names both people after a second authorisation", async () => {
    const admin = actorOf("admin", await givenStaff(db, "admin"), "settings:manage");
    const always = { kind: "kyc.decision", version: 0, rule: "always", amount: null, expiresAfterHours: 24 } as const;
    await givenPolicy(admin, always);
    const approverId = await givenStaff(db, "approver");
    const answer = await ordering(await givenOwnCase(db, service, staffId));
    if (answer.state !== "PROPOSED") throw new Error(`it was ${answer.state}`);
    expect(await db.$count(dossier)).toBe(0);
    const approver = actorOf("approver", approverId, "approvals:authorize");
    await authorise(APPROVABLE_WRITES, approver, { approvalId: answer.approvalId });
    const { people, approval, outcome } = await lastContents();
    expect(people.map(({ part, id, roles }) => [part, id, roles])).toEqual([
      ["proposer", staffId, ["compliance"]],
      ["authoriser", approverId, ["approver"]],
    ]);
    expect(approval).toMatchObject({ id: answer.approvalId, policyVersion: 1 });
    expect(approval?.authorisedAt).not.toBeNull();
    expect(outcome.state).toBe("DONE");
  });

  it("lists notes, file hashes and who saw what in clear", async () => {
    const kycUUID = await givenOwnCase(db, service, staffId);
    const noter = actorOf("compliance", staffId, "kyc:note");
    const first = randomUUID();
    const second = randomUUID();
    await noteOnCase(noter, { id: kycUUID, noteId: first, text: "Liguei para a agência" });
    await noteOnCase(noter, { id: kycUUID, noteId: second, text: "engano" });
    await retractOnCase(noter, { id: kycUUID, noteId: second });
    const bytes = Buffer.from("%PDF-1.7 contrato");
    await addFile(noter, caseTarget("aurora", kycUUID), { fileId: randomUUID(), name: "contrato.pdf", bytes });
    const id = randomUUID();
    const noteSealed = seal("Conferir com a foto", { column: "reveal.note_sealed", row: [id] });
    const why = { reason: "service", noteSealed, createdAt: new Date() } as const;
    await db.insert(reveal).values({ id, tenant: "aurora", actor: staffId, object: `kyc:${kycUUID}`, ...why });
    await ordering(kycUUID);
    const { notes, files, reveals, timeline } = await lastContents();
    expect(notes.map(({ text }) => text)).toEqual(["Liguei para a agência", null]);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(files).toMatchObject([{ name: "contrato.pdf", sizeBytes: bytes.length, sha256, removedAt: null }]);
    expect(reveals).toMatchObject([{ by: { id: staffId, name: "Ana Prado" }, note: "Conferir com a foto" }]);
    expect(timeline.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["noted", "file-added"]));
  });

  it("includes the start form, its partners and other records of the document", async () => {
    const starter = actorOf("compliance", staffId, "kyc:start");
    const order = companyOrder();
    const { kycUUID } = await startCase(starter, order);
    const [started] = await db.select().from(kycCase).where(eq(kycCase.kycUUID, kycUUID));
    if (started === undefined) throw new Error("the case is not kept");
    const { vatNumber, status, process } = started;
    const other = await givenCase(db, { vatNumber });
    await decide(actorOf("compliance", staffId, "kyc:decide"), decisionOn(kycUUID, { expected: { status, process } }));
    const { subject, related, earlierDecisions } = await lastContents();
    expect(subject?.form).toMatchObject({ vatNumber: order.vatNumber, name: order.legalName, kycType: "PJ" });
    expect(subject?.members).toMatchObject(
      order.qsa.map(({ vatNumber: cpf, ownerType }) => ({ vatNumber: cpf, ownerType })),
    );
    expect(related).toMatchObject([{ kind: "kyc", id: other, basis: "masked-document" }]);
    expect(earlierDecisions).toEqual([]);
  });

  it("says for a case started elsewhere that its holder is unknown here", async () => {
    const kycUUID = await givenOwnCase(db, service, staffId);
    await ordering(kycUUID);
    const contents = await lastContents();
    expect(contents.subject).toBeNull();
    expect(contents.case).toMatchObject({ kycUUID, status: "PROCESSING", assignee: { id: staffId } });
    expect(contents.rules).toMatchObject({ version: 0, slaHours: { PF: 24, PJ: 48 } });
  });
});
