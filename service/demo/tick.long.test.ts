import { eq, isNotNull, sum } from "drizzle-orm";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  antifraudCase,
  chainEntry,
  externalTransfer,
  kycProcess,
  ledgerAccount,
  ledgerMovement,
  onboarding,
  webhookEvent,
} from "@/service/store/schema";

import { expectBalancedBooks } from "@/test/support/service/ledger";
import { type Harness, startService } from "@/test/support/service/harness";
import { openAccount, ted } from "@/test/support/service/transfers";
import { fillDemo, type Later, startDemo } from "./demo";
import { decideHeld, sendBack, sendCoins, type Activity, tick, moveMoney } from "./tick";
import { KNOWN_HOLDER, seededDice } from "./people";

let service: Harness;

beforeEach(async () => {
  service = await startService();
  await fillDemo(service.call());
}, 60_000);
afterEach(() => expectBalancedBooks(service.call().db));

async function picture() {
  const { db } = service.call();
  const people = await db.select({ name: onboarding.holderName }).from(onboarding).orderBy(onboarding.sequence);
  const [money] = await db.select({ total: sum(ledgerAccount.balance) }).from(ledgerAccount);
  return { people, money };
}

it("invents the same people and the same money each time", async () => {
  const once = await picture();
  service = await startService();
  await fillDemo(service.call());
  expect(await picture()).toEqual(once);
});

it("uses the ordinary operations for everything that happens", async () => {
  const { db } = service.call();
  const tables = [onboarding, kycProcess, ledgerMovement, chainEntry];
  const before = await Promise.all(tables.map((table) => db.$count(table)));
  const dice = seededDice(7);
  for (let beat = 0; beat < 60; beat += 1) {
    await tick(service.call(), dice);
    await service.advance(5_000);
  }
  const after = await Promise.all(tables.map((table) => db.$count(table)));
  expect(after.map((count, index) => count > (before[index] ?? 0))).toEqual([true, true, true, true]);
});

it("sends coins, sometimes so many that antifraud holds them", async () => {
  const { db } = service.call();
  const isSent = eq(chainEntry.subtype, "outgoing");
  const before = await db.$count(chainEntry, isSent);
  const dice = seededDice(11);
  for (let beat = 0; beat < 40; beat += 1) await sendCoins(service.call(), dice);
  expect(await db.$count(chainEntry, isSent)).toBeGreaterThan(before + 20);
  const cases = await db.select().from(antifraudCase);
  expect(new Set(cases.map(({ status }) => status))).toEqual(new Set(["HELD"]));
});

it("holds high transfers for a while, and then releases most", async () => {
  const { db } = service.call();
  const dice = seededDice(3);
  for (let beat = 0; beat < 120; beat += 1) await moveMoney(service.call(), dice);
  const held = await db.$count(antifraudCase, eq(antifraudCase.status, "HELD"));
  expect(held).toBeGreaterThan(0);
  await decideHeld(service.call(), dice);
  expect(await db.$count(antifraudCase, eq(antifraudCase.status, "HELD"))).toBe(held);
  await service.advance(30 * 60_000);
  await decideHeld(service.call(), dice);
  expect(await db.$count(antifraudCase, eq(antifraudCase.status, "HELD"))).toBe(held - 1);
});

it("returns a TED soon after one was sent, and only its own customers'", async () => {
  const { db } = service.call();
  const returned = () => db.$count(externalTransfer, isNotNull(externalTransfer.returnId));
  const dice = seededDice(5);
  expect(await sendBack(service.call())).toBe(false);
  await tick(service.call(), dice);
  expect(await returned()).toBe(0);
  await ted(service, await openAccount(service, { reais: 100 }), { amount: 50 });
  expect(await sendBack(service.call())).toBe(false);
  for (let beat = 0; beat < 60; beat += 1) await moveMoney(service.call(), dice);
  await tick(service.call(), dice);
  expect(await returned()).toBe(1);
});

it("names one holder to try in its log, and stops on request", async () => {
  const lines: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => lines.push(line) });
  const demo = await startDemo({ ...service.call(), log });
  await demo.stop();
  expect(lines.join("")).toContain(`try CPF ${KNOWN_HOLDER.documentNumber}`);
  expect(lines).toHaveLength(1);
});

it("announces a deposit and an account within half a minute, none after a restart", async () => {
  const waits: number[] = [];
  let beat: (() => void) | undefined;
  const later: Later = (ms, happen) => {
    waits.push(ms);
    beat = happen;
    return () => undefined;
  };
  const empty = await startService();
  const demo = await startDemo(empty.call(), later);
  for (let news = 1; news <= 3; news += 1) {
    beat?.();
    await vi.waitFor(async () => expect(await empty.call().db.$count(webhookEvent)).toBe(news));
  }
  await demo.stop();
  const told = await empty.call().db.select({ event: webhookEvent.event }).from(webhookEvent);
  expect(new Set(told.map(({ event }) => event))).toEqual(new Set(["crypto-cash-in", "onboarding-create"]));
  expect(waits.slice(0, 3).reduce((total, ms) => total + ms, 0)).toBeLessThan(30_000);
  await startDemo(service.call(), later);
  expect(waits.at(-1)).toBeGreaterThanOrEqual(20_000);
});

it("adds no more of what there is enough of", async () => {
  let happened = 0;
  const activity = (ceiling: number): Activity => ({
    weight: 1,
    ceiling,
    count: async () => 5,
    happen: async () => {
      happened += 1;
    },
  });
  await tick(service.call(), seededDice(1), [activity(5)]);
  expect(happened).toBe(0);
  await tick(service.call(), seededDice(1), [activity(6)]);
  expect(happened).toBe(1);
});
