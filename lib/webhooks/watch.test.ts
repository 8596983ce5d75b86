import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { WalletCreated } from "@/lib/contract/crypto";
import { liveEvent } from "@/lib/db/tables/live";
import { log } from "@/lib/log/log";
import { onboarding } from "@/lib/db/tables/customers";
import { watchState } from "@/lib/db/tables/watch";
import { walletBalance } from "@/lib/db/tables/wallets";
import { walletWatch } from "@/lib/wallets/watch";
import { sweepOnce } from "@/lib/watch/watch";
import { takeDelivery } from "./intake";
import { webhookEvent } from "@/lib/db/tables/webhooks";
import { type DeliveryFixture, deliveryOf, givenDeliveries, givenIntake, pass } from "@/test/support/webhooks";

let fixture: DeliveryFixture;

beforeEach(async () => {
  fixture = await givenDeliveries();
});

const rows = () => fixture.db.select().from(webhookEvent).orderBy(asc(webhookEvent.seq));
const states = async () => (await rows()).map(({ state }) => state);

async function openWallet() {
  const { body } = await fixture.service.send("POST", "/v1/crypto/wallets", { body: { network: "EVM" } });
  const { walletId, address } = WalletCreated.parse(body).data;
  await sweepOnce(walletWatch, "aurora");
  fixture.asked.length = 0;
  return { walletId, address };
}

describe("an event about an onboarding", () => {
  it("rereads the onboarding, and never trusts the event's content", async () => {
    const id = await fixture.requestAccount(1);
    await fixture.deliver({ onBoardingId: id, status: "CONFIRMED", biometricUrl: "https://evil.example/" });
    await fixture.sweep();
    expect(await fixture.db.select().from(onboarding)).toMatchObject([
      { onBoardingId: id, status: "PROCESSING", biometricUrl: null, accountId: null },
    ]);
    const [stored] = await fixture.db.select().from(onboarding);
    expect(await rows()).toMatchObject([
      { state: "DONE", object: `onboarding:${stored?.id}`, doneAt: expect.any(Date), failure: null },
    ]);
  });

  it("makes no call when somebody reread the onboarding since", async () => {
    const id = await fixture.requestAccount(1);
    await fixture.deliver({ onBoardingId: id, n: 1 });
    await fixture.sweep();
    await fixture.deliver({ onBoardingId: id, n: 2 });
    // Events of the same millisecond count as earlier.
    await fixture.db.update(onboarding).set({ checkedAt: sql`clock_timestamp() + interval '1 second'` });
    await pass(fixture.db, 0);
    fixture.asked.length = 0;
    await fixture.db.update(webhookEvent).set({ doneAt: sql`done_at - interval '1 minute'` });
    await fixture.sweep();
    expect(fixture.asked).toEqual([]);
    expect(await states()).toEqual(["DONE", "DONE"]);
  });

  it("gives up an event about an unknown onboarding, and blocks no other", async () => {
    const id = await fixture.requestAccount(1);
    await fixture.deliver({ onBoardingId: "nowhere-at-all" });
    await fixture.deliver({ onBoardingId: id });
    await fixture.sweep();
    expect(await rows()).toMatchObject([{ state: "GIVEN_UP", failure: "not-found" }, { state: "DONE" }]);
  });

  it("wakes nothing for a stranger's event", async () => {
    await takeDelivery(
      givenIntake(fixture.db).deps,
      "aurora",
      deliveryOf({ onBoardingId: "x" }, { signature: "0".repeat(64) }),
    );
    await fixture.sweep();
    expect(fixture.asked).toEqual([]);
  });
});

describe("an event about coins", () => {
  it("reads the balance of an event's wallet on its network alone", async () => {
    const { walletId, address } = await openWallet();
    await fixture.service.control("POST", "/sandbox/crypto/deposits", { network: "POLYGON", address, amount: "1.5" });
    await fixture.deliver({ walletId, network: "POLYGON", amount: "999999", address: "elsewhere" }, "crypto-cash-in");
    await fixture.sweep();
    expect(fixture.asked).toHaveLength(1);
    const [balance] = await fixture.db.select().from(walletBalance).where(eq(walletBalance.network, "POLYGON"));
    expect(balance?.entries).toContainEqual(
      expect.objectContaining({ type: "native", balance: expect.stringMatching(/^1\.50*$/) }),
    );
    expect(await rows()).toMatchObject([{ state: "DONE", object: `wallet:${walletId}` }]);
  });

  it.each([
    ["as it is", (address: string) => ({ toAddress: address })],
    [
      "in other letters, beside the payer's",
      (address: string) => ({
        data: { de: "0x00000000000000000000000000000000000000aa", para: address.toUpperCase().replace("0X", "0x") },
      }),
    ],
  ])("reads the wallet's balances when the event names only an address, %s", async (_, payloadOf) => {
    const { walletId, address } = await openWallet();
    await fixture.deliver(payloadOf(address), "crypto-cash-in");
    await fixture.sweep();
    expect(fixture.asked).toHaveLength(3);
    expect(await rows()).toMatchObject([{ state: "DONE", object: `wallet:${walletId}` }]);
  });

  it("reads all networks when the event names one that is not the wallet's", async () => {
    const { walletId } = await openWallet();
    await fixture.deliver({ walletId, network: "MOON" }, "crypto-cash-in");
    await fixture.sweep();
    expect(fixture.asked).toHaveLength(3);
  });

  it("waits for the wallet list when an event's wallet is unknown", async () => {
    await fixture.deliver({ walletId: "new-one", network: "POLYGON" }, "crypto-cash-in");
    await fixture.sweep();
    expect(await states()).toEqual(["WAITING"]);
    const [early] = await fixture.db.select().from(watchState).where(eq(watchState.name, "wallets"));
    expect(early).toMatchObject({ begunAt: null });
    await sweepOnce(walletWatch, "aurora");
    await fixture.sweep();
    expect(await states()).toEqual(["DONE"]);
  });
});

