import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { BOREAL, type Harness, START_MS, startService } from "@/test/support/service/harness";
import { blockAt } from "./chain";
import { ETHEREUM_USDT, STRANGERS, type WalletsAtHand, walletsOf } from "@/test/support/service/crypto";

const MINUTE_MS = 60_000;
let service: Harness;
let wallets: WalletsAtHand;
let address: string;

beforeEach(async () => {
  service = await startService();
  wallets = walletsOf(service);
  ({ address } = await wallets.create("EVM"));
});
afterEach(() => expectBalancedBooks(service.call().db));

const receive = (amount: string, wishes: Record<string, unknown> = {}) =>
  wallets.deposit({ network: "ETHEREUM", address, amount, ...wishes });

const amounts = async (query: string) =>
  (await wallets.entries(address, `ETHEREUM${query}`)).map(({ amount }) => amount);

describe("the history of a wallet", () => {
  it("starts with an empty history", async () => {
    const { status, body } = await wallets.history(address, "ETHEREUM");
    expect([status, body]).toEqual([200, { message: expect.any(String), data: [] }]);
  });

  it("shows an arrival with every documented field, and counts its confirmations", async () => {
    await receive("0.3");
    const arrived = {
      chain: "ETHEREUM",
      hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      address,
      blockNumber: blockAt("ETHEREUM", START_MS),
      amount: "0.3",
      transactionSubtype: "incoming",
      counterAddress: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      timestamp: START_MS,
      asset: "ETH",
    };
    expect(await wallets.entries(address, "ETHEREUM")).toEqual([{ ...arrived, confirmations: 1 }]);
    await service.advance(MINUTE_MS);
    expect(await wallets.entries(address, "ETHEREUM")).toEqual([{ ...arrived, confirmations: 6 }]);
  });

  it("lists a history newest first, also within one block", async () => {
    for (const amount of ["0.1", "0.2", "0.3"]) await receive(amount);
    await service.advance(MINUTE_MS);
    await wallets.sent({ network: "ETHEREUM", fromAddress: address, to: STRANGERS.ETHEREUM, amount: "0.05" });
    const entries = await wallets.entries(address, "ETHEREUM");
    expect(entries.map(({ amount }) => amount)).toEqual(["0.05", "0.3", "0.2", "0.1"]);
  });

  it("pages a history from zero, with fifty entries by default", async () => {
    for (let n = 1; n <= 53; n += 1) await receive(String(n));
    expect(await amounts("")).toHaveLength(50);
    expect(await amounts("&page=0&pageSize=2")).toEqual(["53", "52"]);
    expect(await amounts("&page=1")).toEqual(["3", "2", "1"]);
    expect(await amounts("&page=26&pageSize=2")).toEqual(["1"]);
    expect(await amounts("&page=2")).toEqual([]);
  });

  it("keeps networks apart, and filters by a named token", async () => {
    await receive("1");
    await receive("7", { tokenAddress: ETHEREUM_USDT });
    await receive("3", { network: "BSC" });
    const all = await wallets.entries(address, "ETHEREUM");
    expect(all).toMatchObject([
      { asset: "USDT", amount: "7", tokenAddress: ETHEREUM_USDT },
      { asset: "ETH", amount: "1" },
    ]);
    expect(await wallets.entries(address, `ETHEREUM&tokenAddress=${ETHEREUM_USDT.toLowerCase()}`)).toEqual([all[0]]);
    expect(await wallets.entries(address, "ETHEREUM&tokenAddress=")).toEqual(all);
    expect(await wallets.entries(address, "BSC")).toMatchObject([{ chain: "BSC", asset: "BNB", amount: "3" }]);
    expect(await wallets.entries(address, "POLYGON")).toEqual([]);
  });

  it.each([STRANGERS.ETHEREUM, "nothing", "0x12"])("lists nothing of the token %s", async (tokenAddress) => {
    await receive("1");
    expect(await wallets.entries(address, `ETHEREUM&tokenAddress=${tokenAddress}`)).toEqual([]);
    expect(await wallets.balances(address, `ETHEREUM&tokenAddress=${tokenAddress}`)).toEqual([]);
  });

  it("answers 404 for an unknown wallet or another tenant's", async () => {
    const foreign = await walletsOf(service, BOREAL).history(address, "ETHEREUM");
    const unknown = await wallets.history(STRANGERS.ETHEREUM, "ETHEREUM");
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
  });

  it.each(["", "EVM", "BITCOIN", "ETHEREUM&page=-1", "ETHEREUM&pageSize=0", "ETHEREUM&pageSize=x"])(
    "answers 400 for network=%s",
    async (query) => {
      expect((await wallets.history(address, query)).status).toBe(400);
    },
  );
});

describe("a token that nobody used yet", () => {
  it("deploys a new token by its first deposit, with its network's defaults", async () => {
    const tokenAddress = STRANGERS.ETHEREUM;
    await receive("1.000000000000000001", { tokenAddress });
    expect(await wallets.balances(address, `ETHEREUM&tokenAddress=${tokenAddress}`)).toEqual([
      { address, asset: "TOKEN", decimals: 18, balance: "1.000000000000000001", tokenAddress },
    ]);
  });

  it("describes a new token by its first deposit, once", async () => {
    const { address: solana } = await wallets.create("SOLANA");
    const token = { network: "SOLANA", address: solana, tokenAddress: STRANGERS.SOLANA.replace("EPj", "EPk") };
    await wallets.deposit({ ...token, amount: "1.5", symbol: "BRLA", decimals: 9 });
    await wallets.deposit({ ...token, amount: "0.000000001", symbol: "OTHER", decimals: 2 });
    expect(await wallets.balances(solana, `SOLANA&tokenAddress=${token.tokenAddress}`)).toMatchObject([
      { asset: "BRLA", decimals: 9, balance: "1.500000001" },
    ]);
  });

  it("names an XRP Ledger token by its currency code", async () => {
    const { address: xrpl } = await wallets.create("XRPL");
    const tokenAddress = `EUR.${STRANGERS.XRPL}`;
    await wallets.deposit({ network: "XRPL", address: xrpl, amount: "4", tokenAddress });
    expect((await wallets.balances(xrpl, "XRPL"))[1]).toMatchObject({ asset: "EUR", balance: "4", tokenAddress });
  });

  it.each(["0x12", `USD.${STRANGERS.XRPL}`, STRANGERS.TRON])(
    "refuses an Ethereum token such as %s",
    async (tokenAddress) => {
      const { status, body } = await receive("1", { tokenAddress });
      expect([status, body]).toEqual([400, { message: expect.stringMatching(/^tokenAddress: /) }]);
    },
  );
});
