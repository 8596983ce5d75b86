import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import { chainMovement, cryptoOrder } from "@/lib/db/tables/wallets";
import { sessionOf } from "@/test/support/auth";
import { givenCoins, order } from "@/test/support/coins";
import { actorOf } from "@/test/support/console";
import { refreshHistory } from "./history";
import { getSend } from "./queries";
import { refreshBalance } from "./records";
import { deriveFees } from "./sent-fee";

const HOUR_MS = 3_600_000;

let coins: Awaited<ReturnType<typeof givenCoins>>;
let place: { walletId: string; address: string; network: "ETHEREUM" };

beforeEach(async () => {
  coins = await givenCoins();
  coins.service.clock.set(Date.now() - HOUR_MS);
  place = { ...(await coins.givenWallet()), network: "ETHEREUM" };
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: coins.makerId, roles: ["finance"] }));
});

const reader = () => actorOf("finance", coins.makerId, "wallets:read");

/** As the chain stamps a block from now on. */
const blocksFromNow = () => coins.service.clock.set(Date.now() + 1);

async function readAfter(): Promise<void> {
  await refreshBalance(reader(), place);
  await refreshHistory(reader(), place);
  // What the history tells and derives by itself is told apart from what is derived here.
  await coins.db.update(chainMovement).set({ toldFee: null, derivedFee: null });
  await deriveFees(coins.db, "aurora");
}

async function sendOne(amount = "1,5"): Promise<string> {
  const given = order(place.walletId, { amount });
  await coins.authorise(await coins.propose(given));
  return given.intentId;
}

describe("what was read before a send", () => {
  it("is kept with the order: the head of the history and the balance", async () => {
    await refreshBalance(reader(), place);
    const id = await sendOne();
    const [deposit] = await coins.wallets.entries(place.address, "ETHEREUM&pageSize=10").then((all) => all.slice(-1));
    const kept = await getSend(id);
    expect(kept?.before.held).toMatchObject({ amount: "50" });
    expect(kept?.before.head).toMatchObject({ hash: deposit?.hash });
  });
});

describe("the fee of a send", () => {
  it("is what the balance lost beyond what was sent, once both were read", async () => {
    await refreshBalance(reader(), place);
    blocksFromNow();
    const id = await sendOne();
    expect(await getSend(id)).toMatchObject({ fee: null });
    await readAfter();
    const fee = (await getSend(id))?.fee;
    expect(Number(fee?.amount)).toBeGreaterThan(0);
    const [held] = await coins.wallets.balances(place.address, "ETHEREUM");
    expect((50 - 1.5 - Number(held?.balance)).toFixed(8)).toBe(Number(fee?.amount).toFixed(8));
    expect(fee?.isTold).toBe(false);
  });

  it("is what the provider tells, before anything that is derived", async () => {
    await refreshBalance(reader(), place);
    blocksFromNow();
    const id = await sendOne();
    await readAfter();
    await refreshHistory(reader(), place);
    const [entry] = await coins.wallets.entries(place.address, "ETHEREUM");
    expect((await getSend(id))?.fee).toEqual({ amount: entry?.["fee"], isTold: true });
  });

  it("is not derived of two that left between the same two readings", async () => {
    await refreshBalance(reader(), place);
    blocksFromNow();
    const ids = [await sendOne("1"), await sendOne("2")];
    await readAfter();
    for (const id of ids) expect(await getSend(id)).toMatchObject({ fee: null });
  });

  it("is not derived where another entry may be in one of the balances alone", async () => {
    await refreshBalance(reader(), place);
    blocksFromNow();
    const id = await sendOne();
    await refreshBalance(reader(), place);
    blocksFromNow();
    await coins.wallets.deposit({ network: "ETHEREUM", address: place.address, amount: "7" });
    await refreshHistory(reader(), place);
    await coins.db.update(chainMovement).set({ toldFee: null, derivedFee: null });
    await deriveFees(coins.db, "aurora");
    expect(await getSend(id)).toMatchObject({ fee: null });
  });

  it("is not derived where the balance was never read before", async () => {
    const id = await sendOne();
    await coins.db.update(cryptoOrder).set({ heldBefore: null, heldBeforeAt: null });
    await readAfter();
    expect(await getSend(id)).toMatchObject({ fee: null });
  });
});
