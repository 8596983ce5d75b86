import { APPROVABLE_WRITES } from "@/lib/writes/approvable";
import { orderCoins } from "./send-coins";
import { reviewSend } from "./review-send";
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { authorise } from "@/lib/approvals/decide";
import { partiesOf, readSnapshot } from "@/lib/approvals/snapshot";
import type { Db } from "@/lib/db/connection";
import { approval } from "@/lib/db/tables/approvals";
import { providerIntent } from "@/lib/db/tables/provider";
import { chainMovement, chainReading, cryptoOrder, wallet, walletBalance, walletLabel } from "@/lib/db/tables/wallets";
import { BalanceEntry, type ChainFamily, type Network } from "@/lib/contract/crypto";
import { form, givenCoins, order, TO } from "@/test/support/coins";
import { actorOf, givenStaff } from "@/test/support/console";
import { ETHEREUM_USDT, STRANGERS, XRPL_USD, type WalletsAtHand } from "@/test/support/service/crypto";
import type { Harness } from "@/test/support/service/harness";
import { SendForm, SendOrder } from "./inputs";
import { readOpenSends } from "./open-sends";
import { readProposedCoins } from "./sent-coins";
import { refreshBalance } from "./records";

const TRANSFER = "/v1/crypto/transfer";

let coins: Awaited<ReturnType<typeof givenCoins>>;
let db: Db;
let service: Harness;
let wallets: WalletsAtHand;
let makerId = "";
let sent: readonly Request[] = [];

beforeEach(async () => {
  coins = await givenCoins();
  ({ db, service, wallets, makerId, sent } = coins);
});

const maker = (tenant?: string) => coins.maker(makerId, tenant);
const givenAlone = () => coins.givenAlone();
const listed = (address: string, family: ChainFamily) => coins.listed(address, family);
const givenWallet = (family: ChainFamily = "EVM", network: Network = "ETHEREUM") =>
  coins.givenWallet({ family, network, amount: "5" });

async function givenToken(network: Network, tokenAddress: string, tenant = "aurora"): Promise<void> {
  const entries = [BalanceEntry.parse({ asset: "T", balance: "0", tokenAddress }), { shape: { fields: [], more: 0 } }];
  await db.insert(walletBalance).values({ tenant, walletId: "another", network, entries });
}

const refusing = (field: string, code: string) => ({
  kind: "invalid",
  details: { issues: [{ path: [field], params: { code } }] },
});

const wrongIn = (changes: object) => {
  const read = SendForm.safeParse({ walletId: "w", network: "ETHEREUM", token: "", to: TO, amount: "1", ...changes });
  return read.success
    ? []
    : read.error.issues.map(({ path, ...issue }) => [path[0], "params" in issue && issue.params]);
};

