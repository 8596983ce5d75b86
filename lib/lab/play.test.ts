import { randomUUID } from "node:crypto";
import { createAdaptorServer } from "@hono/node-server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { executeOrPropose } from "@/lib/approvals/propose";
import type { Db } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { onboarding } from "@/lib/db/tables/customers";
import { kycCase } from "@/lib/db/tables/kyc";
import { providerIntent } from "@/lib/db/tables/provider";
import { wallet } from "@/lib/db/tables/wallets";
import { sendTransfer } from "@/lib/transfers/transfer";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { givenCase, startKyc } from "@/test/support/kyc";
import { CONTROL_TOKEN, type Harness } from "@/test/support/service/harness";
import { openAccount } from "@/test/support/transfers";
import { inventHolder } from "@/test/support/onboarding";
import { personRequest } from "@/test/support/service/accounts";
import { AccountRequested } from "@/lib/contract/onboarding";
import { ScenarioRequest } from "./inputs";
import { play } from "./play";

let db: Db;
let service: Harness;
let staffId = "";
let asked: string[] = [];
let close: () => Promise<void> = async () => undefined;

async function openLab(token = CONTROL_TOKEN): Promise<void> {
  const server = createAdaptorServer({
    fetch: (request) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return service.app.fetch(request);
    },
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  close = () => new Promise((done) => server.close(() => done()));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  givenEnv({ lab: { baseUrl: `http://127.0.0.1:${port}`, token } });
}

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "admin");
  service = await givenService();
  asked = [];
  await openLab();
});
afterEach(() => close());

const admin = () => actorOf("admin", staffId, "settings:manage");
const playing = (scenario: string, values: Record<string, string> = {}) =>
  play(admin(), ScenarioRequest.parse({ scenario, values }));
const stateOf = async () => Object((await service.control("GET", "/sandbox/state?clientId=aurora")).body).data;
const recorded = async () =>
  (await db.select().from(auditEvent).where(eq(auditEvent.code, "lab.play"))).map(({ detail }) => detail["scenario"]);

describe("a scenario of the lab", () => {
  it.each([
    ["limit-calls", { seconds: "30" }, { trouble: { kind: "rate-limited" } }],
    ["answer-unavailable", { seconds: "600" }, { trouble: { kind: "unavailable" } }],
    ["fall-silent", { seconds: "1" }, { trouble: { kind: "silent" } }],
    ["lose-deliveries", { seconds: "60" }, { outageUntil: expect.any(String) }],
    ["hold-next", {}, { holds: 1 }],
  ])("begins %s at the service, and puts it on record", async (name, values, begun) => {
    await playing(name, values);
    expect(await stateOf()).toMatchObject(begun);
    expect(await recorded()).toEqual([name]);
  });

  it("ends what lasts", async () => {
    await playing("fall-silent", { seconds: "600" });
    await playing("lose-deliveries", { seconds: "600" });
    await playing("hold-next");
    for (const end of ["end-trouble", "end-lost-deliveries", "end-holds"]) await playing(end);
    expect(await stateOf()).toMatchObject({ trouble: null, outageUntil: null, holds: 0 });
  });

  it("holds the next transfer, and releases it by its row here", async () => {
    const from = await openAccount(service, 500);
    const to = await openAccount(service, 0);
    await playing("hold-next");
    const maker = actorOf("support", await givenStaff(db, "support"), "transfers:create");
    const intentId = randomUUID();
    const between = { accountIdFrom: from.accountId, accountIdTo: to.accountId, userId: "user" };
    const order = { intentId, isRepeat: false, seen: [], ...between, amount: "10.00", description: "" };
    await executeOrPropose(sendTransfer, maker, order);
    const held = await db.select().from(providerIntent).where(eq(providerIntent.id, intentId));
    expect(held.map(({ state }) => state)).toEqual(["HELD"]);
    await playing("release-held", { held: intentId });
    expect(asked.at(-1)).toBe(`POST /sandbox/transactions/${held[0]?.antifraudId}`);
    await expect(playing("refuse-held", { held: intentId })).rejects.toMatchObject({ kind: "conflict" });
  });

  it("lets a held transfer expire, of which no clock knows", async () => {
    const from = await openAccount(service, 500);
    const to = await openAccount(service, 0);
    await playing("hold-next");
    const maker = actorOf("support", await givenStaff(db, "support"), "transfers:create");
    const intentId = randomUUID();
    const between = { accountIdFrom: from.accountId, accountIdTo: to.accountId, userId: "user" };
    const order = { intentId, isRepeat: false, seen: [], ...between, amount: "10.00", description: "" };
    await executeOrPropose(sendTransfer, maker, order);
    const { now } = await stateOf();
    await playing("expire-held", { held: intentId });
    expect((await stateOf()).now).toBe(now);
    await expect(playing("expire-held", { held: intentId })).rejects.toMatchObject({ kind: "conflict" });
  });

  it("reopens a decided case, and none of another tenant", async () => {
    const kycUUID = await startKyc(service);
    await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status: "APPROVED" });
    await expect(playing("reopen-case", { case: kycUUID })).rejects.toMatchObject({ kind: "conflict" });
    await givenCase(db, { kycUUID, tenant: "boreal", status: "APPROVED" });
    await expect(playing("reopen-case", { case: kycUUID })).rejects.toMatchObject({ kind: "conflict" });
    await db.update(kycCase).set({ tenant: "aurora" });
    await playing("reopen-case", { case: kycUUID });
    expect((await service.send("GET", `/v1/kyc/list?kycUUID=${kycUUID}`)).body).toMatchObject({
      result: [{ status: "PENDING" }],
    });
  });

  it("deposits coins at an address of the tenant's own, with a comma as with a point", async () => {
    const made = await service.send("POST", "/v1/crypto/wallets", { body: { network: "EVM", isForwardPayment: 1 } });
    const { address } = Object(made.body).data;
    const at = new Date();
    await db.insert(wallet).values({
      tenant: "aurora",
      id: "checkout",
      address,
      family: "EVM",
      coin: "ETH",
      status: "ACTIVE",
      isForwardPayment: true,
      createdAt: at,
      seenAt: at,
    });
    await playing("deposit-coins", { address: "checkout", amount: "2,5" });
    const history = await service.send("GET", `/v1/crypto/wallets/${address}/history?network=ETHEREUM&page=0`);
    expect(JSON.stringify(history.body)).toContain("2.5");
  });

  it("refuses an onboarding by its row here, and none of another tenant", async () => {
    const document = inventHolder();
    const requested = await service.send("POST", "/v1/bank-accounts/create", { body: personRequest(document) });
    const { onBoardingId } = AccountRequested.parse(requested.body).data.body;
    const at = new Date();
    const [row] = await db
      .insert(onboarding)
      .values({
        id: randomUUID(),
        tenant: "boreal",
        onBoardingId,
        documentHash: "hash",
        documentSealed: "sealed",
        status: "PROCESSING",
        messages: [],
        firstSeenAt: at,
        changedAt: at,
        checkedAt: at,
      })
      .returning();
    const refusing = () => playing("refuse-onboarding", { onboarding: row?.id ?? "" });
    await expect(refusing()).rejects.toMatchObject({ kind: "conflict" });
    expect(asked).toEqual([]);
    await db.update(onboarding).set({ tenant: "aurora" });
    await refusing();
    const path = `/v1/bank-accounts/checkOnboarding?onBoardingId=${onBoardingId}`;
    expect(JSON.stringify((await service.send("GET", path)).body)).toContain('"ERROR"');
  });
});

