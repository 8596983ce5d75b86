import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { providerIntent } from "@/lib/db/tables/provider";
import { chainMovement, cryptoOrder, walletBalance } from "@/lib/db/tables/wallets";
import { form, givenCoins, order } from "@/test/support/coins";
import { actorOf } from "@/test/support/console";
import { readLeftSince } from "./left-since";
import { reviewSend } from "./review-send";
import { orderCoins } from "./send-coins";
import { readProposedCoins } from "./sent-coins";

let coins: Awaited<ReturnType<typeof givenCoins>>;
let walletId = "";

beforeEach(async () => {
  coins = await givenCoins();
  ({ walletId } = await coins.givenWallet());
});

const hintsFor = async (intentId: string, read: "stored" | "now" = "stored") =>
  (await readProposedCoins(actorOf("approver", coins.makerId, "wallets:read"), intentId, read))?.hints;

describe("what left since a balance was read", () => {
  it("is taken off what the approver and the maker see", async () => {
    const waits = order(walletId, { amount: "2" });
    await coins.propose(waits);
    await coins.authorise(await coins.propose(order(walletId, { amount: "1" })));
    const left = { sum: "1.00", count: 1, remains: "49.00" };
    expect(await hintsFor(waits.intentId)).toMatchObject({ balance: "50", left, held: null, rest: "47.00" });
    expect((await reviewSend(coins.maker(), form(walletId, { amount: "3" }))).hints).toMatchObject({
      left,
      rest: "46.00",
    });
  });

  it("is read anew when something was sent after a fresh reading", async () => {
    const waits = order(walletId, { amount: "2" });
    await coins.propose(waits);
    await coins.db.update(walletBalance).set({ asOf: new Date() });
    await coins.authorise(await coins.propose(order(walletId, { amount: "1" })));
    const hints = await hintsFor(waits.intentId, "now");
    expect(hints).toMatchObject({ left: null });
    expect(Number(hints?.balance)).toBeLessThanOrEqual(49);
  });

  it("leaves out what was refused, and keeps apart what was open before the reading", async () => {
    await coins.givenAlone();
    const sent = order(walletId, { amount: "1" });
    await orderCoins(coins.maker(), sent);
    const asked = { tenant: "aurora", walletId, network: "ETHEREUM", token: "", exceptIntent: null } as const;
    const since = { ...asked, asOf: "2026-07-01T12:00:00.000Z" };
    const setState = (state: "HELD" | "REFUSED" | "UNKNOWN") =>
      coins.db.update(providerIntent).set({ state }).where(eq(providerIntent.id, sent.intentId));
    await setState("UNKNOWN");
    expect(await readLeftSince(coins.db, since)).toEqual({ left: { sum: "1.00", count: 1 }, held: null });
    await setState("HELD");
    expect(await readLeftSince(coins.db, since)).toEqual({ left: { sum: "1.00", count: 1 }, held: null });
    const readAfter = { ...asked, asOf: new Date(Date.now() + 60_000).toISOString() };
    for (const state of ["HELD", "UNKNOWN"] as const) {
      await setState(state);
      expect(await readLeftSince(coins.db, readAfter)).toEqual({ left: null, held: { sum: "1.00", count: 1 } });
    }
    await setState("REFUSED");
    expect(await readLeftSince(coins.db, since)).toEqual({ left: null, held: null });
  });

  it("includes a fee that is known, of the network's coin alone", async () => {
    await coins.givenAlone();
    await orderCoins(coins.maker(), order(walletId, { amount: "1" }));
    await coins.db.update(cryptoOrder).set({ derivedFee: "0.25" });
    await coins.db.delete(chainMovement);
    const asked = { tenant: "aurora", walletId, network: "ETHEREUM", exceptIntent: null } as const;
    const since = { ...asked, asOf: "2026-07-01T12:00:00.000Z" };
    expect((await readLeftSince(coins.db, { ...since, token: "" })).left).toEqual({ sum: "1.25", count: 1 });
    const token = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
    expect(await readLeftSince(coins.db, { ...since, token })).toEqual({ left: null, held: null });
    expect((await readLeftSince(coins.db, { ...asked, token: "", asOf: new Date().toISOString() })).left).toBeNull();
  });
});
