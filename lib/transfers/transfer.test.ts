import { randomUUID } from "node:crypto";
import { asc } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Actor } from "@/lib/permission/grant";
import { providerIntent } from "@/lib/db/tables/provider";
import { account } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import type { Harness } from "@/test/support/service/harness";
import { type Account, balanceOf, statementOf } from "@/test/support/service/transfers";
import { transfer } from "@/lib/db/tables/transfers";
import {
  externalOrder,
  givenIntents,
  internalOrder,
  openAccount,
  transferExternal,
  transferInternal,
} from "@/test/support/transfers";

let db: Db;
let service: Harness;
let actor: Actor<"transfers:create">;
let parties: [Account, Account];
let script: ReturnType<typeof givenIntents>;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  service = await givenService();
  script = givenIntents();
  actor = actorOf("finance", await givenStaff(db, "finance"), "transfers:create");
  parties = [await openAccount(service, 2_000_000), await openAccount(service)];
});

afterEach(() => {
  vi.useRealTimers();
});

const order = (changes: Parameters<typeof internalOrder>[1] = {}) => internalOrder(parties, changes);
const payments = async () => (await statementOf(service, parties[0])).filter(({ direction }) => direction === "DEBIT");

async function trail(): Promise<string[]> {
  const rows = await db.select().from(auditEvent).orderBy(asc(auditEvent.seq));
  return rows.map(({ code, outcome }) => `${code} ${outcome}`);
}

describe("a transfer between accounts", () => {
  it("moves a transfer's money once, to the cent, audited before and after", async () => {
    const done = await transferInternal(actor, order({ amount: "9999.9" }));
    const [payment] = await payments();
    expect(payment).toMatchObject({ amount: "9999.90", type: "INTERNAL" });
    expect(done).toEqual({ state: "DONE", stored: { transactionId: payment?.transactionId } });
    expect(await balanceOf(service, parties[1])).toEqual(["9999.90", "0.00"]);
    expect(await trail()).toEqual(["transfer.internal INTENT", "transfer.internal DONE"]);
    expect(await db.select().from(transfer)).toMatchObject([
      { amount: "9999.90", transactionId: payment?.transactionId, isRepeat: false },
    ]);
  });

  it("links a transfer to the account by the reference of its page", async () => {
    const [{ accountId }] = parties;
    const ref = randomUUID();
    const firstSeenAt = new Date();
    const held = { documentHash: "h", documentSealed: "s", branch: "0001", number: "1", firstSeenAt };
    await db.insert(account).values({ tenant: "aurora", ref, accountId, ...held });
    await transferInternal(actor, order());
    expect(await db.select().from(providerIntent)).toMatchObject([{ object: `account:${ref}` }]);
    expect(await db.select().from(auditEvent)).toMatchObject([
      { object: `account:${ref}` },
      { object: `account:${ref}` },
    ]);
  });

  it("pays once for fifty concurrent submits of one intent, with equal answers", async () => {
    const once = order();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => transferInternal(actor, once)));
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(await payments()).toHaveLength(1);
    expect(script.sent).toBe(1);
  });

  it("pays a transfer once despite lost answers, and says so when finally answered", async () => {
    script.losses = 3;
    await expect(transferInternal(actor, order())).resolves.toMatchObject({ state: "DONE" });
    expect(script.sent).toBe(4);
    expect(await payments()).toHaveLength(1);
  });

  it("calls a held transfer neither done nor failed", async () => {
    const held = order({ amount: "10000.00" });
    const outcome = await transferInternal(actor, held);
    expect(outcome).toMatchObject({
      state: "HELD",
      antifraudId: expect.any(String),
      pendingExpiresAt: expect.any(Date),
    });
    await expect(transferInternal(actor, held)).resolves.toEqual(outcome);
    expect(script.sent).toBe(1);
    expect(await trail()).toEqual(["transfer.internal INTENT", "transfer.internal HELD"]);
    expect(await payments()).toHaveLength(0);
  });

  it("refuses a transfer that the provider blocks", async () => {
    await expect(transferInternal(actor, order({ amount: "1000000.00" }))).rejects.toMatchObject({ kind: "blocked" });
    expect(await trail()).toEqual(["transfer.internal INTENT", "transfer.internal REFUSED"]);
  });

  it("allows a retry after a refusal for lack of money", async () => {
    const poor = internalOrder([parties[1], parties[0]]);
    await expect(transferInternal(actor, poor)).rejects.toMatchObject({ details: { status: 422 } });
    await service.control("POST", `/sandbox/bank-accounts/${parties[1].accountId}/credit`, { amount: 100 });
    await expect(transferInternal(actor, poor)).resolves.toMatchObject({ state: "DONE" });
    expect(await balanceOf(service, parties[1])).toEqual(["89.90", "0.00"]);
  });
});

