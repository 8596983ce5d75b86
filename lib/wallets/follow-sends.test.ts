import { orderCoins } from "./send-coins";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { approvalsWatch } from "@/lib/boot/approvals-watch";
import { auditEvent } from "@/lib/db/tables/audit";
import { providerIntent } from "@/lib/db/tables/provider";
import { chainMovement, chainReading, cryptoOrder } from "@/lib/db/tables/wallets";
import { watchActor } from "@/lib/permission/grant";
import { excludeCandidate, orderOutcome } from "@/lib/outcomes/end-outcome";
import { approvalsOf, givenCoins, order, TO } from "@/test/support/coins";
import { actorOf } from "@/test/support/console";
import { happened, notHappened } from "@/test/support/outcomes";
import { followSends } from "./follow-sends";
import { readOpenSends } from "./open-sends";

let coins: Awaited<ReturnType<typeof givenCoins>>;
let walletId = "";
let address = "";

beforeEach(async () => {
  coins = await givenCoins();
  ({ walletId, address } = await coins.givenWallet());
});

const follow = async () => {
  // Makes the next reading of the chain due.
  await coins.db.update(chainReading).set({ triedAt: new Date(Date.now() - 86_400_000) });
  await followSends(watchActor("wallets", "aurora", "wallets:read"));
};
const intentOf = async (id: string) => {
  const [row] = await coins.db.select().from(providerIntent).where(eq(providerIntent.id, id));
  if (row === undefined) throw new Error("it is not on record");
  return row;
};
const hashOf = async (intentId: string) =>
  (await coins.db.select().from(cryptoOrder).where(eq(cryptoOrder.intentId, intentId)))[0]?.txHash ?? null;
const onChain = async () => {
  const entries = await coins.wallets.entries(address, "ETHEREUM");
  return entries.filter(({ transactionSubtype }) => transactionSubtype === "outgoing").map(({ hash }) => hash);
};
const open = () => readOpenSends(coins.db, actorOf("finance", coins.makerId, "wallets:read"), walletId);
const concluder = () => actorOf("finance", coins.makerId, "outcomes:end");

async function held() {
  const given = order(walletId, { amount: "10" });
  const approvalId = await coins.propose(given);
  await coins.authorise(approvalId);
  const { state, antifraudId } = await intentOf(given.intentId);
  expect(state).toBe("HELD");
  const decide = (decision: "RELEASE" | "REJECT") =>
    coins.service.control("POST", `/sandbox/transactions/${antifraudId}`, { decision });
  return { ...given, approvalId, decide, antifraudId };
}

/** Lets the analyst's deadline pass. */
const overdue = (id: string) =>
  coins.db
    .update(providerIntent)
    .set({ pendingExpiresAt: new Date(Date.now() - 1_000) })
    .where(eq(providerIntent.id, id));

describe("coins that antifraud holds", () => {
  it("lists held coins among the open sends with case and deadline", async () => {
    const { intentId, approvalId, antifraudId } = await held();
    expect(await open()).toMatchObject([
      { intentId, state: "HELD", approvalId, isShown: true, antifraudId, until: expect.any(String) },
    ]);
    await follow();
    expect((await intentOf(intentId)).state).toBe("HELD");
  });

  it("ends held coins and their request with the releasing movement's hash", async () => {
    const { intentId, approvalId, decide } = await held();
    await decide("RELEASE");
    await follow();
    await approvalsWatch.sweep("aurora");
    expect((await intentOf(intentId)).state).toBe("DONE");
    expect([await hashOf(intentId)]).toEqual(await onChain());
    expect(await coins.endOf(approvalId)).toEqual(["EXECUTED", null]);
    expect(await open()).toEqual([]);
  });

  it("contradicts a not-sent outcome when held coins are released", async () => {
    const { intentId, decide } = await held();
    await overdue(intentId);
    await approvalsOf(coins, orderOutcome(concluder(), notHappened(intentId)));
    expect((await intentOf(intentId)).state).toBe("REFUSED");
    await decide("RELEASE");
    await follow();
    expect((await intentOf(intentId)).contradictedAt).not.toBeNull();
    expect(await open()).toMatchObject([{ intentId, state: "UNKNOWN" }]);
    const like = orderCoins(coins.maker(), order(walletId, { amount: "10" }));
    await expect(like).rejects.toMatchObject({ details: { code: "crypto-transfer-unsettled" } });
  });
});

