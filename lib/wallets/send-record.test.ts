import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { refuseRequest } from "@/lib/approvals/decide";
import { withdraw } from "@/lib/approvals/withdraw";
import { getSession } from "@/lib/auth/session";
import { auditEvent } from "@/lib/db/tables/audit";
import { chainReading, cryptoOrder, walletBalance } from "@/lib/db/tables/wallets";
import type { Role } from "@/lib/permission/permission";
import { watchActor } from "@/lib/permission/grant";
import { sessionOf } from "@/test/support/auth";
import { givenCoins, order, TO } from "@/test/support/coins";
import { actorOf } from "@/test/support/console";
import { ETHEREUM_USDT } from "@/test/support/service/crypto";
import { textsOf } from "@/test/support/pdf";
import { followSends } from "./follow-sends";
import { exportSendReceipt, getSend } from "./queries";

let coins: Awaited<ReturnType<typeof givenCoins>>;
let walletId = "";
let address = "";

beforeEach(async () => {
  coins = await givenCoins();
  ({ walletId, address } = await coins.givenWallet());
  read("finance");
});

const read = (...roles: Role[]) =>
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: coins.makerId, roles }));

const kindsOf = async (id: string) => (await getSend(id))?.events.map(({ kind }) => kind);

describe("the page of a send", () => {
  it("says who ordered it and who approved it, with its hash and its life", async () => {
    const given = order(walletId);
    const approvalId = await coins.propose(given);
    expect(await getSend(given.intentId)).toMatchObject({
      row: { state: "WAITING", isMine: true },
      requestId: approvalId,
      authorisedBy: null,
      until: expect.any(String),
    });
    await coins.authorise(approvalId);
    const done = await getSend(given.intentId);
    expect(done).toMatchObject({
      row: { state: "DONE", order: { to: TO, amount: "1.5" }, hash: { txHash: expect.any(String) } },
      requestId: approvalId,
      authorisedBy: expect.any(String),
      needsPerson: false,
      candidates: [],
    });
    expect(done?.events.map(({ kind, byName }) => [kind, byName !== null])).toEqual([
      ["proposed", true],
      ["authorised", true],
      ["sent", false],
      ["done", false],
    ]);
  });

  it("says why it was rejected to whoever may open the request, and to nobody else", async () => {
    const given = order(walletId);
    const approvalId = await coins.propose(given);
    await refuseRequest(coins.approver, { approvalId, reason: "Endereço não confere." });
    expect(await getSend(given.intentId)).toMatchObject({
      row: { state: "REJECTED" },
      reason: "Endereço não confere.",
    });
    expect(await kindsOf(given.intentId)).toEqual(["proposed", "rejected"]);
    vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: randomUUID(), roles: ["finance"] }));
    expect(await getSend(given.intentId)).toMatchObject({ requestId: null, reason: null });
  });

  it("says of what was withdrawn that nothing was sent", async () => {
    const given = order(walletId);
    const approvalId = await coins.propose(given);
    await withdraw(actorOf("finance", coins.makerId, "approvals:read"), { approvalId });
    expect(await getSend(given.intentId)).toMatchObject({ row: { state: "NOT_SENT", cause: "withdrawn" } });
    expect(await kindsOf(given.intentId)).toEqual(["proposed", "withdrawn"]);
  });

  it("says what the provider refused it for", async () => {
    const given = order(walletId, { amount: "5000" });
    await coins.authorise(await coins.propose(given));
    expect(await getSend(given.intentId)).toMatchObject({ row: { state: "REFUSED" }, told: { status: 422 } });
    expect(await kindsOf(given.intentId)).toEqual(["proposed", "authorised", "sent", "refused"]);
  });

  it("shows what may be it beside an order whose answer was lost, and who must say", async () => {
    coins.lost.answers = 1;
    const given = order(walletId);
    await coins.authorise(await coins.propose(given));
    await coins.wallets.sent({ network: "ETHEREUM", fromAddress: address, to: TO, amount: "1.5" });
    await coins.db.update(chainReading).set({ triedAt: new Date(Date.now() - 86_400_000) });
    await followSends(watchActor("wallets", "aurora", "wallets:read"));
    expect(await getSend(given.intentId)).toMatchObject({
      row: { state: "UNKNOWN", hash: null },
      ending: { code: null, status: 500 },
      candidates: [{ id: expect.any(String) }, { id: expect.any(String) }],
      needsPerson: true,
    });
  });

  it("says that its end was seen here where the answer had left it open", async () => {
    coins.lost.answers = 1;
    const given = order(walletId);
    const approvalId = await coins.propose(given);
    await coins.authorise(approvalId);
    await coins.db.update(chainReading).set({ triedAt: new Date(Date.now() - 86_400_000) });
    await followSends(watchActor("wallets", "aurora", "wallets:read"));
    expect(await kindsOf(given.intentId)).toEqual(["proposed", "authorised", "sent", "unconfirmed", "seenDone"]);
  });

  it("is none for what is no send here", async () => {
    expect(await getSend("not-an-id")).toBeNull();
    expect(await getSend("7b0c4c6e-9f0a-4c43-8f2f-6f5a3c0b1d2e")).toBeNull();
  });
});

