import { reconcileWrites } from "@/lib/sent-writes";
import { randomUUID } from "node:crypto";
import { asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "@/lib/permission/grant";
import { entriesOf } from "@/lib/accounts/export";
import { StatementFilter } from "@/lib/accounts/inputs";
import { lookUp } from "@/lib/accounts/look-up";
import { type Manner, otherProvider } from "@/test/other-provider";
import { providerIntent } from "@/lib/db/tables/provider";
import { account } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { sweepOnce } from "@/lib/watch/watch";
import type { Harness } from "@/test/support/service/harness";
import { type Account, statementOf } from "@/test/support/service/transfers";
import { essenceOfExternal } from "./inputs";
import { isFirstUse } from "./payees";
import { findTransfer } from "./records";
import { findTransferOfEntry } from "@/lib/accounts/transfer-of-entry";
import { payee, transfer } from "@/lib/db/tables/transfers";
import {
  externalOrder,
  givenIntents,
  internalOrder,
  openAccount,
  transferExternal,
  transferInternal,
} from "@/test/support/transfers";
import { civilDaysAgo } from "@/lib/text/time";
import { areaWatch } from "@/lib/boot/area-watches";

const TENANT = "aurora";
const transfersWatch = areaWatch("transfers:read");

let db: Db;
let service: Harness;
let actor: Actor<"transfers:create">;
let parties: [Account, Account];
let script: ReturnType<typeof givenIntents>;
let asked: string[] = [];
let manner: Manner = {};

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  asked = [];
  manner = {};
  service = await givenService(
    ({ url }) => asked.push(new URL(url).pathname),
    (serve) => (request) => otherProvider(serve, manner)(request),
  );
  script = givenIntents();
  actor = actorOf("finance", await givenStaff(db, "finance"), "transfers:create");
  parties = [await openAccount(service, 2_000_000), await openAccount(service)];
});

const order = (amount = "10.10") => internalOrder(parties, { amount });
const payments = async () => (await statementOf(service, parties[0])).filter(({ direction }) => direction === "DEBIT");
const ago = (time: string) => sql`clock_timestamp() - ${time}::interval`;

async function trail(): Promise<string[]> {
  const rows = await db.select().from(auditEvent).orderBy(asc(auditEvent.seq));
  return rows.map(({ actor: who, outcome }) => `${outcome} by ${who === actor.id ? "the person" : who}`);
}

async function theRow() {
  const [row] = await db.select().from(providerIntent);
  if (row === undefined) throw new Error("nothing is on record");
  return row;
}

/** A transfer that was sent, and whose sender died before recording its end. */
async function leftBehind(changes: Partial<typeof providerIntent.$inferInsert> = {}): Promise<void> {
  await transferInternal(actor, order());
  await db.update(providerIntent).set({
    state: "SENDING",
    owner: randomUUID(),
    keptSealed: null,
    finishedAt: null,
    ...changes,
  });
  script.sent = 0;
}

describe("a transfer whose sender died", () => {
  it("checks a dead sender's transfer under its key, and pays once", async () => {
    await leftBehind();
    await sweepOnce(transfersWatch, TENANT);
    expect(script.sent).toBe(1);
    expect(await theRow()).toMatchObject({ state: "DONE" });
    expect(await payments()).toHaveLength(1);
    expect((await trail()).slice(2)).toEqual(["UNKNOWN by watch:transfers", "DONE by watch:transfers"]);
    expect(await db.select().from(transfer)).toMatchObject([{ transactionId: expect.any(String) }]);
  });

  it("refuses a dead sender's transfer without a call when nothing was sent", async () => {
    await leftBehind({ attempts: 0, firstSentAt: null });
    await reconcileWrites(TENANT);
    expect(await theRow()).toMatchObject({ state: "REFUSED", code: "never-sent" });
    expect(script.sent).toBe(0);
  });

  it("settles a dead sender's transfer without a call when a console starts", async () => {
    await leftBehind();
    await reconcileWrites(TENANT);
    expect(await theRow()).toMatchObject({ state: "UNKNOWN", mayHaveExecuted: true });
    expect(script.sent).toBe(0);
  });

  it("leaves a transfer alone on a server while its sender may be alive", async () => {
    givenEnv({ databaseUrl: "postgres://shared.example/console" });
    await leftBehind();
    await sweepOnce(transfersWatch, TENANT);
    expect(await theRow()).toMatchObject({ state: "SENDING" });
    await db.update(providerIntent).set({ sendingUntil: ago("1 second") });
    await sweepOnce(transfersWatch, TENANT);
    expect(await theRow()).toMatchObject({ state: "DONE" });
  });

  it("leaves a transfer to a person after 23 hours, as its key may be forgotten", async () => {
    await leftBehind({ firstSentAt: new Date(Date.now() - 23.5 * 3_600_000) });
    await sweepOnce(transfersWatch, TENANT);
    expect(await theRow()).toMatchObject({ state: "UNKNOWN", nextTryAt: null });
    expect(script.sent).toBe(0);
  });
});

