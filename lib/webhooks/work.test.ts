import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { completeCpf } from "@/lib/contract/document";
import { WalletCreated } from "@/lib/contract/crypto";
import { AccountRequested } from "@/lib/contract/onboarding";
import { liveEvent } from "@/lib/live/schema";
import { log } from "@/lib/log";
import { onboarding, watchState } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { givenEnv, givenService, givenStore } from "@/lib/testing";
import { walletBalance } from "@/lib/wallets/schema";
import { walletWatch } from "@/lib/wallets/watch";
import { sweepOnce } from "@/lib/watch";
import { personRequest } from "@/service/accounts/testing";
import type { Harness } from "@/service/testing";
import { takeDelivery } from "./intake";
import { webhookEvent } from "./schema";
import { deliveryOf, givenIntake, pass } from "./testing";
import { webhookWatch } from "./watch";

let db: Db;
let service: Harness;
let asked: string[] = [];

beforeEach(async () => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  givenEnv();
  db = await givenStore();
  asked = [];
  service = await givenService(({ url }) => {
    if (url.includes("/authentication/")) return;
    const { pathname, searchParams } = new URL(url);
    asked.push(searchParams.get("onBoardingId") ?? pathname);
  });
  service.clock.set(Date.now());
});

const deliver = async (payload: object, event = "onboarding-create") =>
  expect(await takeDelivery(givenIntake(db).door, "aurora", deliveryOf(payload, { event }))).toBe(204);
const sweep = () => sweepOnce(webhookWatch, "aurora");
const rows = () => db.select().from(webhookEvent).orderBy(asc(webhookEvent.seq));
const states = async () => (await rows()).map(({ state }) => state);

async function requestAccount(n: number): Promise<string> {
  const body = personRequest(completeCpf(String(310_000_100 + n)));
  return AccountRequested.parse((await service.send("POST", "/v1/bank-accounts/create", { body })).body).data.body
    .onBoardingId;
}

async function openWallet() {
  const { body } = await service.send("POST", "/v1/crypto/wallets", { body: { network: "EVM" } });
  const { walletId, address } = WalletCreated.parse(body).data;
  await sweepOnce(walletWatch, "aurora");
  asked = [];
  return { walletId, address };
}

describe("an event about an onboarding", () => {
  it("has it read again, which is what changes it: never what the event says", async () => {
    const id = await requestAccount(1);
    await deliver({ onBoardingId: id, status: "CONFIRMED", biometricUrl: "https://evil.example/" });
    await sweep();
    expect(await db.select().from(onboarding)).toMatchObject([
      { onBoardingId: id, status: "PROCESSING", biometricUrl: null, accountId: null },
    ]);
    const [kept] = await db.select().from(onboarding);
    expect(await rows()).toMatchObject([
      { state: "DONE", object: `onboarding:${kept?.id}`, doneAt: expect.any(Date), failure: null },
    ]);
  });

  it("costs nothing when somebody had it looked at since", async () => {
    const id = await requestAccount(1);
    await deliver({ onBoardingId: id, n: 1 });
    await sweep();
    await deliver({ onBoardingId: id, n: 2 });
    await db.update(onboarding).set({ checkedAt: sql`clock_timestamp()` });
    await pass(db, 0);
    asked = [];
    await db.update(webhookEvent).set({ doneAt: sql`done_at - interval '1 minute'` });
    await sweep();
    expect(asked).toEqual([]);
    expect(await states()).toEqual(["DONE", "DONE"]);
  });

  it("that nobody knows is given up at once, and hinders no other", async () => {
    const id = await requestAccount(1);
    await deliver({ onBoardingId: "nowhere-at-all" });
    await deliver({ onBoardingId: id });
    await sweep();
    expect(await rows()).toMatchObject([{ state: "GIVEN_UP", failure: "not-found" }, { state: "DONE" }]);
  });

  it("wakes nothing when it came from a stranger", async () => {
    await takeDelivery(
      givenIntake(db).door,
      "aurora",
      deliveryOf({ onBoardingId: "x" }, { signature: "0".repeat(64) }),
    );
    await sweep();
    expect(asked).toEqual([]);
  });
});

