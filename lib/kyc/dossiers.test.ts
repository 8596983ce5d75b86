import { reconcileWrites } from "@/lib/sent-writes";
import { createPublicKey, randomUUID } from "node:crypto";
import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { signingKey } from "@/lib/audit/head";
import { type Provider, provider } from "@/lib/provider/client";
import { createIntents } from "@/lib/provider/intents/intent";
import { providerIntent } from "@/lib/db/tables/provider";
import { Contents } from "@/lib/dossiers/contents";
import { fileOf } from "@/lib/dossiers/records";
import { dossier } from "@/lib/db/tables/dossiers";
import { verifyDossier } from "@/lib/dossiers/verify";
import { env } from "@/lib/settings/env";
import { sha256 } from "@/lib/text/decode";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { sweepOnce } from "@/lib/watch/watch";
import type { Harness } from "@/test/support/service/harness";
import { readDossiers } from "./evidence";
import type { CaseDecision } from "./inputs";
import { kycEvent } from "@/lib/db/tables/kyc";
import { decide, decisionOn, startKyc } from "@/test/support/kyc";
import { kycWatch } from "./watch";

const idle = () => {};

const DECIDE = "/v1/kyc/manual-decision";

let db: Db;
let service: Harness;
let staffId = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "compliance");
  service = await givenService();
  globalThis.retaguardaIntents = undefined;
});

const deciding = (input: CaseDecision) => decide(actorOf("compliance", staffId, "kyc:decide"), input);
const fault = (changes: Record<string, unknown>) =>
  service.control("POST", "/sandbox/faults", { method: "POST", path: DECIDE, times: 1, ...changes });

const rows = () => db.select().from(dossier).orderBy(asc(dossier.createdAt));

async function onlyRow() {
  const [row, ...others] = await rows();
  if (row === undefined || others.length > 0) throw new Error(`there are ${others.length + (row ? 1 : 0)} dossiers`);
  return row;
}

/** The content of a sealed dossier after verification. */
async function contentsOf(row: Awaited<ReturnType<typeof onlyRow>>): Promise<Contents> {
  const verification = verifyDossier(Buffer.from(fileOf(row) ?? ""), [createPublicKey(signingKey(env().auditKey))]);
  if (verification.kind !== "valid") throw new Error(`it is ${verification.kind}`);
  return Contents.parse(verification.contents);
}

const recorded = async (code: string) =>
  (await db.select().from(auditEvent).orderBy(asc(auditEvent.seq))).filter((row) => row.code === code);

/** The process dies during a decision, and its remains are backdated. `post` is the last thing it did. */
async function dieOver(
  input: CaseDecision,
  { post, attempts }: { post: Provider["post"]; attempts: number },
): Promise<void> {
  let hasBegun = false;
  globalThis.retaguardaIntents = createIntents({
    post: (...given) => {
      hasBegun = true;
      return post(...given);
    },
    now: () => 0,
    sleep: async () => {},
    random: () => 0,
  });
  void deciding(input).catch(() => undefined);
  await vi.waitFor(() => expect(hasBegun).toBe(true), { timeout: 10_000 });
  globalThis.retaguardaIntents = undefined;
  const gone = { owner: randomUUID(), sendingUntil: sql`clock_timestamp() - interval '1 second'`, attempts };
  await db.update(providerIntent).set(gone).where(eq(providerIntent.id, input.intentId));
}

const never = <T>() => new Promise<T>(() => {});