describe("a transfer whose end is not known", () => {
  it("pays a transfer by the check when it never arrived", async () => {
    script.requestsLost = 6;
    await expect(transferInternal(actor, order())).rejects.toMatchObject({ details: { code: "transfer-unconfirmed" } });
    await db.update(providerIntent).set({ nextTryAt: ago("1 second") });
    await sweepOnce(transfersWatch, TENANT);
    expect(await theRow()).toMatchObject({ state: "DONE" });
    expect(await payments()).toHaveLength(1);
  });

  it("checks an unknown transfer at growing intervals", async () => {
    script.requestsLost = 100;
    await expect(transferInternal(actor, order())).rejects.toMatchObject({ kind: "unavailable" });
    const gapsMs: number[] = [];
    for (const age of ["30 seconds", "10 minutes", "20 hours"]) {
      await db.update(providerIntent).set({ firstSentAt: ago(age), nextTryAt: ago("1 second") });
      const before = Date.now();
      await sweepOnce(transfersWatch, TENANT);
      gapsMs.push(Math.round(((await theRow()).nextTryAt?.getTime() ?? 0) - before));
    }
    expect(gapsMs.map((ms) => Math.round(ms / 10_000) * 10)).toEqual([30, 300, 3_600]);
    expect(await trail()).toEqual(["INTENT by the person", "UNKNOWN by the person"]);
  });

  it("refuses no unknown transfer because the tenant may no longer pay", async () => {
    script.losses = 6;
    await expect(transferInternal(actor, order())).rejects.toMatchObject({ kind: "unavailable" });
    await service.control("PUT", "/sandbox/tenants/aurora/billing", { status: "SUSPENDED" });
    await db.update(providerIntent).set({ nextTryAt: ago("1 second") });
    await sweepOnce(transfersWatch, TENANT);
    expect(await theRow()).toMatchObject({ state: "UNKNOWN" });
    await service.control("PUT", "/sandbox/tenants/aurora/billing", { status: "ACTIVE" });
    await db.update(providerIntent).set({ nextTryAt: ago("1 second") });
    await sweepOnce(transfersWatch, TENANT);
    expect(await theRow()).toMatchObject({ state: "DONE" });
  });

  it("checks a transfer with the others until the provider fails otherwise", async () => {
    script.losses = 12 * 6;
    for (let n = 0; n < 12; n += 1) {
      await transferInternal(actor, order(`${n + 1}.00`)).catch(() => undefined);
    }
    await db.update(providerIntent).set({ nextTryAt: ago("1 second") });
    await sweepOnce(transfersWatch, TENANT);
    const rows = await db.select().from(providerIntent);
    expect(rows.every(({ state }) => state === "DONE")).toBe(true);
    expect(await payments()).toHaveLength(12);
  });
});

const seek = () => sweepOnce(transfersWatch, TENANT);
const stateOf = async (id: string) => {
  const reader = actorOf("finance", actor.id, "transfers:read");
  return (await findTransfer(db, reader, id))?.row.state;
};
const sent = async (changes: Parameters<typeof externalOrder>[1] = {}) => {
  const ted = externalOrder(parties[0], changes);
  await transferExternal(actor, ted);
  const [row] = await db.select().from(transfer).where(eq(transfer.intentId, ted.intentId));
  return { id: ted.intentId, transactionId: row?.transactionId ?? "" };
};
const back = (transactionId: string) => service.control("POST", `/sandbox/transactions/${transactionId}/return`, {});
const lookedUp = () => lookUp(actorOf("finance", actor.id, "accounts:read"), { query: parties[0].onBoardingId });
const historyCalls = () => asked.filter((path) => path.endsWith("/history")).length;

