import * as fc from "fast-check";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { Figure } from "@/lib/db/enums/position";
import { positionReading, positionRound } from "@/lib/db/tables/position";
import { providerIntent } from "@/lib/db/tables/provider";
import { chainMovement, cryptoOrder } from "@/lib/db/tables/wallets";
import { orderCoins } from "@/lib/wallets/send-coins";
import { givenCoins, order } from "@/test/support/coins";
import { unitsOf } from "@/lib/text/decimal";
import { readChange } from "./changes";
import { explainBySends, readSends, type SentCoins, sumOf } from "./sent-coins";

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 0, minute));
const interval = { after: at(10), until: at(20) };
const size = (units: bigint) => (units < 0n ? -units : units);
const COIN = unitsOf("1");
const FEE = unitsOf("0.00042");

const send = (changes: Partial<SentCoins> = {}): SentCoins => ({
  id: "one",
  state: "HELD",
  amount: "12",
  leftAt: at(15),
  endedAt: null,
  ...changes,
});

const explained = (left: bigint, sends: readonly SentCoins[]) =>
  explainBySends(left, sends, interval).map((entry) => `${entry.as} ${entry.amount}`);

describe("a transfer explains a balance between two readings", () => {
  it("while it is held, unconfirmed, or sent and not in the history, with its page", () => {
    for (const state of ["HELD", "UNKNOWN", "SENDING", "DONE"] as const)
      expect(explainBySends(-12n * COIN, [send({ state })], interval)).toEqual([
        {
          as: "out",
          at: at(15).toISOString(),
          amount: "12",
          sent: state,
          href: "/coins/one",
        },
      ]);
  });

  it("by what was given back, and by what the history tells now of what left before", () => {
    const before = { leftAt: at(5), endedAt: at(15) };
    expect(explained(12n * COIN, [send({ ...before, state: "REFUSED" })])).toEqual(["in 12"]);
    expect(explained(12n * COIN, [send({ ...before, state: "DONE" })])).toEqual(["in 12"]);
  });

  it.each([
    ["left before both", { leftAt: at(5) }],
    ["left after both", { leftAt: at(25) }],
    ["left and came into the history between them", { leftAt: at(12), endedAt: at(14) }],
    ["left and was given back between them", { leftAt: at(12), endedAt: at(14), state: "REFUSED" as const }],
  ])("by nothing where it %s", (_, changes) => {
    expect(explained(-12n * COIN, [send(changes)])).toEqual([]);
    expect(explained(12n * COIN, [send(changes)])).toEqual([]);
  });

  it("leaves a fee that nobody tells yet, and what the balance does not bear out", () => {
    expect(explained(-12n * COIN - FEE, [send()])).toEqual(["out 12"]);
    expect(explained(0n, [send()])).toEqual([]);
    expect(explained(-COIN, [send()])).toEqual([]);
    expect(explained(-12n * COIN, [send(), send({ id: "other", amount: "7" })])).toEqual(["out 12"]);
  });
});

const Minute = fc.integer({ min: 0, max: 30 });
const Life = fc.record({
  state: fc.constantFrom("HELD", "UNKNOWN", "DONE", "REFUSED"),
  units: fc.bigInt({ min: 1n, max: 50n }),
  left: Minute,
  lasts: Minute,
});

function lived(
  lives: readonly { state: "HELD" | "UNKNOWN" | "DONE" | "REFUSED"; units: bigint; left: number; lasts: number }[],
) {
  const sends = lives.map(({ state, units, left, lasts }, nth): SentCoins => {
    const isOpen = state === "HELD" || state === "UNKNOWN";
    const endedAt = isOpen ? null : at(left + lasts);
    return { id: String(nth), state, amount: String(units), leftAt: at(left), endedAt };
  });
  const balanceAt = (moment: Date) =>
    sends.reduce((sum, { state, leftAt, endedAt }, nth) => {
      const isBack = state === "REFUSED" && endedAt !== null && endedAt <= moment;
      return leftAt <= moment && !isBack ? sum - COIN * (lives[nth]?.units ?? 0n) : sum;
    }, 0n);
  const { after, until } = interval;
  const told = sends.reduce((sum, { state, endedAt }, nth) => {
    const isTold = state === "DONE" && endedAt !== null && endedAt > after && endedAt <= until;
    return isTold ? sum - COIN * (lives[nth]?.units ?? 0n) : sum;
  }, 0n);
  return { sends, difference: balanceAt(until) - balanceAt(after), told };
}