describe("the dossier of a decision", () => {
  it("holds what was on screen, the provider's last answer and the outcome", async () => {
    const kycUUID = await startKyc(service);
    const input = decisionOn(kycUUID, { note: "Conferi com a agência" });
    await deciding(input);
    const row = await onlyRow();
    const contents = await contentsOf(row);
    expect(contents.decision).toMatchObject({
      decision: "APPROVED",
      reason: input.reason,
      note: "Conferi com a agência",
      rulesVersion: 0,
    });
    expect(contents.decision.checklist.every(({ isChecked }) => isChecked)).toBe(true);
    expect(contents.people).toEqual([{ part: "proposer", id: staffId, name: "Ana Prado", roles: ["compliance"] }]);
    const [answer] = contents.provider;
    expect(JSON.parse(answer?.text ?? "")).toMatchObject({ result: [{ kycUUID, status: "PROCESSING" }] });
    expect(answer?.sha256).toBe(sha256(answer?.text ?? ""));
    expect(contents.outcome).toMatchObject({ state: "DONE", status: 200, attempts: 1, foundBy: staffId });
    expect(contents.outcome.answerSha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it("audits and freezes a dossier before sending, with its seal in the chain", async () => {
    await deciding(decisionOn(await startKyc(service)));
    const row = await onlyRow();
    const [intent] = await recorded("kyc.decide");
    expect(intent?.detail).toMatchObject({ evidence: row.frozenHash });
    const [sealed] = await recorded("kyc.dossier");
    expect(sealed).toMatchObject({ detail: { dossierId: row.id, sha256: row.sha256, state: "DONE" } });
    const events = await db.select().from(kycEvent).orderBy(asc(kycEvent.id));
    expect(events.at(-1)).toMatchObject({ kind: "dossier-sealed", detail: { dossierId: row.id } });
  });

  it("stores nothing of a dossier in clear", async () => {
    await deciding(decisionOn(await startKyc(service), { reason: "Nome da mãe confere" }));
    const row = await onlyRow();
    expect(row.fileSealed).toMatch(/^v2\./);
    expect(JSON.stringify(row)).not.toContain("confere");
    expect(row.frozenSealed).toBeNull();
  });

  it("covers a decision that the provider refused, and one that never left", async () => {
    const kycUUID = await startKyc(service);
    await fault({ status: 422, body: { message: "no" } });
    await expect(deciding(decisionOn(kycUUID))).rejects.toMatchObject({ details: { status: 422 } });
    await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status: "REPROVED" });
    await expect(deciding(decisionOn(kycUUID))).rejects.toMatchObject({ details: { code: "case-changed" } });
    const [refused, unsent] = await rows();
    if (refused === undefined || unsent === undefined) throw new Error("a dossier is missing");
    expect((await contentsOf(refused)).outcome).toMatchObject({ state: "REFUSED", status: 422, attempts: 1 });
    const contents = await contentsOf(unsent);
    expect(contents.outcome).toMatchObject({ state: "REFUSED", code: "case-changed", attempts: 0 });
    expect(contents.provider[0]?.text).toContain("REPROVED");
  });

  it("makes a new dossier for a refused intent that was sent again", async () => {
    const again = decisionOn(await startKyc(service));
    const down = { method: "GET", path: "/v1/kyc/list", status: 500, body: { message: "down" }, times: 100 };
    await service.control("POST", "/sandbox/faults", down);
    await expect(deciding(again)).rejects.toMatchObject({ kind: "unavailable" });
    await service.control("DELETE", "/sandbox/faults");
    await deciding(again);
    expect((await rows()).map(({ endState }) => endState)).toEqual(["REFUSED", "DONE"]);
  });
});

describe("a decision whose end nobody saw", () => {
  it("seals a dossier once its decision's effect is seen", async () => {
    const kycUUID = await startKyc(service);
    await sweepOnce(kycWatch, "aurora");
    await fault({ drop: true });
    await expect(deciding(decisionOn(kycUUID))).rejects.toMatchObject({ details: { code: "decision-unconfirmed" } });
    expect(await onlyRow()).toMatchObject({ sealedAt: null, endState: null });
    expect(await recorded("kyc.dossier")).toEqual([]);
    await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status: "APPROVED" });
    await sweepOnce(kycWatch, "aurora");
    const { outcome } = await contentsOf(await onlyRow());
    expect(outcome).toMatchObject({ state: "DONE", foundBy: "watch:kyc", requestId: null, answerSha256: null });
  });

  it("seals a dossier as unknown once a later decision took effect", async () => {
    const kycUUID = await startKyc(service);
    await fault({ status: 503, body: { message: "down" } });
    await expect(deciding(decisionOn(kycUUID))).rejects.toMatchObject({ details: { code: "decision-unconfirmed" } });
    await deciding(decisionOn(kycUUID, { decision: "REPROVED", reasonCode: "document-expired" }));
    const [first, second] = await rows();
    expect([first?.endState, second?.endState]).toEqual(["UNKNOWN", "DONE"]);
    expect(await recorded("kyc.dossier")).toHaveLength(2);
    expect(await readDossiers(actorOf("support", staffId, "kyc:read"), kycUUID)).toMatchObject([
      { decision: "REPROVED", byName: "Ana Prado", sealed: { end: "DONE", sha256: second?.sha256 } },
      { decision: "APPROVED", sealed: { end: "UNKNOWN" } },
    ]);
  });

  it.each([
    { when: "before it sent anything", post: never, attempts: 0, end: "REFUSED", listed: "PROCESSING" },
    { when: "right after it was sent", post: never, attempts: 1, end: "DONE", listed: "APPROVED" },
  ])("makes one dossier when the process died $when", async ({ post, attempts, end, listed }) => {
    const kycUUID = await startKyc(service);
    await sweepOnce(kycWatch, "aurora");
    await dieOver(decisionOn(kycUUID), { post, attempts });
    expect(await onlyRow()).toMatchObject({ sealedAt: null });
    await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status: listed });
    await reconcileWrites("aurora");
    await sweepOnce(kycWatch, "aurora");
    await sweepOnce(kycWatch, "aurora");
    expect((await contentsOf(await onlyRow())).outcome.state).toBe(end);
    expect(await recorded("kyc.dossier")).toHaveLength(1);
  });

  it("makes one dossier when the answer came after the sender's lease expired", async () => {
    const kycUUID = await startKyc(service);
    await sweepOnce(kycWatch, "aurora");
    let hasAnswered = false;
    let release = idle;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const input = decisionOn(kycUUID);
    const late: Provider["post"] = async (...given) => {
      const answered = await provider.post(...given);
      hasAnswered = true;
      await released;
      return answered;
    };
    await dieOver(input, { post: late, attempts: 1 });
    await vi.waitFor(() => expect(hasAnswered).toBe(true));
    await reconcileWrites("aurora");
    expect(await onlyRow()).toMatchObject({ sealedAt: null });
    release();
    await vi.waitFor(async () => expect(await onlyRow()).toMatchObject({ endState: "DONE" }), { timeout: 10_000 });
    await sweepOnce(kycWatch, "aurora");
    expect(await recorded("kyc.dossier")).toHaveLength(1);
  });
});