describe("an event about coins", () => {
  it("has the balance of that wallet read on that network alone", async () => {
    const { walletId, address } = await openWallet();
    await service.control("POST", "/sandbox/crypto/deposits", { network: "POLYGON", address, amount: "1.5" });
    await deliver({ walletId, network: "POLYGON", amount: "999999", address: "elsewhere" }, "crypto-cash-in");
    await sweep();
    expect(asked).toHaveLength(1);
    const [balance] = await db.select().from(walletBalance).where(eq(walletBalance.network, "POLYGON"));
    expect(balance?.entries.find(({ type }) => type === "native")?.balance).toMatch(/^1\.50*$/);
    expect(await rows()).toMatchObject([{ state: "DONE", object: `wallet:${walletId}` }]);
  });

  it("on a network that is none of the wallet's has all of them read", async () => {
    const { walletId } = await openWallet();
    await deliver({ walletId, network: "MOON" }, "crypto-cash-in");
    await sweep();
    expect(asked).toHaveLength(3);
  });

  it("in a wallet that is not kept yet waits for the list of wallets", async () => {
    await deliver({ walletId: "new-one", network: "POLYGON" }, "crypto-cash-in");
    await sweep();
    expect(await states()).toEqual(["WAITING"]);
    const [hurried] = await db.select().from(watchState).where(eq(watchState.name, "wallets"));
    expect(hurried).toMatchObject({ begunAt: null });
    await sweepOnce(walletWatch, "aurora");
    await sweep();
    expect(await states()).toEqual(["DONE"]);
  });
});

describe("an event of KYC, which the interface only plans", () => {
  it("hurries the sweep of the list, and is done with the next that comes to its end", async () => {
    await deliver({ kycUUID: "0d6f9f1e", status: "APPROVED" }, "kyc-status");
    await sweep();
    expect([asked, await states()]).toEqual([[], ["WAITING"]]);
    await db
      .update(watchState)
      .set({ asOf: sql`clock_timestamp()` })
      .where(eq(watchState.name, "kyc"));
    await sweep();
    expect(await rows()).toMatchObject([{ state: "DONE", wakes: "kyc", object: null }]);
  });
});

const fail = () => {
  const path = "/v1/bank-accounts/checkOnboarding";
  return service.control("POST", "/sandbox/faults", { method: "GET", path, status: 503, times: 1_000 });
};

describe("while the provider does not answer", () => {
  it("events wait and say why, cost one try a sweep, and are done once it is back", async () => {
    const [one, other] = [await requestAccount(1), await requestAccount(2)];
    await fail();
    await deliver({ onBoardingId: one });
    await deliver({ onBoardingId: other });
    await sweep();
    expect(await rows()).toMatchObject([
      { state: "WAITING", failure: "unavailable" },
      { state: "WAITING", failure: null },
    ]);
    expect(new Set(asked)).toEqual(new Set([one]));
    await service.control("DELETE", "/sandbox/faults");
    await pass(db, 31_000);
    await db.update(webhookEvent).set({ receivedAt: sql`clock_timestamp()` });
    await sweep();
    expect(await rows()).toMatchObject([
      { state: "DONE", failure: null },
      { state: "DONE", failure: null },
    ]);
  });

  it("an event of an hour ago is left to the rounds that look at everything", async () => {
    await fail();
    await deliver({ onBoardingId: "x" });
    await pass(db, 3_601_000);
    await sweep();
    expect(asked).toEqual([]);
    expect(await rows()).toMatchObject([{ state: "GIVEN_UP", failure: "unavailable", doneAt: expect.any(Date) }]);
  });
});

it("an event that cannot be opened any more is given up, said in the log, and hinders no other", async () => {
  const wrong = vi.spyOn(log, "error").mockImplementation(() => undefined);
  await deliver({ onBoardingId: "x" });
  await db.update(webhookEvent).set({ bodySealed: "v2.00000000.AAAA" });
  await deliver({ onBoardingId: await requestAccount(1) });
  await sweep();
  expect(await rows()).toMatchObject([{ state: "GIVEN_UP", failure: "malformed" }, { state: "DONE" }]);
  expect(wrong).toHaveBeenCalledOnce();
});

it("what a process that died had begun is looked at by the next", async () => {
  const id = await requestAccount(1);
  await deliver({ onBoardingId: id });
  // It read, and died before it could say so.
  await sweep();
  await db.update(webhookEvent).set({ state: "WAITING", doneAt: null, object: null });
  await sweep();
  expect(await rows()).toMatchObject([{ state: "DONE", object: expect.stringMatching(/^onboarding:/) }]);
});

const told = async () => (await db.select().from(liveEvent)).filter(({ topic }) => topic === "webhooks").length;

it("screens are told of each thing that was done, and of nothing when there was nothing", async () => {
  await sweep();
  await deliver({ phase: "full" }, "moon-phase");
  await sweep();
  expect(await told()).toBe(0);
  await deliver({ onBoardingId: await requestAccount(1) });
  await deliver({ onBoardingId: "nowhere-at-all" });
  await sweep();
  await sweep();
  expect(await told()).toBe(2);
});
