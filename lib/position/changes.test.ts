import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import type { Db } from "@/lib/db/connection";
import type { Figure, SumKey } from "@/lib/db/enums/position";
import { positionReading, positionRound } from "@/lib/db/tables/position";
import { chainMovement } from "@/lib/db/tables/wallets";
import { civilDaysAgo, civilInstant } from "@/lib/text/time";
import { sessionOf } from "@/test/support/auth";
import { givenEnv, givenStore } from "@/test/support/console";
import { listChanges, listFlow } from "./queries";

const tenant = "aurora";
const today = civilDaysAgo(0);
const yesterday = civilDaysAgo(1);
const TOKEN = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const ether: SumKey = { network: "ETHEREUM", asset: "ETH", token: "", kind: "own", part: "available" };
const tether: SumKey = { ...ether, asset: "USDT", token: TOKEN.toLowerCase() };

let db: Db;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: randomUUID(), roles: ["finance"] }));
  for (const day of [yesterday, today]) {
    const startedAt = civilInstant(`${day}T00:05`);
    const counts = { total: 1, tried: 1, failed: 0 };
    await db.insert(positionRound).values({ tenant, day, startedAt, finishedAt: startedAt, ...counts });
  }
});

const figure = (asset: string, amount: string, token = ""): Figure => ({ asset, token, part: "available", amount });

async function read(day: string, walletId: string, figures: Figure[] | null, clock = "00:10"): Promise<void> {
  const at = civilInstant(`${day}T${clock}`);
  const place = { subject: `wallet:${walletId}`, network: "ETHEREUM", kind: "own", attempts: 1, triedAt: at } as const;
  await db.insert(positionReading).values({ tenant, day, ...place, figures, readAt: figures === null ? null : at });
}

async function move(walletId: string, changes: Partial<typeof chainMovement.$inferInsert>): Promise<void> {
  const usual = {
    network: "ETHEREUM",
    ordinal: 0,
    subtype: "incoming",
    counterAddress: "0x1",
    blockNumber: "1",
  } as const;
  const at = civilInstant(`${yesterday}T12:00`);
  await db
    .insert(chainMovement)
    .values({ tenant, walletId, key: randomUUID(), hash: `0x${walletId}`, amount: "1", at, ...usual, ...changes });
}

const changesOf = async (key: SumKey, days = { day: today, against: yesterday }) =>
  (await listChanges({ key, ...days })).rows.map(({ subject, difference, unexplained, untold, entries }) => {
    return { subject, difference, unexplained, untold, entries: entries.map(({ as, amount }) => `${as} ${amount}`) };
  });

describe("why a sum changed", () => {
  it("is told by wallet, with its entries and what they do not explain", async () => {
    await read(yesterday, "a", [figure("ETH", "1")]);
    await read(today, "a", [figure("ETH", "3.5")]);
    await read(yesterday, "same", [figure("ETH", "7")]);
    await read(today, "same", [figure("ETH", "7.00")]);
    await read(today, "new", [figure("ETH", "9")]);
    await move("a", { amount: "4" });
    await move("a", { subtype: "outgoing", amount: "1", derivedFee: "0.25", at: civilInstant(`${yesterday}T13:00`) });
    await move("a", { amount: "50", at: civilInstant(`${yesterday}T00:09`) });
    await move("a", { amount: "60", droppedAt: new Date() });
    await move("a", { amount: "70", status: "reverted" });
    await move("a", { amount: "80", isDated: false });
    expect(await changesOf(ether)).toEqual([
      { subject: "wallet:new", difference: "9.00", unexplained: "9.00", untold: 0, entries: [] },
      {
        subject: "wallet:a",
        difference: "2.50",
        unexplained: "-0.25",
        untold: 0,
        entries: ["in 4", "out 1", "fee 0.25"],
      },
    ]);
  });

  it("says the same with the opposite sign beside a later day", async () => {
    await read(yesterday, "a", [figure("ETH", "1")]);
    await read(today, "a", [figure("ETH", "3")]);
    await move("a", { amount: "2" });
    expect(await changesOf(ether, { day: yesterday, against: today })).toMatchObject([
      { difference: "-2.00", unexplained: "0.00" },
    ]);
  });

  it("counts a movement to a coin only where its asset is told", async () => {
    await read(yesterday, "a", [figure("ETH", "1"), figure("USDT", "5", TOKEN)]);
    await read(today, "a", [figure("ETH", "2"), figure("USDT", "6", TOKEN)]);
    await move("a", { amount: "1" });
    await move("a", { amount: "1", tokenAddress: TOKEN, asset: "USDT" });
    expect(await changesOf(ether)).toMatchObject([{ unexplained: "1.00", untold: 1, entries: [] }]);
    expect(await changesOf(tether)).toMatchObject([{ unexplained: "0.00", untold: 1, entries: ["in 1"] }]);
  });

  it("counts the fee that is told once a transaction, before the derived one", async () => {
    await read(yesterday, "a", [figure("ETH", "3"), figure("USDT", "5", TOKEN)]);
    await read(today, "a", [figure("ETH", "1.5"), figure("USDT", "3", TOKEN)]);
    const later = civilInstant(`${yesterday}T13:00`);
    const sent = { subtype: "outgoing", toldFee: "0.5", hash: "0xBEEF" };
    await move("a", { ...sent, amount: "1", asset: "ETH" });
    await move("a", {
      ...sent,
      amount: "2",
      asset: "USDT",
      tokenAddress: TOKEN,
      hash: "beef",
      derivedFee: "0.4",
      at: later,
    });
    expect(await changesOf(ether)).toMatchObject([{ unexplained: "0.00", entries: ["out 1", "fee 0.5"] }]);
    expect(await changesOf(tether)).toMatchObject([{ unexplained: "0.00", entries: ["out 2"] }]);
    expect((await listFlow({ key: ether, day: today })).days).toEqual([{ day: yesterday, in: "0.00", out: "1.50" }]);
  });

  it("counts to the coin what tells its name, and no word that only looks like it", async () => {
    await read(yesterday, "a", [figure("ETH", "1"), figure("USDT", "5", TOKEN)]);
    await read(today, "a", [figure("ETH", "3"), figure("USDT", "5", TOKEN)]);
    await move("a", { amount: "1", asset: "eth" });
    await move("a", { amount: "1", asset: "ETH" });
    await move("a", { amount: "7", asset: "\u0415TH" });
    expect(await changesOf(ether)).toMatchObject([{ unexplained: "0.00", untold: 0, entries: ["in 1", "in 1"] }]);
  });

  it("knows no difference of what was not read", async () => {
    await read(yesterday, "a", [figure("ETH", "1")]);
    await read(today, "a", null);
    expect(await changesOf(ether)).toMatchObject([{ difference: null, unexplained: null }]);
  });
});

describe("what came in and went out of a sum", () => {
  it("is told by day, fees among what went out", async () => {
    await read(today, "a", [figure("ETH", "3")]);
    await move("a", { amount: "4" });
    await move("a", { subtype: "outgoing", amount: "1", derivedFee: "0.25" });
    await move("a", { amount: "2", at: civilInstant(`${civilDaysAgo(3)}T23:30`) });
    await move("a", { amount: "9", at: civilInstant(`${civilDaysAgo(40)}T12:00`) });
    await move("elsewhere", { amount: "9" });
    expect(await listFlow({ key: ether, day: today })).toEqual({
      days: [
        { day: civilDaysAgo(3), in: "2.00", out: "0.00" },
        { day: yesterday, in: "4.00", out: "1.25" },
      ],
      untold: 0,
    });
  });
});