describe("an event of KYC, which the interface only plans", () => {
  it("hurries the KYC sweep, and ends the event with the next complete one", async () => {
    await fixture.deliver({ kycUUID: "0d6f9f1e", status: "APPROVED" }, "kyc-status");
    await fixture.sweep();
    expect([fixture.asked, await states()]).toEqual([[], ["WAITING"]]);
    await fixture.db
      .update(watchState)
      .set({ asOf: sql`clock_timestamp()` })
      .where(eq(watchState.name, "kyc"));
    await fixture.sweep();
    expect(await rows()).toMatchObject([{ state: "DONE", wakes: "kyc", object: null }]);
  });
});

const fail = () => {
  const path = "/v1/bank-accounts/checkOnboarding";
  return fixture.service.control("POST", "/sandbox/faults", { method: "GET", path, status: 503, times: 1_000 });
};

describe("while the provider does not answer", () => {
  it("keeps events with the reason, tries once a sweep, and finishes them later", async () => {
    const one = await fixture.requestAccount(1);
    const other = await fixture.requestAccount(2);
    await fail();
    await fixture.deliver({ onBoardingId: one });
    await fixture.deliver({ onBoardingId: other });
    await fixture.sweep();
    expect(await rows()).toMatchObject([
      { state: "WAITING", failure: "unavailable" },
      { state: "WAITING", failure: null },
    ]);
    expect(new Set(fixture.asked)).toEqual(new Set([one]));
    await fixture.service.control("DELETE", "/sandbox/faults");
    await pass(fixture.db, 31_000);
    await fixture.db.update(webhookEvent).set({ receivedAt: sql`clock_timestamp()` });
    await fixture.sweep();
    expect(await rows()).toMatchObject([
      { state: "DONE", failure: null },
      { state: "DONE", failure: null },
    ]);
  });

  it("leaves an event of an hour ago to the regular rounds", async () => {
    await fail();
    await fixture.deliver({ onBoardingId: "x" });
    await pass(fixture.db, 3_601_000);
    await fixture.sweep();
    expect(fixture.asked).toEqual([]);
    expect(await rows()).toMatchObject([{ state: "GIVEN_UP", failure: "unavailable", doneAt: expect.any(Date) }]);
  });
});

it("gives up an event that cannot be opened, logs it, and handles the others", async () => {
  const wrong = vi.spyOn(log, "error").mockImplementation(() => undefined);
  await fixture.deliver({ onBoardingId: "x" });
  await fixture.db.update(webhookEvent).set({ bodySealed: "v2.00000000.AAAA" });
  await fixture.deliver({ onBoardingId: await fixture.requestAccount(1) });
  await fixture.sweep();
  expect(await rows()).toMatchObject([{ state: "GIVEN_UP", failure: "malformed" }, { state: "DONE" }]);
  expect(wrong).toHaveBeenCalledOnce();
});

it("takes over what a dead process had begun", async () => {
  const id = await fixture.requestAccount(1);
  await fixture.deliver({ onBoardingId: id });
  // It read, and died before recording it.
  await fixture.sweep();
  await fixture.db.update(webhookEvent).set({ state: "WAITING", doneAt: null, object: null });
  await fixture.sweep();
  expect(await rows()).toMatchObject([{ state: "DONE", object: expect.stringMatching(/^onboarding:/) }]);
});

const told = async () => (await fixture.db.select().from(liveEvent)).filter(({ topic }) => topic === "webhooks").length;

it("notifies screens once per change, and not without one", async () => {
  await fixture.sweep();
  await fixture.deliver({ phase: "full" }, "moon-phase");
  await fixture.sweep();
  expect(await told()).toBe(0);
  await fixture.deliver({ onBoardingId: await fixture.requestAccount(1) });
  await fixture.deliver({ onBoardingId: "nowhere-at-all" });
  await fixture.sweep();
  await fixture.sweep();
  expect(await told()).toBe(2);
});
