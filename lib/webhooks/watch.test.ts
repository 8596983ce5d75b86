import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { WalletCreated } from "@/lib/contract/crypto";
import { liveEvent } from "@/lib/live/schema";
import { log } from "@/lib/process/log";
import { onboarding, watchState } from "@/lib/store/schema";
import { walletBalance } from "@/lib/wallets/schema";
import { walletWatch } from "@/lib/wallets/watch";
import { sweepOnce } from "@/lib/process/watch";
import { takeDelivery } from "./intake";
import { webhookEvent } from "./schema";
import { type DeliveryDesk, deliveryOf, givenDeliveries, givenIntake, pass } from "./testing";

let desk: DeliveryDesk;

beforeEach(async () => {
  desk = await givenDeliveries();
});

const rows = () => desk.db.select().from(webhookEvent).orderBy(asc(webhookEvent.seq));
const states = async () => (await rows()).map(({ state }) => state);

async function openWallet() {
  const { body } = await desk.service.send("POST", "/v1/crypto/wallets", { body: { network: "EVM" } });
  const { walletId, address } = WalletCreated.parse(body).data;
  await sweepOnce(walletWatch, "aurora");
  desk.asked.length = 0;
  return { walletId, address };
}

describe("an event about an onboarding", () => {
  it("has it read again, which is what changes it: never what the event says", async () => {
    const id = await desk.requestAccount(1);
    await desk.deliver({ onBoardingId: id, status: "CONFIRMED", biometricUrl: "https://evil.example/" });
    await desk.sweep();
    expect(await desk.db.select().from(onboarding)).toMatchObject([
      { onBoardingId: id, status: "PROCESSING", biometricUrl: null, accountId: null },
    ]);
    const [kept] = await desk.db.select().from(onboarding);
    expect(await rows()).toMatchObject([
      { state: "DONE", object: `onboarding:${kept?.id}`, doneAt: expect.any(Date), failure: null },
    ]);
  });

  it("costs nothing when somebody had it looked at since", async () => {
    const id = await desk.requestAccount(1);
    await desk.deliver({ onBoardingId: id, n: 1 });
    await desk.sweep();
    await desk.deliver({ onBoardingId: id, n: 2 });
    // What is of the same millisecond counts as before.
    await desk.db.update(onboarding).set({ checkedAt: sql`clock_timestamp() + interval '1 second'` });
    await pass(desk.db, 0);
    desk.asked.length = 0;
    await desk.db.update(webhookEvent).set({ doneAt: sql`done_at - interval '1 minute'` });
    await desk.sweep();
    expect(desk.asked).toEqual([]);
    expect(await states()).toEqual(["DONE", "DONE"]);
  });

  it("that nobody knows is given up at once, and hinders no other", async () => {
    const id = await desk.requestAccount(1);
    await desk.deliver({ onBoardingId: "nowhere-at-all" });
    await desk.deliver({ onBoardingId: id });
    await desk.sweep();
    expect(await rows()).toMatchObject([{ state: "GIVEN_UP", failure: "not-found" }, { state: "DONE" }]);
  });

  it("wakes nothing when it came from a stranger", async () => {
    await takeDelivery(
      givenIntake(desk.db).deps,
      "aurora",
      deliveryOf({ onBoardingId: "x" }, { signature: "0".repeat(64) }),
    );
    await desk.sweep();
    expect(desk.asked).toEqual([]);
  });
});

describe("an event about coins", () => {
  it("has the balance of that wallet read on that network alone", async () => {
    const { walletId, address } = await openWallet();
    await desk.service.control("POST", "/sandbox/crypto/deposits", { network: "POLYGON", address, amount: "1.5" });
    await desk.deliver({ walletId, network: "POLYGON", amount: "999999", address: "elsewhere" }, "crypto-cash-in");
    await desk.sweep();
    expect(desk.asked).toHaveLength(1);
    const [balance] = await desk.db.select().from(walletBalance).where(eq(walletBalance.network, "POLYGON"));
    expect(balance?.entries).toContainEqual(
      expect.objectContaining({ type: "native", balance: expect.stringMatching(/^1\.50*$/) }),
    );
    expect(await rows()).toMatchObject([{ state: "DONE", object: `wallet:${walletId}` }]);
  });

  it("on a network that is none of the wallet's has all of them read", async () => {
    const { walletId } = await openWallet();
    await desk.deliver({ walletId, network: "MOON" }, "crypto-cash-in");
    await desk.sweep();
    expect(desk.asked).toHaveLength(3);
  });

  it("in a wallet that is not kept yet waits for the list of wallets", async () => {
    await desk.deliver({ walletId: "new-one", network: "POLYGON" }, "crypto-cash-in");
    await desk.sweep();
    expect(await states()).toEqual(["WAITING"]);
    const [hurried] = await desk.db.select().from(watchState).where(eq(watchState.name, "wallets"));
    expect(hurried).toMatchObject({ begunAt: null });
    await sweepOnce(walletWatch, "aurora");
    await desk.sweep();
    expect(await states()).toEqual(["DONE"]);
  });
});

