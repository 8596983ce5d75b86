import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { History } from "@/lib/contract/accounts";
import { Token } from "@/lib/contract/auth";
import { CHAIN_FAMILIES, FAMILY_NETWORKS, NETWORKS, WalletCreated } from "@/lib/contract/crypto";
import { ETHEREUM_USDT, walletsOf } from "@/test/support/service/crypto";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { type Account, INTERNAL, openAccount } from "@/test/support/service/transfers";
import { BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { ask } from "@/test/support/service/conformance";

let service: Harness;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => expectBalancedBooks(service.call().db));

const text = expect.stringMatching(/./);
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** The bytes of an answer, before any parser. */
async function bytesOf(path: string): Promise<string> {
  const basic = Buffer.from("aurora:aurora-secret").toString("base64");
  const line = ["POST", "/v1/authentication/oauth/access-token"] as const;
  const { body } = await ask(service, line, { Authorization: `Basic ${basic}` });
  const headers = { Authorization: `Bearer ${Token.parse(body).access_token}`, "x-client-id": "aurora" };
  return (await service.app.request(path, { headers })).text();
}

describe("a bank account on the wire", () => {
  let account: Account;
  let query = "";
  beforeEach(async () => {
    account = await openAccount(service, { reais: 1_234.5 });
    const { accountId, documentNumber } = account;
    query = `${new URLSearchParams({ accountId, documentNumber })}`;
  });

  test("returns a balance as JSON numbers with two decimals, under status and data", async () => {
    const data = `{"accountId":"${account.accountId}","balance":1234.50,"blockedBalance":0.00}`;
    expect(await bytesOf(`/v1/bank-accounts/balance?${query}`)).toBe(`{"status":"SUCCESS","data":${data}}`);
  });

  test("returns a statement of entries with exactly the documented fields", async () => {
    const path = `/v1/bank-accounts/history?${query}&initialDate=2026-03-01&endDate=2026-03-31`;
    expect(await bytesOf(path)).toContain('"amount":1234.50');
    const entry = { transactionId: text, type: "PIX", date: instant, description: text, direction: "CREDIT" };
    const { body } = await service.send("GET", path);
    expect(body).toMatchObject({ status: text, data: { transactions: [entry], page: 1, totalPages: 1 } });
    const [shown] = History.parse(body).data.transactions;
    expect(Object.keys(shown ?? {}).toSorted()).toEqual([...Object.keys(entry), "amount"].toSorted());
  });

  test("answers a transfer with only CONFIRMED and its id", async () => {
    const other = await openAccount(service);
    const order = { userId: "u", accountIdFrom: account.accountId, accountIdTo: other.accountId, amount: 1 };
    const { status, body } = await service.send("POST", INTERNAL, { body: order });
    expect([status, body]).toEqual([200, { status: "CONFIRMED", data: { transactionId: text } }]);
  });

  test("refuses to pay another tenant's account, like an unknown one", async () => {
    const foreign = await openAccount(service, { tenant: BOREAL });
    const pay = (accountIdTo: string) =>
      service.send("POST", INTERNAL, {
        body: { userId: "u", accountIdFrom: account.accountId, accountIdTo, amount: 1 },
      });
    const known = await pay(foreign.accountId);
    const unknown = await pay("nobody");
    expect([known.status, known.body]).toEqual([404, unknown.body]);
  });

  test("lists an account for its day, in pages, by either method", async () => {
    await openAccount(service);
    const period = "initialDate=2026-03-10&endDate=2026-03-10";
    const list = (more: string) => service.send("GET", `/v1/bank-accounts/getAccounts?${period}${more}`);
    const first = await list("&limit=1");
    const second = await list("&limit=1&page=2&method=PIX");
    expect(first.body).toMatchObject({ data: { accounts: [{ clientCode: "aurora" }], page: 1, totalPages: 2 } });
    expect(second.body).toMatchObject({
      data: { accounts: [{ accountId: account.accountId }], page: 2, totalPages: 2 },
    });
  });
});

describe("a wallet on the wire", () => {
  test.each(CHAIN_FAMILIES)("creates and lists a wallet of %s with the documented fields", async (network) => {
    const made = await service.send("POST", "/v1/crypto/wallets", { body: { network, isForwardPayment: 0 } });
    const { address } = WalletCreated.parse(made.body).data;
    expect(made.body).toEqual({
      message: text,
      data: { walletId: text, address: text, network, coin: text, isForwardPayment: 0 },
    });
    const { body } = await service.send("GET", "/v1/crypto/wallets");
    const listed = {
      id: text,
      clientId: "aurora",
      network,
      address,
      coin: text,
      status: "ACTIVE",
      isForwardPayment: 0,
      createdAt: instant,
    };
    expect(body).toMatchObject({ message: text, data: [listed] });
  });

  test("returns documented balances: type on a coin, tokenAddress on a token", async () => {
    const wallets = walletsOf(service);
    const { address } = await wallets.create("EVM");
    await wallets.deposit({ network: "ETHEREUM", address, amount: "1.50" });
    await wallets.deposit({ network: "ETHEREUM", address, amount: "2", tokenAddress: ETHEREUM_USDT });
    const { body } = await wallets.balance(address, "ETHEREUM");
    expect(body).toEqual({
      message: text,
      data: [
        { address, asset: "ETH", decimals: 18, balance: "1.5", type: "native" },
        { address, asset: "USDT", decimals: 6, balance: "2", tokenAddress: ETHEREUM_USDT },
      ],
    });
  });

  test("requests a wallet by family and reads it by network, never the other way", async () => {
    const wallets = walletsOf(service);
    for (const family of CHAIN_FAMILIES) {
      const { address } = await wallets.create(family);
      const accepted = await Promise.all(
        NETWORKS.map(async (network) => [network, (await wallets.balance(address, network)).status]),
      );
      expect(accepted.filter(([, status]) => status === 200).map(([network]) => network)).toEqual(
        FAMILY_NETWORKS[family],
      );
    }
    for (const network of ["ETHEREUM", "BITCOIN", "evm", ""])
      expect((await service.send("POST", "/v1/crypto/wallets", { body: { network } })).status).toBe(400);
  });

  test.each([true, "1", 2, -1, 0.5, null])(
    "creates no forward wallet by isForwardPayment %j",
    async (isForwardPayment) => {
      const reply = await service.send("POST", "/v1/crypto/wallets", { body: { network: "EVM", isForwardPayment } });
      expect([reply.status, reply.body]).toEqual([400, { message: "isForwardPayment: must be 0 or 1" }]);
    },
  );

  test("lists wallets 50 at a time by default, from an offset, at most 500", async () => {
    const wallets = walletsOf(service);
    for (let count = 0; count < 51; count += 1) await wallets.create("TRON");
    expect(await wallets.list()).toHaveLength(50);
    expect(await wallets.list("?offset=50")).toHaveLength(1);
    expect(await wallets.list("?limit=500")).toHaveLength(51);
    for (const wrong of ["limit=0", "limit=501", "limit=x", "offset=-1", "offset=x", "network=ETHEREUM"])
      expect((await service.send("GET", `/v1/crypto/wallets?${wrong}`)).status).toBe(400);
  });
});
