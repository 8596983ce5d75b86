import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import type { Db } from "@/lib/db/connection";
import type { Figure, SumKey } from "@/lib/db/enums/position";
import { seal } from "@/lib/db/seal";
import { accountEntry, accountReading } from "@/lib/db/tables/accounts";
import { positionReading, positionRound } from "@/lib/db/tables/position";
import { civilDaysAgo, civilInstant } from "@/lib/text/time";
import { sessionOf } from "@/test/support/auth";
import { givenEnv, givenStore } from "@/test/support/console";
import { listChanges } from "./queries";

const tenant = "aurora";
const accountRef = randomUUID();
const today = civilDaysAgo(0);
const yesterday = civilDaysAgo(1);
const dayBefore = civilDaysAgo(2);
const available: SumKey = { network: "", asset: "BRL", token: "", kind: "account", part: "available" };
const blocked: SumKey = { ...available, part: "blocked" };

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

async function read(day: string, free: string, held: string): Promise<void> {
  const at = civilInstant(`${day}T00:10`);
  const figures: Figure[] = [
    { asset: "BRL", token: "", part: "available", amount: free },
    { asset: "BRL", token: "", part: "blocked", amount: held },
  ];
  const of = { subject: `account:${accountRef}`, network: "", kind: "account", attempts: 1, triedAt: at } as const;
  await db.insert(positionReading).values({ tenant, day, ...of, figures, readAt: at });
}

async function enter(
  direction: "in" | "out" | null,
  amount: string,
  changes: Partial<typeof accountEntry.$inferInsert> = {},
): Promise<void> {
  const key = randomUUID();
  const target = { column: "account_entry.text_sealed", row: [tenant, accountRef, key, "0"] } as const;
  const at = civilInstant(`${yesterday}T12:00`);
  const word = direction === "out" ? "DEBIT" : "CREDIT";
  const said = { type: "TED", status: "", direction, directionWord: word, isDated: true, isBooked: true };
  const named = { tenant, accountRef, key, ordinal: 0, transactionId: `tx-${amount}` };
  await db
    .insert(accountEntry)
    .values({ ...named, ...said, amount, at, keptAt: at, textSealed: seal("text", target), ...changes });
}

const readStatement = (changes: Partial<typeof accountReading.$inferInsert> = {}) =>
  db
    .insert(accountReading)
    .values({ tenant, accountRef, fromDay: dayBefore, until: civilInstant(`${today}T00:30`), ...changes });

const change = async (key: SumKey, days = { day: today, against: yesterday }) => {
  const [row, ...others] = (await listChanges({ key, ...days })).rows;
  expect(others).toEqual([]);
  return row;
};

const told = (row: Awaited<ReturnType<typeof change>>) =>
  row?.entries.map((entry) => `${entry.as} ${entry.amount} ${"type" in entry ? entry.type : ""}`);

describe("why reais changed", () => {
  it("is told by the account's entries between the two readings, each with its place", async () => {
    await read(yesterday, "100.00", "0.00");
    await read(today, "70.00", "0.00");
    await readStatement();
    await enter("in", "20.00");
    await enter("out", "50.00", { at: civilInstant(`${yesterday}T13:00`), type: "PIX" });
    await enter("in", "1.00", { at: civilInstant(`${yesterday}T00:10`) });
    await enter("in", "2.00", { at: civilInstant(`${today}T00:11`) });
    await enter("in", "3.00", { isBooked: false });
    await enter("in", "4.00", { droppedAt: new Date() });
    await enter("in", "5.00", { isDated: false });
    const row = await change(available);
    expect(told(row)).toEqual(["in 20.00 TED", "out 50.00 PIX"]);
    expect(row).toMatchObject({ difference: "-30.00", unexplained: "0.00", gap: null, left: 0, untold: 0 });
    expect(row?.entries[0]).toMatchObject({
      href: `/accounts/${accountRef}?from=${yesterday}&to=${yesterday}&entry=tx-20.00`,
    });
    expect(await change(available, { day: yesterday, against: today })).toMatchObject({
      difference: "30.00",
      unexplained: "0.00",
    });
  });

  it("says what is blocked, which no entry tells until it is settled", async () => {
    await read(yesterday, "1000.00", "0.00");
    await read(today, "616.01", "383.99");
    await readStatement();
    const row = await change(available);
    expect(row).toMatchObject({ difference: "-383.99", blocked: "383.99", entries: [], unexplained: "0.00" });
    const held = await change(blocked);
    expect(held).toMatchObject({
      difference: "383.99",
      blocked: "383.99",
      entries: [],
      unexplained: "0.00",
      gap: null,
    });
  });

  it("tells a hold that was settled from one that was released", async () => {
    await read(yesterday, "600.00", "400.00");
    await read(today, "700.00", "0.00");
    await readStatement();
    await enter("out", "300.00");
    const row = await change(available);
    expect(row).toMatchObject({ difference: "100.00", blocked: "-400.00", unexplained: "0.00" });
    expect(told(row)).toEqual(["out 300.00 TED"]);
  });

  it("says what the entries that were read do not explain, and until when they were", async () => {
    await read(yesterday, "100.00", "0.00");
    await read(today, "150.00", "0.00");
    const until = civilInstant(`${yesterday}T18:00`);
    await readStatement({ until });
    await enter("in", "20.00");
    await enter(null, "7.00");
    expect(await change(available)).toMatchObject({
      unexplained: "30.00",
      untold: 1,
      readUntil: until.toISOString(),
      gap: { why: "read-until", at: until.toISOString() },
    });
  });

  it.each([
    ["never-read", null],
    ["never-read", { until: null, fromDay: null }],
    ["read-from", { fromDay: today }],
    ["unreadable", { unread: 2 }],
  ] as const)("names what is not known of its statement: %s", async (why, reading) => {
    await read(yesterday, "100.00", "0.00");
    await read(today, "150.00", "0.00");
    if (reading !== null) await readStatement(reading);
    expect(await change(available)).toMatchObject({ gap: { why }, unexplained: "50.00" });
  });

  it("lists twenty entries and counts the others in", async () => {
    await read(yesterday, "0.00", "0.00");
    await read(today, "25.00", "0.00");
    await readStatement();
    for (let nth = 0; nth < 25; nth += 1) await enter("in", "1.00");
    const row = await change(available);
    expect(row?.entries).toHaveLength(20);
    expect(row).toMatchObject({ left: 5, unexplained: "0.00" });
  });
});
