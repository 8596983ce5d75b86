import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { providerIntent } from "@/lib/db/tables/provider";
import { unseal } from "@/lib/db/seal";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import type { Harness } from "@/test/support/service/harness";
import { orderDecision } from "./decide";
import { STANDARD_RULES } from "./standard-rules-view";
import { readDecisionTerms } from "./read-case";
import type { CaseDecision } from "./inputs";
import { kycCaseRules, kycDecision } from "@/lib/db/tables/kyc";
import { decisionOn, givenCase, givenOwnCase, startKyc } from "@/test/support/kyc";

let db: Db;
let service: Harness;
let staffId = "";
let decisionsSent = 0;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "compliance");
  decisionsSent = 0;
  service = await givenService(({ url }) => {
    if (url.endsWith("/manual-decision")) decisionsSent += 1;
  });
});

const ordering = (order: CaseDecision) => orderDecision(actorOf("compliance", staffId, "kyc:decide"), order);
const ownCase = () => givenOwnCase(db, service, staffId);

async function givenRules(changes: Partial<typeof STANDARD_RULES>): Promise<void> {
  const rules = { ...STANDARD_RULES, ...changes };
  await db.insert(kycCaseRules).values({ tenant: "aurora", version: 1, rules, staffId, createdAt: new Date() });
}

async function expectNothingSent(): Promise<void> {
  expect(decisionsSent).toBe(0);
  expect(await db.$count(providerIntent)).toBe(0);
  expect(await db.$count(kycDecision)).toBe(0);
}

describe("a decision about a case that is not one's own", () => {
  it("refuses a decision on an unassigned case", async () => {
    const kycUUID = await givenCase(db, { kycUUID: await startKyc(service), status: "PROCESSING" });
    await expect(ordering(decisionOn(kycUUID))).rejects.toMatchObject({
      kind: "conflict",
      details: { code: "case-not-yours", holder: null },
    });
    await expectNothingSent();
  });

  it("refuses a decision on a colleague's case, naming them and since when", async () => {
    const id = await givenStaff(db, "compliance");
    const assignedAt = new Date("2026-11-12T17:03:00Z");
    const kycUUID = await givenCase(db, { kycUUID: await startKyc(service), assigneeId: id, assignedAt });
    await expect(ordering(decisionOn(kycUUID))).rejects.toMatchObject({
      details: { code: "case-not-yours", holder: { id, name: "Ana Prado", since: assignedAt.toISOString() } },
    });
    await expectNothingSent();
  });

  it("refuses to propose a decision on a colleague's case", async () => {
    const kycUUID = await givenCase(db, { status: "REPROVED" });
    const expected = { status: "REPROVED", process: "kyc-backgroundcheck" };
    await expect(ordering(decisionOn(kycUUID, { expected }))).rejects.toMatchObject({
      details: { code: "case-not-yours" },
    });
  });
});

