import { APPROVABLE_WRITES } from "@/lib/writes/approvable";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { accountsIn, noteAccounts } from "@/lib/accounts/records";
import { authorise } from "@/lib/approvals/decide";
import type { PolicyRule } from "@/lib/permission/writes";
import { maskDocument } from "@/lib/contract/document";
import type { Db } from "@/lib/db/connection";
import { approval } from "@/lib/db/tables/approvals";
import { account, onboarding } from "@/lib/db/tables/customers";
import { kycDecision } from "@/lib/db/tables/kyc";
import { onboardingRequest } from "@/lib/db/tables/onboarding";
import { requestAccount } from "@/lib/onboarding/create";
import { givenPolicy, giveRoles } from "@/test/support/approvals";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { decisionOn, givenCase, givenOwnCase, givenStarted, inventCpf } from "@/test/support/kyc";
import { accountOrder } from "@/test/support/onboarding";
import type { Harness } from "@/test/support/service/harness";
import { orderDecision } from "./decide";
import { readExposures } from "./exposure";
import { findCase, readCaseQueue } from "./queue";

const RACERS = 10;

let db: Db;
let service: Harness;
let ana = "";
let document = "";
let decisionsSent = 0;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "compliance");
  document = inventCpf();
  decisionsSent = 0;
  service = await givenService(({ url }) => {
    if (url.endsWith("/manual-decision")) decisionsSent += 1;
  });
});

const decider = () => actorOf("compliance", ana, "kyc:decide");

async function givenRule(rule: PolicyRule, version = 0): Promise<void> {
  const admin = actorOf("admin", await givenStaff(db, "admin"), "settings:manage");
  await givenPolicy(admin, { kind: "kyc.decision", version, rule, amount: null, expiresAfterHours: 24 });
}

/** As the provider's list of accounts names it. */
const readAccount = (said: unknown, accountId = "acc-1") =>
  noteAccounts("aurora", accountsIn([{ accountId, documentNumber: document, isPep: said }]), new Date());

async function givenStartedCase(): Promise<string> {
  const kycUUID = await givenOwnCase(db, service, ana);
  await givenStarted(db, ana, { kycUUID, document });
  return kycUUID;
}

const exposureOf = async (kycUUID: string) => (await findCase(db, { tenant: "aurora", kycUUID }))?.row;