describe("the form of a transfer of coins", () => {
  it.each([
    [{ to: STRANGERS.BITCOIN }, "chain-address"],
    [{ to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed" }, "chain-address"],
    [{ to: `ethereum:${TO}@1` }, "chain-address"],
    [{ network: "XRPL", to: `${STRANGERS.XRPL}?dt=7` }, "chain-address"],
    [{ to: STRANGERS.BITCOIN, amount: "" }, "chain-address"],
    [{ to: `0x${"0".repeat(40)}` }, "burn-address"],
    [{ to: "0x000000000000000000000000000000000000dEaD", amount: "" }, "burn-address"],
    [{ network: "POLYGON", to: "0x000000000000000000000000000000000000dead" }, "burn-address"],
    [{ network: "BSC", to: "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE" }, "burn-address"],
    [{ network: "BITCOIN", to: "BC1PFEESSRAWGF" }, "anybody-address"],
    [{ network: "SOLANA", to: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", amount: "" }, "network-address"],
    [{ network: "XRPL", to: "rrrrrrrrrrrrrrrrrrrrrhoLvTp" }, "burn-address"],
    [{ to: ETHEREUM_USDT }, "token-address"],
  ])("refuses the destination of %o, whatever else is missing", (changes, code) => {
    expect(wrongIn(changes)).toContainEqual(["to", { code }]);
  });

  it.each([
    ["", undefined],
    ["1.234", "coins-ambiguous"],
    ["0,00", "amount-positive"],
    ["uma", "coins"],
    ["-1", "coins"],
  ])("refuses to send the amount %j", (amount, code) => {
    expect(wrongIn({ amount })).toContainEqual(["amount", code !== undefined && { code }]);
  });

  it.each([
    ["ETHEREUM", TO, "b9a09f", true],
    ["ETHEREUM", TO, " B9A09F ", true],
    ["ETHEREUM", TO, "1BeAed", false],
    ["BITCOIN", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "2DMPTf", true],
    ["BITCOIN", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "2dmptF", false],
    ["BITCOIN", "bc1qgdjqv0av3q56jvd82tkdjpy7gdp9ut8tlqmgrpmv24sq90ecnvqqjwvw97", "GDP9UT", true],
    ["SOLANA", "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", "xvQRAy", true],
    ["SOLANA", "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", "XVqraY", false],
  ] as const)("asks on %s for the middle of %s: %s is %s", (network, to, middleSix, isRight) => {
    const given = { walletId: "w", network, token: "", to, amount: "1", intentId: randomUUID(), middleSix };
    const issues = SendOrder.safeParse(given).error?.issues ?? [];
    expect(issues.map(({ path }) => path)).toEqual(isRight ? [] : [["middleSix"]]);
  });
});

describe("a review of coins to send", () => {
  it("shows whose address it is, that it is new, and the last known balance", async () => {
    const { walletId, address } = await givenWallet();
    const read = await reviewSend(maker(), form(walletId, { amount: "6", to: TO.toLowerCase() }));
    expect(read).toEqual({
      network: "ETHEREUM",
      amount: "6",
      asset: "ETH",
      tokenAddress: null,
      from: address,
      to: TO,
      ours: null,
      isFirstUse: true,
      elsewhere: [],
      alike: [],
      needsApproval: true,
      over: { balance: "5", asOf: "2026-07-01T12:00:00.000Z" },
      repeats: [],
      hints: {
        balance: "5",
        asOf: "2026-07-01T12:00:00.000Z",
        left: null,
        held: null,
        rest: "-1.00",
        fee: { coin: "ETH", balance: "5" },
        isAll: false,
        isOfToken: false,
        hasReserve: false,
        waiting: null,
      },
    });
    const ours = await listed(TO, "EVM");
    const set = { tenant: "aurora", walletId: ours, label: "Tesouraria", setBy: makerId, setAt: new Date() };
    await db.insert(walletLabel).values(set);
    expect(await reviewSend(maker(), form(walletId))).toMatchObject({
      ours: {
        walletId: ours,
        told: "untold",
        label: "Tesouraria",
        labelled: { byName: "Ana Prado", isOfMaker: true, isRecent: true },
      },
      over: null,
    });
    expect(sent).toEqual([]);
  });

  it.each([
    [{ userId: "user-1", isForwardPayment: false }, "customer"],
    [{ userId: "user-1", isForwardPayment: null }, "customer"],
    [{ userId: null, isForwardPayment: true }, "checkout"],
    [{ userId: null, isForwardPayment: false }, "own"],
    [{ userId: null, isForwardPayment: null }, "untold"],
  ] as const)("names the owner only from the provider: %j is %s", async (told, whose) => {
    const { walletId } = await givenWallet();
    const named = await listed(TO.toLowerCase(), "EVM");
    await db.update(wallet).set(told).where(eq(wallet.id, named));
    const setBy = await givenStaff(db, "admin");
    const set = {
      label: "Carteira desta empresa",
      use: "own",
      setBy,
      setAt: new Date("2026-01-02T12:00:00Z"),
    } as const;
    await db.insert(walletLabel).values({ tenant: "aurora", walletId: named, ...set });
    const labelled = { byName: "Ana Prado", at: "2026-01-02T12:00:00.000Z", isOfMaker: false, isRecent: false };
    const { ours } = await reviewSend(maker(), form(walletId));
    expect(ours).toEqual({ walletId: named, told: whose, label: set.label, labelled });
  });

  it("recognises a paid address", async () => {
    await givenAlone();
    const { walletId } = await givenWallet();
    await orderCoins(maker(), order(walletId));
    expect(await reviewSend(maker(), form(walletId, { amount: "2" }))).toMatchObject({
      isFirstUse: false,
      elsewhere: [],
      needsApproval: false,
    });
    expect(await reviewSend(maker(), form(walletId, { network: "POLYGON" }))).toMatchObject({
      isFirstUse: true,
      elsewhere: ["ETHEREUM"],
    });
  });
});

describe("coins that are sent", () => {
  it("hides sent coins from other tenants", async () => {
    const { walletId } = await givenWallet();
    await expect(orderCoins(maker("boreal"), order(walletId))).rejects.toMatchObject({ kind: "not-found" });
    await expect(reviewSend(maker("boreal"), form(walletId))).rejects.toMatchObject({ kind: "not-found" });
  });

  it("keeps coins on a network of the wallet's family", async () => {
    const { walletId } = await givenWallet("BTC", "BITCOIN");
    await expect(orderCoins(maker(), order(walletId))).rejects.toMatchObject(refusing("network", "other-network"));
  });

  it("sends no coins to their own wallet, nor beyond the asset's decimals", async () => {
    const { walletId, address } = await givenWallet();
    const asked = (changes: object) => reviewSend(maker(), form(walletId, changes));
    await expect(asked({ to: address.toLowerCase() })).rejects.toMatchObject(refusing("to", "own-address"));
    await expect(asked({ token: ETHEREUM_USDT })).rejects.toMatchObject(refusing("token", "token-gone"));
    await expect(asked({ amount: `0.${"1".repeat(19)}` })).rejects.toMatchObject(refusing("amount", "coins-decimals"));
  });

  it("sends no coins to a token in any balance, nor to its issuer", async () => {
    const { walletId } = await givenWallet();
    const contract = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
    const issuer = "rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B";
    await givenToken("POLYGON", contract, "boreal");
    await expect(reviewSend(maker(), form(walletId, { to: contract }))).resolves.toMatchObject({ to: contract });
    await givenToken("POLYGON", contract.toUpperCase().replace("0X", "0x"));
    await givenToken("XRPL", `USD.${issuer}`);
    const refused = refusing("to", "token-address");
    await expect(reviewSend(maker(), form(walletId, { to: contract }))).rejects.toMatchObject(refused);
    await expect(orderCoins(maker(), order(walletId, { to: contract }))).rejects.toMatchObject(refused);
    const xrpl = await listed("rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe", "XRPL");
    const toIssuer = form(xrpl, { network: "XRPL", to: issuer });
    await expect(reviewSend(maker(), toIssuer)).rejects.toMatchObject(refused);
  });

  it("returns no coins to their wallet in any spelling of its address", async () => {
    const own = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const walletId = await listed(own.replace("BeAed", "bEaED"), "EVM");
    const refused = refusing("to", "own-address");
    for (const to of [own, own.toLowerCase()])
      await expect(reviewSend(maker(), form(walletId, { to }))).rejects.toMatchObject(refused);
  });

  it("asks a second person when required, then sends coins once, unchanged", async () => {
    const { walletId, address } = await givenWallet();
    const given = order(walletId);
    const done = await orderCoins(maker(), given);
    if (done.state !== "PROPOSED") throw new Error(`it was ${done.state}`);
    expect(await orderCoins(maker(), given)).toEqual(done);
    expect(sent).toEqual([]);
    const [row] = await db.select().from(approval).where(eq(approval.id, done.approvalId));
    const shown = row === undefined ? null : (await readSnapshot(row))?.shown;
    expect(shown?.headline).toEqual({ as: "coins", amount: "1.5", asset: "ETH" });
    expect(shown?.facts).toContainEqual({ name: "to", before: null, after: { as: "address", address: TO } });
    const approver = actorOf("approver", await givenStaff(db, "approver"), "approvals:authorize");
    await authorise(APPROVABLE_WRITES, approver, { approvalId: done.approvalId });
    expect(sent).toHaveLength(1);
    expect(await wallets.entries(address, "ETHEREUM&pageSize=1")).toMatchObject([
      { amount: "1.5", counterAddress: TO },
    ]);
  });

  it.each([
    ["coins went there from another wallet", {}, false],
    ["coins came from there", { subtype: "incoming" }, true],
    ["the chain tells it no more", { droppedAt: new Date() }, true],
    ["it failed", { status: "reverted" }, true],
    ["it moved nothing, as anybody can write it there", { amount: "0.000" }, true],
    ["it moved another token, which may be anybody's", { tokenAddress: ETHEREUM_USDT }, true],
    ["it was on another network", { network: "POLYGON" as const }, true],
    ["it was another company's", { tenant: "boreal" }, true],
  ])("knows from the chain's history whether an address is new: %s", async (_, changes, isFirstUse) => {
    const { walletId } = await givenWallet();
    const at = new Date("2026-10-17T12:00:00Z");
    const moved = { tenant: "aurora", walletId: "another", network: "ETHEREUM" as const, key: "k", ordinal: 0, at };
    const told = { hash: "0xa", subtype: "outgoing", counterAddress: TO.toLowerCase(), amount: "2", blockNumber: "7" };
    await db.insert(chainMovement).values({ ...moved, ...told, ...changes });
    expect((await reviewSend(maker(), form(walletId))).isFirstUse).toBe(isFirstUse);
    await orderCoins(maker(), order(walletId));
    const [row] = await db.select().from(approval);
    const shown = row === undefined ? null : (await readSnapshot(row))?.shown;
    expect(shown?.facts.some(({ name }) => name === "firstUse")).toBe(isFirstUse);
  });

  it("name the other networks on which coins went to the same address", async () => {
    const { walletId } = await givenWallet();
    const at = new Date("2026-10-17T12:00:00Z");
    const told = { tenant: "aurora", walletId: "another", ordinal: 0, at, hash: "0xa", subtype: "outgoing" };
    const moved = { ...told, counterAddress: TO.toLowerCase(), amount: "2", blockNumber: "7" };
    await db.insert(chainMovement).values([
      { ...moved, network: "POLYGON", key: "coin" },
      { ...moved, network: "BSC", key: "token", tokenAddress: STRANGERS.POLYGON },
    ]);
    const elsewhere = ["POLYGON"];
    expect(await reviewSend(maker(), form(walletId))).toMatchObject({ isFirstUse: true, elsewhere });
    await orderCoins(maker(), order(walletId));
    const [row] = await db.select().from(approval);
    const shown = row === undefined ? null : (await readSnapshot(row))?.shown;
    const fact = { name: "firstUse", before: null, after: { as: "networks", networks: elsewhere } };
    expect(shown?.facts).toContainEqual(fact);
    expect(shown && partiesOf(shown)).toMatchObject({ isFirstUse: true, network: "ETHEREUM" });
  });

  it("describes coins alike to the maker and the approver", async () => {
    const { walletId, address } = await givenWallet();
    const ours = await listed(TO, "EVM");
    const set = { tenant: "aurora", walletId: ours, label: "Tesouraria", setBy: makerId, setAt: new Date() };
    await db.insert(walletLabel).values(set);
    const done = await orderCoins(maker(), order(walletId, { amount: "6,5" }));
    const [row] = await db.select().from(approval);
    const shown = row === undefined ? null : (await readSnapshot(row))?.shown;
    const sum = { as: "coins", amount: "6.5", asset: "ETH" };
    const labelled = { byName: "Ana Prado", at: set.setAt.toISOString(), isOfMaker: true, isRecent: true };
    expect(done.state).toBe("PROPOSED");
    expect(shown?.facts.map(({ name, after }) => [name, after])).toEqual([
      ["amount", sum],
      ["network", { as: "network", network: "ETHEREUM" }],
      ["from", { as: "address", address }],
      ["to", { as: "address", address: TO }],
      ["ours", { as: "wallet", walletId: ours, told: "untold", label: "Tesouraria", labelled }],
      ["firstUse", { as: "networks", networks: [] }],
      ["over", { as: "held", balance: "5", asset: "ETH", asOf: "2026-07-01T12:00:00.000Z" }],
      ["why", { as: "why", by: "always", sum: "0.00", count: 0, limit: null }],
    ]);
  });

  it("lists coins at their wallet while waiting or unconfirmed", async () => {
    const { walletId } = await givenWallet();
    const open = () => readOpenSends(db, actorOf("finance", makerId, "wallets:read"), walletId);
    expect(await open()).toEqual([]);
    const given = order(walletId);
    const done = await orderCoins(maker(), given);
    if (done.state !== "PROPOSED") throw new Error(`it was ${done.state}`);
    const { intentId } = given;
    const sum = { network: "ETHEREUM", to: TO, amount: "1.5", asset: "ETH" };
    const unheld = { antifraudId: null, until: null, candidates: [] };
    expect(await open()).toEqual([
      { intentId, state: "WAITING", approvalId: done.approvalId, isShown: true, order: sum, ...unheld },
    ]);
    expect(await readOpenSends(db, actorOf("finance", makerId, "wallets:read", "boreal"), walletId)).toEqual([]);
    await service.control("POST", "/sandbox/faults", { method: "POST", path: TRANSFER, times: 1, drop: true });
    const approver = actorOf("approver", await givenStaff(db, "approver"), "approvals:authorize");
    await authorise(APPROVABLE_WRITES, approver, { approvalId: done.approvalId });
    const unknown = { state: "UNKNOWN", approvalId: done.approvalId, isShown: true };
    expect(await open()).toEqual([{ intentId, ...unknown, order: sum, ...unheld }]);
  });

  it("proposes coins once across forms, and another amount separately", async () => {
    const { walletId } = await givenWallet();
    await orderCoins(maker(), order(walletId));
    const waiting = { kind: "conflict", details: { code: "crypto-transfer-waiting" } };
    await expect(orderCoins(maker(), order(walletId))).rejects.toMatchObject(waiting);
    await expect(reviewSend(maker(), form(walletId))).rejects.toMatchObject(waiting);
    await expect(orderCoins(maker(), order(walletId, { amount: "1" }))).resolves.toMatchObject({ state: "PROPOSED" });
    expect(await db.$count(approval)).toBe(2);
  });

  it("tells maker and approver what two requests lack together", async () => {
    const { walletId } = await givenWallet();
    const first = order(walletId, { amount: "3" });
    const done = await orderCoins(maker(), first);
    const review = await reviewSend(maker(), form(walletId, { amount: "4" }));
    expect(review.hints).toMatchObject({ rest: "1.00", waiting: { sum: "3.00", count: 1, short: "2.00" } });
    const fitting = await reviewSend(maker(), form(walletId, { amount: "2" }));
    expect(fitting.hints.waiting).toEqual({ sum: "3.00", count: 1, short: null });
    const reader = actorOf("finance", makerId, "wallets:read");
    expect((await readProposedCoins(reader, first.intentId))?.hints?.waiting).toBeNull();
    await orderCoins(maker(), order(walletId, { amount: "4" }));
    expect(done.state).toBe("PROPOSED");
    expect((await readProposedCoins(reader, first.intentId))?.hints?.waiting).toEqual({
      sum: "4.00",
      count: 1,
      short: "2.00",
    });
    const beside = [{ network: "ETHEREUM", asset: "ETH", sum: "9.00", count: 2 }] as const;
    const told = await readProposedCoins(reader, first.intentId, "stored", beside);
    expect(told?.hints?.waiting).toEqual({ sum: "9.00", count: 2, short: "7.00" });
  });

  it("sends coins once for ten concurrent requests with one intent", async () => {
    await givenAlone();
    const { walletId } = await givenWallet();
    const given = order(walletId);
    const answers = await Promise.all(Array.from({ length: 10 }, () => orderCoins(maker(), given)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ state: "DONE", hash: { txHash: expect.stringMatching(/^0x/) } });
    expect(sent).toHaveLength(1);
  });

  it("shows coins as held while the provider's analyst decides", async () => {
    await givenAlone();
    const { walletId, address } = await givenWallet();
    await wallets.deposit({ network: "ETHEREUM", address, amount: "50" });
    expect(await orderCoins(maker(), order(walletId, { amount: "10" }))).toMatchObject({
      state: "HELD",
      antifraudId: expect.any(String),
      until: expect.any(String),
    });
  });

  it("sends tokens by the contract in the balance", async () => {
    await givenAlone();
    const { walletId, address } = await givenWallet();
    await wallets.deposit({ network: "ETHEREUM", address, amount: "900", tokenAddress: ETHEREUM_USDT });
    const entries = await wallets.balances(address, "ETHEREUM");
    await db.update(walletBalance).set({ entries }).where(eq(walletBalance.walletId, walletId));
    const usdt = { token: ETHEREUM_USDT, amount: "1,5" };
    expect(await reviewSend(maker(), form(walletId, usdt))).toMatchObject({ asset: "USDT", over: null });
    await orderCoins(maker(), order(walletId, usdt));
    const held = await wallets.balances(address, `ETHEREUM&tokenAddress=${ETHEREUM_USDT}`);
    expect(held).toMatchObject([{ balance: "898.5" }]);
  });

  it.each([
    ["the embedded service's", {}, "USD"],
    ["one of its issuer alone", { issuedTokens: "issuer" }, "USD"],
    ["one of both by name", { issuedTokens: "named" }, "Dollar"],
  ] as const)("sends XRP Ledger tokens by currency and issuer, as in the balance: %s", async (_, as, asset) => {
    await givenAlone();
    Object.assign(coins.manner, as);
    const { walletId, address } = await givenWallet("XRPL", "XRPL");
    const tokenAddress = `${XRPL_USD.currency}.${XRPL_USD.issuer}`;
    await wallets.deposit({ network: "XRPL", address, amount: "12.5", tokenAddress });
    const one = { walletId, address, network: "XRPL" } as const;
    await refreshBalance(actorOf("finance", makerId, "wallets:read"), one);
    const given = { network: "XRPL", token: tokenAddress, to: "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe", amount: "2,5" };
    const review = await reviewSend(maker(), form(walletId, { ...given, amount: "13" }));
    expect(review).toMatchObject({ asset, tokenAddress: XRPL_USD.issuer, over: { balance: "12.5" } });
    await orderCoins(maker(), order(walletId, given));
    const body: unknown = await sent[0]?.json();
    const { to } = given;
    expect(body).toEqual({ network: "XRPL", fromAddress: address, to, amount: "2.5", ...XRPL_USD });
  });

  it("sends no XRP Ledger token when currency or issuer is unknown", async () => {
    const { walletId } = await givenWallet("XRPL", "XRPL");
    const entry = { asset: "Dollar", balance: "5", tokenAddress: XRPL_USD.issuer };
    const entries = [BalanceEntry.parse(entry)];
    await db.update(walletBalance).set({ entries }).where(eq(walletBalance.walletId, walletId));
    const given = { network: "XRPL", token: XRPL_USD.issuer, to: "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe" };
    await expect(orderCoins(maker(), order(walletId, given))).rejects.toMatchObject(refusing("token", "token-untold"));
    expect(sent).toEqual([]);
  });

  it("calls coins unconfirmed after a 4xx that the interface does not name", async () => {
    await givenAlone();
    const { walletId } = await givenWallet();
    const fault = { method: "POST", path: TRANSFER, times: 1, status: 408 };
    await service.control("POST", "/sandbox/faults", fault);
    const unconfirmed = { details: { code: "crypto-transfer-unconfirmed" } };
    await expect(orderCoins(maker(), order(walletId))).rejects.toMatchObject(unconfirmed);
    expect(await db.select().from(providerIntent)).toMatchObject([{ state: "UNKNOWN", status: 408 }]);
  });

  it("blocks a similar transfer, and no other, after a lost answer", async () => {
    await givenAlone();
    const { walletId } = await givenWallet();
    const first = order(walletId);
    await service.control("POST", "/sandbox/faults", { method: "POST", path: TRANSFER, times: 1, drop: true });
    const unconfirmed = { details: { code: "crypto-transfer-unconfirmed" } };
    await expect(orderCoins(maker(), first)).rejects.toMatchObject(unconfirmed);
    const unsettled = { details: { code: "crypto-transfer-unsettled" } };
    await expect(orderCoins(maker(), order(walletId))).rejects.toMatchObject(unsettled);
    await expect(reviewSend(maker(), form(walletId))).rejects.toMatchObject(unsettled);
    await expect(orderCoins(maker(), first)).rejects.toMatchObject({ details: { code: "intent-already-sent" } });
    expect(sent).toHaveLength(1);
    expect(await db.select().from(providerIntent)).toMatchObject([{ state: "UNKNOWN" }]);
    await expect(reviewSend(maker(), form(walletId, { amount: "1" }))).resolves.toMatchObject({ amount: "1" });
  });

  it("sends coins again after a restore only once the repeat was confirmed", async () => {
    await givenAlone();
    const { walletId } = await givenWallet();
    const first = order(walletId);
    await orderCoins(maker(), first);
    for (const table of [cryptoOrder, providerIntent, chainMovement, chainReading]) await db.delete(table);
    globalThis.retaguardaHistories = undefined;
    const repeated = { kind: "conflict", details: { code: "crypto-transfer-repeated" } };
    await expect(orderCoins(maker(), first)).rejects.toMatchObject(repeated);
    await expect(orderCoins(maker(), order(walletId))).rejects.toMatchObject(repeated);
    expect(sent).toHaveLength(1);
    const { repeats } = await reviewSend(maker(), form(walletId));
    await orderCoins(maker(), order(walletId, { seen: repeats.map(({ ref }) => ref) }));
    expect(sent).toHaveLength(2);
  });

  it("resends no coins on a retry, even if the balance no longer names the token", async () => {
    await givenAlone();
    const { walletId, address } = await givenWallet();
    await wallets.deposit({ network: "ETHEREUM", address, amount: "900", tokenAddress: ETHEREUM_USDT });
    const entries = await wallets.balances(address, "ETHEREUM");
    await db.update(walletBalance).set({ entries }).where(eq(walletBalance.walletId, walletId));
    const given = order(walletId, { token: ETHEREUM_USDT, amount: "900" });
    await orderCoins(maker(), given);
    await db.update(walletBalance).set({ entries: [] }).where(eq(walletBalance.walletId, walletId));
    await expect(orderCoins(maker(), given)).rejects.toMatchObject({ details: { code: "intent-already-sent" } });
    expect(sent).toHaveLength(1);
  });
});