describe("a second transfer like one of the last days", () => {
  it("asks to confirm a repeat, and neither sends nor stores it before", async () => {
    await transferInternal(actor, order());
    const second = order();
    await expect(transferInternal(actor, second)).rejects.toMatchObject({ details: { code: "possible-duplicate" } });
    expect(script.sent).toBe(1);
    expect(await db.$count(transfer)).toBe(1);
    await transferInternal(actor, { ...second, isRepeat: true });
    expect(await payments()).toHaveLength(2);
  });

  it("asks to confirm a repeat ordered at the same moment", async () => {
    const both = await Promise.allSettled([transferInternal(actor, order()), transferInternal(actor, order())]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await payments()).toHaveLength(1);
  });

  it.each([
    { what: "of another amount", changes: { amount: "10.11" } },
    { what: "of the same intent", changes: {} },
  ])("asks nothing for $what", async ({ changes }) => {
    const first = order();
    await transferInternal(actor, first);
    const { intentId } = changes.amount === undefined ? first : { intentId: randomUUID() };
    await expect(transferInternal(actor, { ...first, ...changes, intentId })).resolves.toMatchObject({ state: "DONE" });
  });

  it("asks nothing after a refused first transfer", async () => {
    const poor: [Account, Account] = [parties[1], parties[0]];
    await expect(transferInternal(actor, internalOrder(poor))).rejects.toMatchObject({ kind: "invalid" });
    await expect(transferInternal(actor, internalOrder(poor))).rejects.toMatchObject({ details: { status: 422 } });
  });

  it("asks nothing on the third day, in São Paulo time", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-11T02:59:00Z") });
    await transferInternal(actor, order());
    vi.setSystemTime(new Date("2026-03-13T03:01:00Z"));
    await expect(transferInternal(actor, order())).resolves.toMatchObject({ state: "DONE" });
  });
});

describe("a TED", () => {
  it("sends a TED once, to the cent", async () => {
    script.losses = 2;
    const done = await transferExternal(actor, externalOrder(parties[0], { value: "99.90" }));
    const sent = await payments();
    expect(sent).toMatchObject([{ amount: "99.90", type: "TED" }]);
    expect(done).toEqual({ state: "DONE", stored: { transactionId: sent[0]?.transactionId } });
    expect(await trail()).toEqual(["transfer.external INTENT", "transfer.external DONE"]);
  });

  it("asks to confirm a TED when one like it left today", async () => {
    await transferExternal(actor, externalOrder(parties[0]));
    await expect(transferExternal(actor, externalOrder(parties[0]))).rejects.toMatchObject({
      details: { code: "possible-duplicate" },
    });
  });

  it("stores neither a TED recipient's document nor name in clear", async () => {
    await transferExternal(actor, externalOrder(parties[0]));
    const tables = [providerIntent, transfer, auditEvent];
    const stored = JSON.stringify(await Promise.all(tables.map((table) => db.select().from(table))));
    expect(stored).not.toMatch(/39053344705|João/);
  });
});