describe("whether a holder is politically exposed", () => {
  it("is not known while nobody typed or read it", async () => {
    const kycUUID = await givenStartedCase();
    await givenRule("on-exposed");
    expect(await exposureOf(kycUUID)).toMatchObject({ exposure: "unknown", needsSecond: false });
    await readAccount(undefined);
    expect(await exposureOf(kycUUID)).toMatchObject({ exposure: "unknown" });
    expect(await orderDecision(decider(), decisionOn(kycUUID))).toMatchObject({ state: "DECIDED" });
  });

  it.each([
    ["sim", "yes"],
    [true, "yes"],
    ["false", "no"],
    ["talvez", "unknown"],
  ])("reads %s of the account as %s", async (said, exposure) => {
    const kycUUID = await givenStartedCase();
    await readAccount(said);
    expect(await exposureOf(kycUUID)).toMatchObject({ exposure });
    const { rows } = await readCaseQueue(actorOf("compliance", ana, "kyc:read"), { status: "all" });
    expect(rows).toMatchObject([{ exposure }]);
  });

  it("is kept with the attempt as typed, and a later no does not undo it", async () => {
    const order = accountOrder();
    const person = { ...order.person, documentNumber: document, isPoliticallyExposedPerson: true };
    await requestAccount(actorOf("compliance", ana, "onboarding:create"), { ...order, person });
    expect(await db.select({ isExposed: onboardingRequest.isExposed }).from(onboardingRequest)).toEqual([
      { isExposed: true },
    ]);
    const kycUUID = await givenStartedCase();
    await readAccount("false");
    expect(await exposureOf(kycUUID)).toMatchObject({ exposure: "yes" });
  });

  it("is yes once any kept answer is, of ten typed at once by two people", async () => {
    const people = [ana, await givenStaff(db, "compliance")];
    const typed = await Promise.allSettled(
      Array.from({ length: RACERS }, (_, nth) => {
        const order = accountOrder();
        const person = { ...order.person, documentNumber: document, isPoliticallyExposedPerson: nth % 2 === 0 };
        const by = actorOf("compliance", people[nth % 2] ?? ana, "onboarding:create");
        return requestAccount(by, { ...order, person });
      }),
    );
    const kept = await db.select({ isExposed: onboardingRequest.isExposed }).from(onboardingRequest);
    expect(typed.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(0);
    const kycUUID = await givenStartedCase();
    const exposure = kept.some(({ isExposed }) => isExposed === true) ? "yes" : "no";
    expect(await exposureOf(kycUUID)).toMatchObject({ exposure });
  });

  it("is perhaps, for a case started elsewhere with the mask of such a person", async () => {
    const kycUUID = await givenCase(db, { vatNumber: maskDocument(document) });
    expect(await exposureOf(kycUUID)).toMatchObject({ exposure: "unknown" });
    await readAccount("no");
    expect(await exposureOf(kycUUID)).toMatchObject({ exposure: "unknown" });
    await readAccount("yes", "acc-2");
    await givenRule("on-exposed");
    expect(await exposureOf(kycUUID)).toMatchObject({ exposure: "perhaps", needsSecond: true });
  });

  it("asks nobody of another company", async () => {
    const kycUUID = await givenStartedCase();
    await noteAccounts(
      "boreal",
      accountsIn([{ accountId: "acc-1", documentNumber: document, isPep: "sim" }]),
      new Date(),
    );
    expect(await exposureOf(kycUUID)).toMatchObject({ exposure: "unknown" });
    expect((await readExposures(db, "boreal", [{ kycUUID, vatNumber: "-" }])).get(kycUUID)).toBe("unknown");
  });

  it("is not known in a store put back to before it, until it is read again", async () => {
    const kycUUID = await givenStartedCase();
    await givenRule("on-exposed");
    await readAccount("sim");
    await db.update(account).set({ isExposed: null }).where(eq(account.tenant, "aurora"));
    expect(await exposureOf(kycUUID)).toMatchObject({ exposure: "unknown", needsSecond: false });
    await readAccount("sim");
    expect(await exposureOf(kycUUID)).toMatchObject({ exposure: "yes", needsSecond: true });
    expect(await orderDecision(decider(), decisionOn(kycUUID))).toMatchObject({ state: "PROPOSED" });
  });
});

describe("a decision about a politically exposed person", () => {
  it.each(["never", "on-redecision"] as const)("is sent at once under the rule %s", async (rule) => {
    const kycUUID = await givenStartedCase();
    await givenRule(rule);
    await readAccount("sim");
    expect(await orderDecision(decider(), decisionOn(kycUUID))).toMatchObject({ state: "DECIDED" });
    expect(decisionsSent).toBe(1);
  });

  it("waits for somebody else than who asked", async () => {
    const kycUUID = await givenStartedCase();
    await givenRule("on-exposed");
    await readAccount("sim");
    const answer = await orderDecision(decider(), decisionOn(kycUUID));
    if (answer.state !== "PROPOSED") throw new Error(`it was ${answer.state}`);
    const asked = { approvalId: answer.approvalId };
    await giveRoles(db, ana, "compliance", "approver");
    await expect(
      authorise(APPROVABLE_WRITES, actorOf("approver", ana, "approvals:authorize"), asked),
    ).rejects.toMatchObject({ details: { code: "approval-own" } });
    expect(decisionsSent).toBe(0);
    const bruna = actorOf("approver", await givenStaff(db, "approver"), "approvals:authorize");
    await authorise(APPROVABLE_WRITES, bruna, asked);
    expect(decisionsSent).toBe(1);
  });

  it("waits once, of ten ordered at once", async () => {
    const kycUUID = await givenStartedCase();
    await givenRule("on-exposed");
    await readAccount("sim");
    const ended = await Promise.allSettled(
      Array.from({ length: RACERS }, () => orderDecision(decider(), decisionOn(kycUUID))),
    );
    const taken = ended.flatMap((one) => (one.status === "fulfilled" ? [one.value.state] : []));
    const refused = ended.flatMap((one) => (one.status === "rejected" ? [one.reason.details.code] : []));
    expect(taken).toEqual(["PROPOSED"]);
    expect(refused).toEqual(Array.from({ length: RACERS - 1 }, () => "approval-open"));
    expect(decisionsSent).toBe(0);
    expect(await db.$count(kycDecision)).toBe(0);
  });

  it("waits where the rule came after the dialog was opened", async () => {
    const kycUUID = await givenStartedCase();
    await readAccount("sim");
    const opened = await exposureOf(kycUUID);
    expect(opened?.needsSecond).toBe(false);
    await givenRule("on-exposed");
    expect(await orderDecision(decider(), decisionOn(kycUUID))).toMatchObject({ state: "PROPOSED" });
    expect(decisionsSent).toBe(0);
  });

  it("is sent or waits, never both, while ten order and the rule changes", async () => {
    const kycUUID = await givenStartedCase();
    await readAccount("sim");
    const orders = Array.from({ length: RACERS }, () => orderDecision(decider(), decisionOn(kycUUID)));
    const ended = await Promise.allSettled([...orders, givenRule("on-exposed")]);
    expect(ended.at(-1)?.status).toBe("fulfilled");
    expect(decisionsSent + (await db.$count(approval))).toBeGreaterThan(0);
    expect(decisionsSent).toBeLessThanOrEqual(1);
    expect(await db.$count(kycDecision)).toBe(decisionsSent);
  });
});

it("keeps what was typed about an attempt found only by its mask", async () => {
  const order = accountOrder();
  const person = { ...order.person, documentNumber: document, isPoliticallyExposedPerson: true };
  const { id } = await requestAccount(actorOf("compliance", ana, "onboarding:create"), { ...order, person });
  const [attempt] = await db.select().from(onboarding).where(eq(onboarding.id, id));
  const kycUUID = await givenCase(db, { vatNumber: attempt?.documentMask ?? "" });
  expect(await exposureOf(kycUUID)).toMatchObject({ exposure: "perhaps" });
});