const held = (balance: string) => [
  { address, asset: "ETH", decimals: 18, balance: "50", type: "native" },
  { address, asset: "USDT", decimals: 6, balance, tokenAddress: ETHEREUM_USDT },
];
const isBalance = () => eq(walletBalance.walletId, walletId);

describe("the balances beside a send", () => {
  it("are those of the sent asset and of the network's coin", async () => {
    const given = order(walletId, { amount: "7", token: ETHEREUM_USDT });
    await coins.db
      .update(walletBalance)
      .set({ entries: held("3.5") })
      .where(isBalance());
    await coins.authorise(await coins.propose(given));
    expect((await getSend(given.intentId))?.before).toMatchObject({
      held: { amount: "50" },
      heldAsset: { amount: "3.5" },
    });
  });

  it("say what was read since it was held, and nothing while nothing was", async () => {
    const given = order(walletId, { amount: "10" });
    await coins.authorise(await coins.propose(given));
    const shown = async () => {
      const send = await getSend(given.intentId);
      return [send?.row.state, send?.before.heldAsset?.amount, send?.heldSince?.amount];
    };
    expect(await shown()).toEqual(["HELD", "50", undefined]);
    const later = new Date(Date.now() + 60_000);
    const entries = [{ address, asset: "ETH", decimals: 18, balance: "39.5", type: "native" }];
    await coins.db.update(walletBalance).set({ entries, asOf: later }).where(isBalance());
    expect(await shown()).toEqual(["HELD", "50", "39.5"]);
    await coins.db.update(walletBalance).set({ entries: [] }).where(isBalance());
    expect(await shown()).toEqual(["HELD", "50", undefined]);
  });
});

describe("the receipt", () => {
  it("proves a sent transfer by its hash, and goes on record", async () => {
    const given = order(walletId);
    await coins.authorise(await coins.propose(given));
    const [kept] = await coins.db.select().from(cryptoOrder);
    const { parts, fileName } = await exportSendReceipt(given.intentId);
    const bytes: Uint8Array[] = [];
    for await (const part of parts) bytes.push(part);
    const printed = textsOf(Buffer.concat(bytes)).join("");
    for (const piece of ["1.5 ETH", TO, address, kept?.txHash ?? "none", given.intentId])
      expect(printed).toContain(piece);
    expect(fileName).toContain(given.intentId);
    expect(await coins.db.$count(auditEvent, eq(auditEvent.code, "coins.export"))).toBe(1);
  });

  it("is refused of what has not left, or has no hash", async () => {
    const given = order(walletId);
    const approvalId = await coins.propose(given);
    const refused = { kind: "conflict", details: { code: "send-receipt" } };
    await expect(exportSendReceipt(given.intentId)).rejects.toMatchObject(refused);
    await coins.authorise(approvalId);
    await coins.db.update(cryptoOrder).set({ txHash: null });
    await expect(exportSendReceipt(given.intentId)).rejects.toMatchObject(refused);
  });
});