describe("a TED that came back", () => {
  beforeEach(async () => {
    service.clock.set(Date.now());
    await lookedUp();
  });

  it("marks a TED returned once the statement shows it, with its payee unpaid", async () => {
    const ted = await sent();
    const other = await sent({ value: "5.00" });
    await seek();
    expect(await stateOf(ted.id)).toBe("CONFIRMED");
    await back(ted.transactionId);
    await db.update(transfer).set({ returnReadAt: null });
    await seek();
    expect([await stateOf(ted.id), await stateOf(other.id)]).toEqual(["RETURNED", "CONFIRMED"]);
    const returns = (await db.select().from(auditEvent)).filter(({ code }) => code === "ted.return");
    expect(returns).toMatchObject([{ outcome: "DONE", intentId: ted.id, actor: "watch:transfers" }]);
    const [kept] = await db.select().from(transfer).where(eq(transfer.intentId, ted.id));
    const reader = actorOf("support", actor.id, "accounts:read");
    const led = [ted.transactionId, kept?.returnId ?? "", "nobody's"].map((id) => findTransferOfEntry(reader, id));
    expect(await Promise.all(led)).toEqual([{ id: ted.id, isReturn: false }, { id: ted.id, isReturn: true }, null]);
    expect(await db.$count(payee, isNull(payee.paidAt))).toBe(0);
    await back(other.transactionId);
    await db.update(transfer).set({ returnReadAt: null });
    await seek();
    expect(await db.$count(payee, isNotNull(payee.paidAt))).toBe(0);
  });

  it("marks a TED as returned from the kept statement, without a call", async () => {
    const ted = await sent();
    await seek();
    await back(ted.transactionId);
    const reader = actorOf("support", actor.id, "accounts:read");
    const [held] = await db.select().from(account).where(eq(account.accountId, parties[0].accountId));
    const filter = StatementFilter.parse({ from: civilDaysAgo(1), to: civilDaysAgo(0) });
    for await (const _ of entriesOf(reader, { asked: parties[0], object: `account:${held?.ref}`, filter }));
    asked = [];
    await seek();
    expect([await stateOf(ted.id), historyCalls()]).toEqual(["RETURNED", 0]);
    const [kept] = await db.select().from(transfer).where(eq(transfer.intentId, ted.id));
    expect(await findTransferOfEntry(reader, kept?.returnId ?? "")).toEqual({ id: ted.id, isReturn: true });
  });

  it("keeps an account known while a TED to it under another document stands", async () => {
    const [ted] = [await sent(), await sent({ value: "5.00", document: "52998224725" })];
    await back(ted.transactionId);
    await seek();
    expect(await stateOf(ted.id)).toBe("RETURNED");
    const paid = externalOrder(parties[0]);
    expect(await db.$count(payee, isNull(payee.paidAt))).toBe(1);
    expect(await isFirstUse(db, "aurora", essenceOfExternal(paid))).toBe(false);
  });

  it("infers no return from an equal amount that names no transfer", async () => {
    const ted = await sent();
    const credit = { amount: 99.9, type: "TED", description: "Devolução" };
    await service.control("POST", `/sandbox/bank-accounts/${parties[0].accountId}/credit`, credit);
    await seek();
    expect(await stateOf(ted.id)).toBe("CONFIRMED");
  });

  it.each<[string, Manner]>([
    ["counts its pages from 0", { history: { firstPage: 0, pageSize: 2, order: "oldest" } }],
    ["counts its pages from 1", { history: { firstPage: 1, pageSize: 2, order: "oldest" } }],
  ])("finds a returned TED on a later page of a provider that %s", async (_, its) => {
    const ted = await sent();
    await sent({ value: "5.00" });
    await back(ted.transactionId);
    manner = its;
    await seek();
    expect(await stateOf(ted.id)).toBe("RETURNED");
  });

  it("finds a returned TED when another account's statement is unreadable", async () => {
    const [, second] = parties;
    await service.control("POST", `/sandbox/bank-accounts/${second.accountId}/credit`, { amount: 500 });
    await lookUp(actorOf("finance", actor.id, "accounts:read"), { query: second.onBoardingId });
    const ted = externalOrder(second);
    await transferExternal(actor, ted);
    const own = await sent();
    await back(own.transactionId);
    await db.update(account).set({ accountId: "gone" }).where(eq(account.accountId, second.accountId));
    await db.update(transfer).set({ accountId: "gone" }).where(eq(transfer.intentId, ted.intentId));
    await seek();
    await seek();
    expect(await stateOf(own.id)).toBe("RETURNED");
  });

  it("finds a returned TED in the same statement read as held transfers", async () => {
    const held = order("12000.00");
    expect(await transferInternal(actor, held)).toMatchObject({ state: "HELD" });
    const ted = await sent();
    await back(ted.transactionId);
    await seek();
    expect(historyCalls()).toBe(1);
    expect([await stateOf(held.intentId), await stateOf(ted.id)]).toEqual(["HELD", "RETURNED"]);
  });

  it("checks a TED rarely, and only while it can still come back", async () => {
    await sent();
    await seek();
    await seek();
    expect(historyCalls()).toBe(1);
    await db.update(transfer).set({ returnReadAt: null, createdAt: ago("6 days") });
    await seek();
    expect(historyCalls()).toBe(1);
  });
});