describe("transfers of any kind and time", () => {
  it("explain a whole difference with the history, and none of it twice", () => {
    fc.assert(
      fc.property(fc.array(Life, { maxLength: 8 }), (lives) => {
        const { sends, difference, told } = lived(lives);
        const entries = explainBySends(difference - told, sends, interval);
        expect(told + sumOf(entries)).toBe(difference);
        const pages = entries.map((entry) => ("href" in entry ? entry.href : ""));
        expect(new Set(pages).size).toBe(pages.length);
      }),
    );
  });

  it("leave no more unexplained than the history alone does, whatever the balance says", () => {
    fc.assert(
      fc.property(fc.array(Life, { maxLength: 8 }), fc.bigInt({ min: -200n, max: 200n }), (lives, left) => {
        const entries = explainBySends(COIN * left, lived(lives).sends, interval);
        expect(size(COIN * left - sumOf(entries)) <= size(COIN * left)).toBe(true);
      }),
    );
  });
});

const isOfAsset = ({ asset }: { asset: string | null }) => asset === "ETH";

describe("transfers on record", () => {
  let coins: Awaited<ReturnType<typeof givenCoins>>;
  let walletId = "";
  let intentId = "";
  let sentAt = new Date();

  beforeEach(async () => {
    coins = await givenCoins();
    ({ walletId } = await coins.givenWallet());
    await coins.givenAlone();
    const held = order(walletId, { amount: "12" });
    ({ intentId } = held);
    await orderCoins(coins.maker(), held);
    const [intent] = await coins.db.select().from(providerIntent).where(eq(providerIntent.id, intentId));
    sentAt = intent?.firstSentAt ?? sentAt;
  });

  const ago = (minutes: number) => new Date(sentAt.getTime() - minutes * 60_000);

  const read = async (after = ago(60), until = ago(-60)) => {
    const wanted = { network: "ETHEREUM", walletIds: [walletId], isOfAsset, after, until } as const;
    return (await readSends(coins.db, "aurora", wanted)).get(walletId);
  };

  const end = (state: "DONE" | "REFUSED", txHash: string | null = null) =>
    coins.db.transaction(async (tx) => {
      const finishedAt = ago(-30);
      await tx.update(providerIntent).set({ state, finishedAt }).where(eq(providerIntent.id, intentId));
      await tx.update(cryptoOrder).set({ txHash }).where(eq(cryptoOrder.intentId, intentId));
    });

  it("are outside the history while held, and in no other wallet's or tenant's change", async () => {
    expect(await read()).toEqual([{ id: intentId, state: "HELD", amount: "12", leftAt: sentAt, endedAt: null }]);
    expect(await read(ago(60), ago(30))).toBeUndefined();
    const wanted = { network: "ETHEREUM", walletIds: ["other"], isOfAsset: () => true } as const;
    expect(await readSends(coins.db, "aurora", { ...wanted, after: ago(60), until: ago(-60) })).toEqual(new Map());
    const elsewhere = { ...wanted, walletIds: [walletId], after: ago(60), until: ago(-60) };
    expect(await readSends(coins.db, "boreal", elsewhere)).toEqual(new Map());
  });

  it("explain why a sum differs, but for the fee", async () => {
    for (const [day, readAt, amount] of [
      ["2026-01-01", ago(10), "0"],
      ["2026-01-02", ago(-10), "37.99958"],
    ] as const) {
      const counts = { total: 1, tried: 1, failed: 0 };
      await coins.db.insert(positionRound).values({ tenant: "aurora", day, startedAt: readAt, ...counts });
      const figures: Figure[] = [{ asset: "ETH", token: "", part: "available", amount }];
      const of = { subject: `wallet:${walletId}`, network: "ETHEREUM", kind: "own" } as const;
      const when = { readAt, attempts: 1, triedAt: readAt };
      await coins.db.insert(positionReading).values({ tenant: "aurora", day, ...of, figures, ...when });
    }
    const key = { network: "ETHEREUM", asset: "ETH", token: "", kind: "own", part: "available" } as const;
    const wanted = { key, day: "2026-01-02", against: "2026-01-01", most: 9 };
    expect((await readChange(coins.db, "aurora", wanted)).parts).toMatchObject([
      {
        difference: "37.99958",
        unexplained: "-0.00042",
        entries: [
          { as: "out", amount: "12", sent: "HELD", href: `/coins/${intentId}` },
          { as: "in", amount: "50" },
        ],
      },
    ]);
  });

  it("are given back when they end refused", async () => {
    await end("REFUSED");
    expect(await read()).toMatchObject([{ state: "REFUSED", endedAt: ago(-30) }]);
  });

  it("are told by the history from their movement's time on, and not before it is kept", async () => {
    await end("DONE", "0xBEEF");
    expect(await read()).toMatchObject([{ state: "DONE", endedAt: null }]);
    const place = { tenant: "aurora", walletId, network: "ETHEREUM", key: "k", ordinal: 0 } as const;
    const moved = { hash: "beef", subtype: "outgoing", counterAddress: "0x1", amount: "12", at: ago(-20) };
    await coins.db.insert(chainMovement).values({ ...place, ...moved });
    expect(await read()).toMatchObject([{ state: "DONE", endedAt: ago(-20) }]);
  });
});