describe("an event of KYC, which the interface only plans", () => {
  it("hurries the sweep of the list, and is done with the next that comes to its end", async () => {
    await desk.deliver({ kycUUID: "0d6f9f1e", status: "APPROVED" }, "kyc-status");
    await desk.sweep();
    expect([desk.asked, await states()]).toEqual([[], ["WAITING"]]);
    await desk.db
      .update(watchState)
      .set({ asOf: sql`clock_timestamp()` })
      .where(eq(watchState.name, "kyc"));
    await desk.sweep();
    expect(await rows()).toMatchObject([{ state: "DONE", wakes: "kyc", object: null }]);
  });
});

const fail = () => {
  const path = "/v1/bank-accounts/checkOnboarding";
  return desk.service.control("POST", "/sandbox/faults", { method: "GET", path, status: 503, times: 1_000 });
};

describe("while the provider does not answer", () => {
  it("events wait and say why, cost one try a sweep, and are done once it is back", async () => {
    const [one, other] = [await desk.requestAccount(1), await desk.requestAccount(2)];
    await fail();
    await desk.deliver({ onBoardingId: one });
    await desk.deliver({ onBoardingId: other });
    await desk.sweep();
    expect(await rows()).toMatchObject([
      { state: "WAITING", failure: "unavailable" },
      { state: "WAITING", failure: null },
    ]);
    expect(new Set(desk.asked)).toEqual(new Set([one]));
    await desk.service.control("DELETE", "/sandbox/faults");
    await pass(desk.db, 31_000);
    await desk.db.update(webhookEvent).set({ receivedAt: sql`clock_timestamp()` });
    await desk.sweep();
    expect(await rows()).toMatchObject([
      { state: "DONE", failure: null },
      { state: "DONE", failure: null },
    ]);
  });

  it("an event of an hour ago is left to the rounds that look at everything", async () => {
    await fail();
    await desk.deliver({ onBoardingId: "x" });
    await pass(desk.db, 3_601_000);
    await desk.sweep();
    expect(desk.asked).toEqual([]);
    expect(await rows()).toMatchObject([{ state: "GIVEN_UP", failure: "unavailable", doneAt: expect.any(Date) }]);
  });
});

it("an event that cannot be opened any more is given up, said in the log, and hinders no other", async () => {
  const wrong = vi.spyOn(log, "error").mockImplementation(() => undefined);
  await desk.deliver({ onBoardingId: "x" });
  await desk.db.update(webhookEvent).set({ bodySealed: "v2.00000000.AAAA" });
  await desk.deliver({ onBoardingId: await desk.requestAccount(1) });
  await desk.sweep();
  expect(await rows()).toMatchObject([{ state: "GIVEN_UP", failure: "malformed" }, { state: "DONE" }]);
  expect(wrong).toHaveBeenCalledOnce();
});

it("what a process that died had begun is looked at by the next", async () => {
  const id = await desk.requestAccount(1);
  await desk.deliver({ onBoardingId: id });
  // It read, and died before it could say so.
  await desk.sweep();
  await desk.db.update(webhookEvent).set({ state: "WAITING", doneAt: null, object: null });
  await desk.sweep();
  expect(await rows()).toMatchObject([{ state: "DONE", object: expect.stringMatching(/^onboarding:/) }]);
});

const told = async () => (await desk.db.select().from(liveEvent)).filter(({ topic }) => topic === "webhooks").length;

it("screens are told of each thing that was done, and of nothing when there was nothing", async () => {
  await desk.sweep();
  await desk.deliver({ phase: "full" }, "moon-phase");
  await desk.sweep();
  expect(await told()).toBe(0);
  await desk.deliver({ onBoardingId: await desk.requestAccount(1) });
  await desk.deliver({ onBoardingId: "nowhere-at-all" });
  await desk.sweep();
  await desk.sweep();
  expect(await told()).toBe(2);
});
