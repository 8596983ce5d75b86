import { eq, isNotNull } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { providerIntent } from "@/lib/db/tables/provider";
import { account } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { fillDemo } from "@/service/demo/demo";
import { bankAccount, ledgerMovement } from "@/service/store/schema";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import type { Harness } from "@/test/support/service/harness";
import { recallTransfers } from "./demo";
import { orderedBodyOf } from "./ordered";
import { transfer } from "@/lib/db/tables/transfers";

const DAY_MS = 86_400_000;
const ACCOUNTS = 12;

let db: Db;
beforeEach(async () => {
  givenEnv({ isEmbedded: true });
  db = await givenStore();
});

async function givenDemoAccounts(): Promise<Harness> {
  const service = await givenService();
  service.clock.set(Date.now());
  await fillDemo(service.call());
  const looker = actorOf("support", await givenStaff(db, "support"), "accounts:read");
  const isOpen = eq(bankAccount.status, "ACTIVE");
  const opened = await service.call().db.select().from(bankAccount).where(isOpen).limit(ACCOUNTS);
  for (const { onboardingId } of opened) await lookUp(looker, { query: onboardingId });
  await db.update(account).set({ standing: "OPEN" });
  return service;
}

async function recall(): Promise<string[]> {
  const support = await givenStaff(db, "support");
  const finance = await givenStaff(db, "finance");
  await recallTransfers(db, {
    looker: actorOf("support", support, "accounts:read"),
    makers: [actorOf("support", support, "transfers:create"), actorOf("finance", finance, "transfers:create")],
  });
  return [support, finance];
}

describe("the demo's past transfers", () => {
  it("matches past transfers to the statements, by both makers, with audit rows", async () => {
    const service = await givenDemoAccounts();
    const makers = await recall();
    const sent = await db
      .select({ row: transfer, intent: providerIntent })
      .from(transfer)
      .innerJoin(providerIntent, ofIntent(transfer));
    expect(sent.length).toBeGreaterThan(5);
    expect(new Set(sent.map(({ row }) => row.kind))).toEqual(new Set(["INTERNAL", "EXTERNAL"]));
    expect(new Set(sent.map(({ row }) => row.staffId))).toEqual(new Set(makers));
    const movements = await service.call().db.select().from(ledgerMovement);
    const booked = new Map(movements.map(({ id, occurredAt }) => [id, occurredAt.getTime()]));
    for (const { row, intent } of sent) {
      const bookedAt = booked.get(row.transactionId ?? "") ?? 0;
      expect(intent).toMatchObject({ state: "DONE", attempts: 1, finishedAt: new Date(bookedAt) });
      expect(bookedAt - row.createdAt.getTime()).toBe(2_000);
      expect(row.createdAt.getTime()).toBeLessThan(Date.now());
      expect(orderedBodyOf(row.kind, intent)?.amount).toBe(row.amount);
    }
    const days = sent.map(({ row }) => Math.floor((Date.now() - row.createdAt.getTime()) / DAY_MS));
    expect(Math.max(...days)).toBeGreaterThan(14);
    const entries = await db.select().from(auditEvent).where(isNotNull(auditEvent.intentId));
    for (const outcome of ["INTENT", "DONE"])
      expect(entries.filter((entry) => entry.outcome === outcome)).toHaveLength(sent.length);
  }, 60_000);
});