describe("the closed list", () => {
  it.each([
    ["limit-calls", {}, "seconds", "required"],
    ["limit-calls", { seconds: "0" }, "seconds", "lab-seconds"],
    ["limit-calls", { seconds: "601" }, "seconds", "lab-seconds"],
    ["limit-calls", { seconds: "1e2.5" }, "seconds", "lab-seconds"],
    ["deposit-coins", { address: "checkout", amount: "-1" }, "amount", "lab-coins"],
    ["deposit-coins", { address: "checkout", amount: "0,0" }, "amount", "lab-coins"],
    ["deposit-coins", { address: "checkout", amount: " " }, "amount", "required"],
    ["deposit-coins", { amount: "1" }, "address", "required"],
  ])("names the wrong field of %s %j", (scenario, values, field, code) => {
    const issues = ScenarioRequest.safeParse({ scenario, values }).error?.issues ?? [];
    expect(issues.map(({ path, ...issue }) => [path, Object(issue).params?.code])).toEqual([[["values", field], code]]);
  });

  it("takes no path, no method and no other name", () => {
    for (const scenario of ["/sandbox/clock", "clock", "POST /sandbox/faults", ""])
      expect(ScenarioRequest.safeParse({ scenario, values: {} }).success).toBe(false);
  });

  it("sends nothing that was typed but what a scenario asks for", async () => {
    await playing("hold-next", { path: "/sandbox/clock", transfers: "100", clientId: "boreal" });
    expect(asked).toEqual(["POST /sandbox/holds"]);
    expect(await stateOf()).toMatchObject({ holds: 1 });
  });

  it("is 404 at any other provider, and nothing is asked or recorded", async () => {
    const { lab } = givenEnv();
    expect(lab).toBeNull();
    await expect(playing("hold-next")).rejects.toMatchObject({ digest: "NEXT_HTTP_ERROR_FALLBACK;404" });
    expect([asked, await recorded()]).toEqual([[], []]);
  });

  it("is unavailable when the service has another token or is gone", async () => {
    await close();
    await expect(playing("hold-next")).rejects.toMatchObject({ kind: "unavailable" });
    await openLab("another");
    await expect(playing("hold-next")).rejects.toMatchObject({ kind: "unavailable" });
  });
});
