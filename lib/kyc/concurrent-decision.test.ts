import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { staff } from "@/lib/db/tables/staff";
import { kycCase, kycDecision } from "@/lib/db/tables/kyc";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import type { Harness } from "@/test/support/service/harness";
import { orderDecision } from "./decide";
import { claim } from "./assign";
import { readDecisionTerms } from "./read-case";
import type { CaseDecision } from "./inputs";
import { decisionOn, givenOwnCase, providerStatus } from "@/test/support/kyc";
import { givenIntentRows } from "@/test/support/claims";

const RACERS = 20;

let db: Db;
let service: Harness;
let bruna = "";
let carla = "";
let decisionsSent = 0;

async function analyst(name: string): Promise<string> {
  const id = await givenStaff(db, "compliance");
  await db.update(staff).set({ name }).where(eq(staff.id, id));
  return id;
}

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  bruna = await analyst("Bruna Lima");
  carla = await analyst("Carla Reis");
  decisionsSent = 0;
  service = await givenService(({ url }) => {
    if (url.endsWith("/manual-decision")) decisionsSent += 1;
  });
});

const as = (staffId: string) => actorOf("compliance", staffId, "kyc:decide");
const takeOver = (staffId: string, kycUUID: string, takeFrom: string) =>
  claim(actorOf("compliance", staffId, "kyc:assign"), { kycUUID, takeFrom });

const refusing: Partial<CaseDecision> = {
  decision: "REPROVED",
  reason: "Requisitos cadastrais não atendidos.",
  reasonCode: "requirements-unmet",
  checklist: [],
};

describe("of two people who decide one case", () => {
  it("tells the former assignee who decided, what and when", async () => {
    const kycUUID = await givenOwnCase(db, service, carla);
    await takeOver(bruna, kycUUID, carla);
    await orderDecision(as(bruna), decisionOn(kycUUID));
    await expect(orderDecision(as(carla), decisionOn(kycUUID, refusing))).rejects.toMatchObject({
      kind: "conflict",
      details: {
        code: "case-decided",
        decided: "APPROVED",
        holder: { id: bruna, name: "Bruna Lima", since: expect.stringMatching(/^\d{4}-/) },
        current: { status: "APPROVED", process: "kyc-backgroundcheck" },
      },
    });
    expect(decisionsSent).toBe(1);
    expect(await providerStatus(service, kycUUID)).toBe("APPROVED");
  });

  it("gives the second decider `case-decided` from the recheck", async () => {
    const kycUUID = await givenOwnCase(db, service, carla);
    await takeOver(bruna, kycUUID, carla);
    await orderDecision(as(bruna), decisionOn(kycUUID));
    await takeOver(carla, kycUUID, bruna);
    const late = orderDecision(as(carla), decisionOn(kycUUID, refusing));
    await expect(late).rejects.toMatchObject({ details: { code: "case-decided", holder: { name: "Bruna Lima" } } });
    expect(decisionsSent).toBe(1);
  });

  it("names nobody when the provider changed the case by itself", async () => {
    const kycUUID = await givenOwnCase(db, service, carla);
    await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status: "REPROVED" });
    await expect(orderDecision(as(carla), decisionOn(kycUUID))).rejects.toMatchObject({
      details: { code: "case-changed" },
    });
  });

  it("tells a late decider whose decision is in flight", async () => {
    const kycUUID = await givenOwnCase(db, service, carla);
    const id = randomUUID();
    const at = new Date("2026-11-12T17:03:00Z");
    const sender = { actor: bruna, owner: randomUUID(), key: randomUUID(), isExclusive: true, bodyHash: "x" };
    const sending = { state: "SENDING", attempts: 1, mayHaveExecuted: true, sendingUntil: at, createdAt: at } as const;
    const what = { tenant: "aurora", id, operation: "/v1/kyc/manual-decision", object: `kyc:${kycUUID}` };
    await givenIntentRows(db, { ...what, ...sender, ...sending });
    const decided = { decision: "APPROVED", reason: "sealed", staffId: bruna, createdAt: at } as const;
    await db.insert(kycDecision).values({ tenant: "aurora", intentId: id, kycUUID, ...decided });
    await expect(orderDecision(as(carla), decisionOn(kycUUID))).rejects.toMatchObject({
      details: { code: "decision-in-flight", holder: { name: "Bruna Lima", since: at.toISOString() } },
    });
    expect(decisionsSent).toBe(0);
  });

  it("tells the second proposer who proposed first and when", async () => {
    const kycUUID = await givenOwnCase(db, service, carla);
    await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status: "REPROVED" });
    await db.update(kycCase).set({ status: "REPROVED" }).where(eq(kycCase.kycUUID, kycUUID));
    const expected = { status: "REPROVED", process: "kyc-backgroundcheck" };
    await expect(orderDecision(as(carla), decisionOn(kycUUID, { expected }))).resolves.toMatchObject({
      state: "PROPOSED",
    });
    await takeOver(bruna, kycUUID, carla);
    await expect(orderDecision(as(bruna), decisionOn(kycUUID, { expected }))).rejects.toMatchObject({
      details: { code: "approval-open", holder: { name: "Carla Reis" } },
    });
  });
});

describe("twenty decisions about one case at once", () => {
  it("sends one of twenty decisions; the others are refused with a known reason", async () => {
    const kycUUID = await givenOwnCase(db, service, bruna);
    const racers = Array.from({ length: RACERS }, (_, n) =>
      n % 2 === 0
        ? orderDecision(as(bruna), decisionOn(kycUUID, n % 4 === 0 ? {} : refusing))
        : takeOver(n % 4 === 1 ? carla : bruna, kycUUID, n % 4 === 1 ? bruna : carla).then(() =>
            orderDecision(as(n % 4 === 1 ? carla : bruna), decisionOn(kycUUID, refusing)),
          ),
    );
    const ended = await Promise.allSettled(racers);
    const decided = ended.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(decided.filter(({ state }) => state === "DECIDED")).toHaveLength(1);
    expect(decisionsSent).toBe(1);
    const codes = ended.flatMap((one) => (one.status === "rejected" ? [one.reason.details.code] : []));
    const known = [
      "case-changed",
      "case-decided",
      "case-not-yours",
      "case-held",
      "decision-in-flight",
      "approval-open",
    ];
    expect(codes.filter((code) => !known.includes(code))).toEqual([]);
    expect(codes.length + decided.length).toBe(RACERS);
  });
});

describe("what somebody decides upon", () => {
  it("names the last decision, the assignee and whether that is the reader", async () => {
    const kycUUID = await givenOwnCase(db, service, bruna);
    await orderDecision(as(bruna), decisionOn(kycUUID));
    await expect(readDecisionTerms(as(carla), kycUUID)).resolves.toMatchObject({
      isMine: false,
      rulesVersion: 0,
      row: { status: "APPROVED", assignee: { name: "Bruna Lima" }, needsSecond: true },
      lastDecision: { decision: "APPROVED", byName: "Bruna Lima" },
    });
    await expect(readDecisionTerms(as(carla), "nothing")).rejects.toMatchObject({ kind: "not-found" });
  });
});