describe("a decision by rules that are in force", () => {
  it("keeps the reason code, the sealed note, and the checklist as then worded", async () => {
    const kycUUID = await ownCase();
    await ordering(decisionOn(kycUUID, { note: "Ligar para a Ana." }));
    const [row] = await db.select().from(kycDecision).where(eq(kycDecision.kycUUID, kycUUID));
    expect(row).toMatchObject({ reasonCode: "data-matches", rulesVersion: 0 });
    expect(row?.checklist).toEqual([
      { code: "data-match", text: "Nome, nascimento e filiação conferem", isChecked: true },
      { code: "lists-checked", text: "Listas restritivas e PEP consultadas", isChecked: true },
    ]);
    expect(row?.noteSealed).not.toContain("Ana");
    const place = { column: "kyc_decision.note_sealed", row: ["aurora", row?.intentId ?? ""] } as const;
    expect(unseal(row?.noteSealed ?? "", place)).toBe("Ligar para a Ana.");
  });

  it("never sends the note to the provider", async () => {
    const bodies: string[] = [];
    service = await givenService((request) => {
      void request
        .clone()
        .text()
        .then((body) => bodies.push(body));
    });
    await ordering(decisionOn(await ownCase(), { note: "Uma nota que fica." }));
    expect(bodies.join("\n")).toContain("Dados cadastrais conferem");
    expect(bodies.join("\n")).not.toContain("Uma nota que fica.");
  });

  it("sends no decision when the rules changed since they were read", async () => {
    const kycUUID = await ownCase();
    await givenRules({});
    await expect(ordering(decisionOn(kycUUID))).rejects.toMatchObject({
      kind: "conflict",
      details: { code: "rules-changed" },
    });
    await expectNothingSent();
  });

  it.each<[string, Partial<CaseDecision>]>([
    ["names one that there is not", { reasonCode: "because" }],
    ["names one of the other outcome", { reasonCode: "face-mismatch", reason: "Selfie não confere." }],
    ["says something else than the reason it names", { reason: "Outra coisa." }],
  ])("refuses a reason that %s", async (_, changes) => {
    await expect(ordering(decisionOn(await ownCase(), changes))).rejects.toMatchObject({
      kind: "invalid",
      details: { issues: [{ path: ["reasonCode"] }] },
    });
    await expectNothingSent();
  });

  it("refuses a decision under a retired reason", async () => {
    const reasons = STANDARD_RULES.reasons.map((reason) =>
      reason.code === "data-matches" ? { ...reason, isRetired: true } : reason,
    );
    await givenRules({ reasons });
    await expect(ordering(decisionOn(await ownCase(), { rulesVersion: 1 }))).rejects.toMatchObject({
      details: { issues: [{ path: ["reasonCode"] }] },
    });
  });

  it("needs a complete checklist to approve, and none to reject", async () => {
    const kycUUID = await ownCase();
    await expect(ordering(decisionOn(kycUUID, { checklist: ["data-match"] }))).rejects.toMatchObject({
      details: { issues: [{ path: ["checklist"] }] },
    });
    await expectNothingSent();
    const refusing: Partial<CaseDecision> = {
      decision: "REPROVED",
      reason: "Requisitos cadastrais não atendidos. Falta a filiação.",
      reasonCode: "requirements-unmet",
      checklist: [],
    };
    await expect(ordering(decisionOn(kycUUID, refusing))).resolves.toMatchObject({ decision: "REPROVED" });
  });

  it("asks for no document or selfie check in a background check", async () => {
    const kycUUID = await ownCase();
    const { reasons, checklist } = await readDecisionTerms(actorOf("compliance", staffId, "kyc:decide"), kycUUID);
    expect(checklist.map(({ code }) => code)).toEqual(["data-match", "lists-checked"]);
    expect(reasons.filter(({ text }) => /documento|selfie/i.test(text))).toEqual([]);
    const untrue = { reason: "Documentos conferidos e identidade confirmada.", reasonCode: "identity-confirmed" };
    await expect(ordering(decisionOn(kycUUID, untrue))).rejects.toMatchObject({
      details: { issues: [{ path: ["reasonCode"] }] },
    });
    await expectNothingSent();
    await expect(ordering(decisionOn(kycUUID))).resolves.toMatchObject({ decision: "APPROVED" });
  });

  it("asks for document and selfie checks after document-scopy", async () => {
    const process = "kyc-documentscopy";
    const kycUUID = await givenCase(db, { process, status: "PENDING", assigneeId: staffId, assignedAt: new Date() });
    const expected = { process, status: "PENDING" };
    const { checklist } = await readDecisionTerms(actorOf("compliance", staffId, "kyc:decide"), kycUUID);
    expect(checklist.map(({ code }) => code)).toContain("face-match");
    await expect(ordering(decisionOn(kycUUID, { expected }))).rejects.toMatchObject({
      details: { issues: [{ path: ["checklist"] }] },
    });
  });

  it("sends no decision with a term that would tip off the customer", async () => {
    const reason = "Dados cadastrais conferem com as fontes consultadas. Comunicado ao C.O.A.F.";
    await expect(ordering(decisionOn(await ownCase(), { reason }))).rejects.toMatchObject({
      kind: "invalid",
      details: { code: "reason-stopped", issues: [{ path: ["reason"], params: { word: "COAF" } }] },
    });
    await expectNothingSent();
  });

  it.each([
    "CPF 529.982.247-25",
    "52998224725",
    "CNPJ 11.222.333/0001-81",
    "ligar para (11) 98765-4321",
    "+55 11 3456-7890",
    "conta 12345-6",
    "529-982-247-25",
    "CNPJ 11 222 333 0001 81",
    "CNPJ 12ABC34501DE35",
  ])("sends no decision with somebody's number: %s", async (number) => {
    const reason = `Dados cadastrais conferem com as fontes consultadas. ${number}`;
    await expect(ordering(decisionOn(await ownCase(), { reason }))).rejects.toMatchObject({
      kind: "invalid",
      details: { issues: [{ path: ["reason"], params: { code: "no-identifier" } }] },
    });
    await expectNothingSent();
  });

  it("refuses a decision when the case already has that outcome", async () => {
    const kycUUID = await givenCase(db, { status: "APPROVED", assigneeId: staffId, assignedAt: new Date() });
    const expected = { status: "APPROVED", process: "kyc-backgroundcheck" };
    await expect(ordering(decisionOn(kycUUID, { expected }))).rejects.toMatchObject({
      kind: "invalid",
      details: { issues: [{ path: ["decision"], params: { code: "same-decision" } }] },
    });
    await expectNothingSent();
  });

  it("allows a blocked term in the internal note", async () => {
    await expect(ordering(decisionOn(await ownCase(), { note: "COAF avisado." }))).resolves.toMatchObject({
      state: "DECIDED",
    });
  });

  it("returns the same result on retry, even after a rule change", async () => {
    const once = decisionOn(await ownCase(), { intentId: randomUUID() });
    const first = await ordering(once);
    await givenRules({});
    await expect(ordering(once)).resolves.toEqual(first);
    expect(decisionsSent).toBe(1);
  });
});
