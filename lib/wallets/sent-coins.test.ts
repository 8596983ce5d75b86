import { orderCoins } from "./send-coins";
import { reviewSend } from "./review-send";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getApproval } from "@/lib/approvals/queries";
import { getSession } from "@/lib/auth/session";
import { providerIntent } from "@/lib/db/tables/provider";
import { chainReading, cryptoOrder } from "@/lib/db/tables/wallets";
import { watchActor } from "@/lib/permission/grant";
import { sessionOf } from "@/test/support/auth";
import { form, givenCoins, order, TO } from "@/test/support/coins";
import { actorOf, givenEnv } from "@/test/support/console";
import { followSends } from "./follow-sends";
import { readOpenSends } from "./open-sends";
import { getProposedCoins, getSend, listSentCoins } from "./queries";

let coins: Awaited<ReturnType<typeof givenCoins>>;
let walletId = "";
let address = "";

beforeEach(async () => {
  coins = await givenCoins();
  ({ walletId, address } = await coins.givenWallet());
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: coins.makerId, roles: ["auditor"] }));
});

const atProduction = () =>
  givenEnv({
    tenants: [{ clientId: "aurora", name: "Aurora", environment: "PRODUCTION", baseUrl: "https://bank.example" }],
  });

const keptHash = async () => (await coins.db.select().from(cryptoOrder))[0]?.txHash ?? "";

describe("coins that left", () => {
  it("shows sent coins' hash on the request and at the wallet", async () => {
    const given = order(walletId);
    await coins.authorise(await coins.propose(given));
    const txHash = await keptHash();
    expect(txHash).not.toBe("");
    expect(await getProposedCoins(given.intentId)).toMatchObject({ hash: { txHash, link: null }, candidates: [] });
    expect(await listSentCoins(walletId)).toMatchObject([
      { intentId: given.intentId, hash: { txHash, link: null }, order: { amount: "1.5", to: TO } },
    ]);
  });

  it("links sent coins to a public explorer only in production", async () => {
    await coins.givenAlone();
    const sandbox = await orderCoins(coins.maker(), order(walletId));
    expect(sandbox).toMatchObject({ state: "DONE", hash: { link: null } });
    atProduction();
    const link = { href: `https://etherscan.io/tx/${await keptHash()}`, host: "etherscan.io" };
    expect(await listSentCoins(walletId)).toMatchObject([{ hash: { link } }]);
    expect((await reviewSend(coins.maker(), form(walletId))).repeats).toMatchObject([{ link }]);
  });
});

it("shows possible matches beside an order without an answer", async () => {
  coins.lost.answers = 1;
  const given = order(walletId);
  await coins.authorise(await coins.propose(given));
  await coins.wallets.sent({ network: "ETHEREUM", fromAddress: address, to: TO, amount: "1.5" });
  await coins.db.update(chainReading).set({ triedAt: new Date(Date.now() - 86_400_000) });
  await followSends(watchActor("wallets", "aurora", "wallets:read"));
  const candidates = [{ id: expect.any(String) }, { id: expect.any(String) }];
  expect(await getProposedCoins(given.intentId)).toMatchObject({ hash: null, candidates });
  const reader = actorOf("finance", coins.makerId, "wallets:read");
  expect(await readOpenSends(coins.db, reader, walletId)).toMatchObject([{ state: "UNKNOWN", candidates }]);
  expect(await listSentCoins(walletId)).toEqual([]);
});

it("says of blocked coins one word, the provider's and its case, on both pages", async () => {
  const rich = await coins.givenWallet({ amount: "2000" });
  const given = order(rich.walletId, { amount: "1000" });
  const approvalId = await coins.propose(given);
  await coins.authorise(approvalId);
  const told = { code: "TRANSACTION_BLOCKED", said: expect.stringContaining("antifraud") };
  const antifraudId: unknown = expect.any(String);
  expect(await getApproval(approvalId)).toMatchObject({ row: { word: "BLOCKED" }, told, antifraudId, hold: null });
  expect(await getSend(given.intentId)).toMatchObject({ row: { state: "BLOCKED" }, told, antifraudId });
  expect((await getSend(given.intentId))?.events.at(-1)?.kind).toBe("blocked");
});

it("shows case and deadline of held coins on the request", async () => {
  const approvalId = await coins.propose(order(walletId, { amount: "10" }));
  await coins.authorise(approvalId);
  expect(await getApproval(approvalId)).toMatchObject({
    row: { state: "HELD" },
    antifraudId: expect.any(String),
    hold: { until: expect.any(String), isOver: false },
    told: null,
  });
  await coins.db.update(providerIntent).set({ pendingExpiresAt: new Date(Date.now() - 1_000) });
  expect(await getApproval(approvalId)).toMatchObject({ row: { state: "HELD" }, hold: { isOver: true } });
});

describe("what a transfer leaves behind", () => {
  it("shows the wallet's balance in review and decision", async () => {
    const hints = { balance: "50", fee: { coin: "ETH", balance: "50" }, isAll: false, isOfToken: false };
    expect((await reviewSend(coins.maker(), form(walletId))).hints).toMatchObject(hints);
    const given = order(walletId);
    await coins.propose(given);
    expect(await getProposedCoins(given.intentId)).toMatchObject({ asset: "ETH", hints: { ...hints, rest: "48.50" } });
  });

  it("follows the wallet's current balance at the decision", async () => {
    const given = order(walletId);
    await coins.propose(given);
    await coins.wallets.deposit({ network: "ETHEREUM", address, amount: "7" });
    expect(await getProposedCoins(given.intentId)).toMatchObject({ hints: { balance: "50" } });
    const now = await getProposedCoins(given.intentId, "now");
    expect(now).toMatchObject({ hints: { balance: "57", rest: "55.50" } });
    await coins.wallets.deposit({ network: "ETHEREUM", address, amount: "1" });
    expect(await getProposedCoins(given.intentId, "now")).toEqual(now);
  });

  it("shows nothing left for the fee when all of the coin is sent", async () => {
    expect((await reviewSend(coins.maker(), form(walletId, { amount: "50" }))).hints.isAll).toBe(true);
    expect((await reviewSend(coins.maker(), form(walletId, { amount: "49,9" }))).hints.isAll).toBe(false);
  });
});
