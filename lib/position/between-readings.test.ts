import { beforeEach, describe, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { accountEntry } from "@/lib/db/tables/accounts";
import { positionReading, positionRound } from "@/lib/db/tables/position";
import { givenEnv, givenStore } from "@/test/support/console";
import { givenHistory, givenWallet } from "@/test/support/movements";
import { countBetweenReadings } from "./between-readings";

const tenant = "aurora";
const DAY = "2026-03-11";
const FROM = "6f1b0a52-7a43-4e0e-9a52-0d1f6ac1a001";
const TO = "6f1b0a52-7a43-4e0e-9a52-0d1f6ac1a002";
const at = (minute: number) => new Date(`${DAY}T03:${String(minute).padStart(2, "0")}:00Z`);

let db: Db;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  const round = { tenant, day: DAY, startedAt: at(0), finishedAt: at(30), total: 2, tried: 2, failed: 0 };
  await db.insert(positionRound).values(round);
});

const read = (subject: string, minute: number, network = "") =>
  db.insert(positionReading).values({
    tenant,
    day: DAY,
    subject,
    network,
    kind: network === "" ? "account" : "own",
    figures: [],
    readAt: at(minute),
    attempts: 1,
    triedAt: at(minute),
  });

const side = (accountRef: string, direction: "in" | "out", minute: number) => ({
  tenant,
  accountRef,
  key: `${accountRef} ${minute}`,
  ordinal: 0,
  transactionId: `t${minute}`,
  type: "INTERNAL",
  status: "",
  direction,
  directionWord: direction,
  amount: "5.00",
  at: at(minute),
  isDated: true,
  isBooked: true,
  keptAt: at(40),
  textSealed: "",
});

const move = (minute: number) => db.insert(accountEntry).values([side(FROM, "out", minute), side(TO, "in", minute)]);

const counted = () => countBetweenReadings(db, tenant, DAY);

describe("a transfer between own accounts", () => {
  beforeEach(async () => {
    await read(`account:${FROM}`, 5);
    await read(`account:${TO}`, 15);
  });

  it("is told when it falls between the readings of its two sides", async () => {
    await move(10);
    expect(await counted()).toBe(1);
  });

  it.each([4, 5, 16])("is none of them at minute %i, as both were read on one side of it", async (minute) => {
    await move(minute);
    expect(await counted()).toBe(0);
  });

  it("is not told while both accounts were read before it and a third one after", async () => {
    await read("account:6f1b0a52-7a43-4e0e-9a52-0d1f6ac1a003", 25);
    await move(20);
    expect(await counted()).toBe(0);
  });

  it("is none while one side alone is known, nor once both were read alike", async () => {
    const [known, later] = [side(FROM, "out", 12), { ...side(TO, "in", 12), at: at(16) }];
    await db.insert(accountEntry).values({ ...known, isOwn: true });
    expect(await counted()).toBe(0);
    await db.insert(accountEntry).values(later);
    expect(await counted()).toBe(0);
  });

  it("is no payment to somebody else, nor one of another company", async () => {
    await db.insert(accountEntry).values(side(FROM, "out", 10));
    expect(await counted()).toBe(0);
    await move(11);
    expect(await countBetweenReadings(db, "boreal", DAY)).toBe(0);
  });
});

it("tells no movement of a wallet whose other side was read on the same side of it", async () => {
  for (const [id, address] of [
    ["one", "TOne"],
    ["two", "TTwo"],
    ["three", "TThree"],
  ] as const)
    await givenWallet({ id, address });
  for (const [id, minute] of [
    ["one", 5],
    ["two", 6],
    ["three", 15],
  ] as const)
    await read(`wallet:${id}`, minute, "TRON");
  await givenHistory("one", [{ hash: "sweep", subtype: "outgoing", counterAddress: "TTwo", at: at(10) }]);
  expect(await counted()).toBe(0);
  await givenHistory("two", [{ hash: "SWEEP", counterAddress: "TOne", at: at(10) }]);
  expect(await counted()).toBe(0);
});

it("tells a movement between own wallets, by its network's readings", async () => {
  for (const [id, address] of [
    ["one", "TOne"],
    ["two", "TTwo"],
  ] as const)
    await givenWallet({ id, address });
  await read("wallet:one", 5, "TRON");
  await read("wallet:two", 15, "TRON");
  await givenHistory("one", [{ hash: "sweep", subtype: "outgoing", counterAddress: "TTwo", at: at(10) }]);
  expect(await counted()).toBe(1);
  await givenHistory("two", [{ hash: "SWEEP", counterAddress: "TOne", at: at(10) }]);
  expect(await counted()).toBe(1);
});