const refusedAs = (code: string) => ({ kind: "conflict", details: { code } });

async function unknown() {
  coins.lost.answers = 1;
  const given = order(walletId);
  const approvalId = await coins.propose(given);
  await coins.authorise(approvalId);
  expect((await intentOf(given.intentId)).state).toBe("UNKNOWN");
  return { ...given, approvalId };
}

describe("coins whose answer was lost", () => {
  it("ends lost coins and their request with the hash on the chain", async () => {
    const { intentId, approvalId } = await unknown();
    await follow();
    await approvalsWatch.sweep("aurora");
    expect((await intentOf(intentId)).state).toBe("DONE");
    expect([await hashOf(intentId)]).toEqual(await onChain());
    expect(await coins.endOf(approvalId)).toEqual(["EXECUTED", null]);
  });

  it("ends lost coins behind five wallets that wait for a person", async () => {
    const path = "/v1/crypto/transfer";
    for (let nth = 0; nth < 5; nth += 1) {
      const waiting = await coins.givenWallet();
      await coins.service.control("POST", "/sandbox/faults", { method: "POST", path, times: 1, drop: true });
      await coins.authorise(await coins.propose(order(waiting.walletId)));
    }
    const { intentId } = await unknown();
    for (let nth = 0; nth < 3; nth += 1) {
      await coins.db.update(chainReading).set({ triedAt: sql`${chainReading.triedAt} - interval '1 hour'` });
      await followSends(watchActor("wallets", "aurora", "wallets:read"));
    }
    expect((await intentOf(intentId)).state).toBe("DONE");
  });

  it("keeps lost coins unknown while the chain shows two candidates", async () => {
    const { intentId } = await unknown();
    await coins.wallets.sent({ network: "ETHEREUM", fromAddress: address, to: TO, amount: "1.5" });
    await follow();
    expect((await intentOf(intentId)).state).toBe("UNKNOWN");
  });

  it("keeps lost coins unknown while one of two candidates has no block yet", async () => {
    const { intentId } = await unknown();
    const [own = ""] = await onChain();
    await coins.wallets.sent({ network: "ETHEREUM", fromAddress: address, to: TO, amount: "1.5" });
    await follow();
    await coins.db.update(chainMovement).set({ isDated: false, blockNumber: null }).where(eq(chainMovement.hash, own));
    await followSends(watchActor("wallets", "aurora", "wallets:read"));
    expect((await intentOf(intentId)).state).toBe("UNKNOWN");
  });

  it("refuses to settle coins as unsent while a candidate is not ruled out", async () => {
    const { intentId } = await unknown();
    await coins.wallets.sent({ network: "ETHEREUM", fromAddress: address, to: TO, amount: "1.5" });
    await follow();
    const saying = () => orderOutcome(concluder(), notHappened(intentId));
    await expect(saying()).rejects.toMatchObject({ details: { code: "outcome-on-chain" } });
    const [first = "", second = ""] = await onChain();
    await excludeCandidate(concluder(), { intentId, candidate: first });
    await expect(saying()).rejects.toMatchObject({ details: { code: "outcome-on-chain" } });
    await excludeCandidate(concluder(), { intentId, candidate: second });
    const facts = await approvalsOf(coins, saying());
    expect(facts).toContainEqual(["onChain", { as: "sends", sends: [] }]);
    expect(facts).toContainEqual(["ruledOut", { as: "sends", sends: [{ txHash: first }, { txHash: second }] }]);
  });

  it("checks the current chain when coins are settled as unsent", async () => {
    const { intentId } = await unknown();
    const saying = orderOutcome(concluder(), notHappened(intentId));
    await expect(saying).rejects.toMatchObject({ details: { code: "outcome-on-chain" } });
  });

  it("refuses an approver's settlement as unsent after a new movement", async () => {
    const path = "/v1/crypto/transfer";
    await coins.service.control("POST", "/sandbox/faults", { method: "POST", path, times: 1, drop: true });
    const given = order(walletId);
    await coins.authorise(await coins.propose(given));
    const proposed = await orderOutcome(concluder(), notHappened(given.intentId));
    if (proposed.state !== "PROPOSED") throw new Error("it did not wait");
    const elsewhere = { network: "ETHEREUM", fromAddress: address, to: TO, amount: "1.5" };
    await coins.wallets.sent(elsewhere);
    await coins.wallets.sent(elsewhere);
    await follow();
    await coins.authorise(proposed.approvalId);
    expect(await coins.endOf(proposed.approvalId)).toEqual(["FAILED", "outcome-on-chain"]);
  });

  it("end with the candidate hash that a person names, once a second person agrees", async () => {
    const { intentId } = await unknown();
    await coins.wallets.sent({ network: "ETHEREUM", fromAddress: address, to: TO, amount: "1.5" });
    const [first = "", second = ""] = await onChain();
    const facts = await approvalsOf(coins, orderOutcome(concluder(), { ...happened(intentId), txHash: second }));
    expect(facts).toContainEqual(["hash", { as: "text", text: second }]);
    expect((await intentOf(intentId)).state).toBe("DONE");
    expect(await hashOf(intentId)).toBe(second);
    // The other one is nobody's, and blocks a like order as before.
    const like = orderCoins(coins.maker(), order(walletId));
    await expect(like).rejects.toMatchObject({ details: { code: "crypto-transfer-repeated" } });
    expect(first).not.toBe(second);
  });

  it("end with a hash that no history tells, on evidence", async () => {
    const { intentId } = await unknown();
    const txHash = `0x${"a".repeat(64)}`;
    await approvalsOf(coins, orderOutcome(concluder(), { ...happened(intentId), txHash }));
    expect(await hashOf(intentId)).toBe(txHash);
  });

  it("refuse the hash of another order, of another movement and of coins that stayed", async () => {
    const { intentId } = await unknown();
    const other = order(walletId, { amount: "2" });
    await coins.authorise(await coins.propose(other));
    const ofOther = (await hashOf(other.intentId)) ?? "";
    const saying = (txHash: string) => orderOutcome(concluder(), { ...happened(intentId), txHash });
    await expect(saying(ofOther)).rejects.toMatchObject(refusedAs("outcome-hash-taken"));
    await coins.wallets.sent({ network: "ETHEREUM", fromAddress: address, to: TO, amount: "3" });
    const ofThree = (await onChain())[0] ?? "";
    await expect(saying(ofThree)).rejects.toMatchObject(refusedAs("outcome-hash-other"));
    const unsent = { ...notHappened(intentId), txHash: ofThree };
    await expect(orderOutcome(concluder(), unsent)).rejects.toMatchObject(refusedAs("outcome-hash-other"));
    expect((await intentOf(intentId)).state).toBe("UNKNOWN");
  });

  it("gives one hash to one of two orders that are ended with it at once", async () => {
    const { walletId: otherWallet } = await coins.givenWallet();
    const first = await unknown();
    coins.lost.answers = 1;
    const second = order(otherWallet, { amount: "2" });
    await coins.authorise(await coins.propose(second));
    const txHash = `0x${"b".repeat(64)}`;
    const requests: string[] = [];
    for (const { intentId } of [first, second]) {
      const proposed = await orderOutcome(concluder(), { ...happened(intentId), txHash });
      if (proposed.state !== "PROPOSED") throw new Error("it did not wait");
      requests.push(proposed.approvalId);
    }
    await Promise.all(requests.map(coins.authorise));
    const ends = await Promise.all(requests.map(coins.endOf));
    expect(ends).toContainEqual(["EXECUTED", null]);
    expect(ends).toContainEqual(["FAILED", "outcome-hash-taken"]);
    expect(await coins.db.$count(cryptoOrder, eq(cryptoOrder.txHash, txHash))).toBe(1);
  });

  it("that a person said were sent claim the one movement that shows them", async () => {
    const { intentId } = await unknown();
    await approvalsOf(coins, orderOutcome(concluder(), happened(intentId)));
    await follow();
    expect([await hashOf(intentId)]).toEqual(await onChain());
  });
});

it("audits who settled what", async () => {
  const { intentId } = await unknown();
  await follow();
  const rows = await coins.db.select().from(auditEvent).where(eq(auditEvent.intentId, intentId));
  const ended = rows.filter(({ code, outcome }) => code === "crypto-transfers.create" && outcome === "DONE");
  expect(ended).toMatchObject([{ actor: "watch:wallets" }]);
});
