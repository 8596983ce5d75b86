import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NETWORKS } from "@/lib/contract/crypto";
import { fromUnits, toUnits } from "@/service/ledger/account";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { webhookEvent } from "@/service/store/schema";
import { familyOf } from "@/lib/contract/addresses";
import { nativeAsset, networkFee } from "./chain";
import { ETHEREUM_USDT, STRANGERS, XRPL_USD, type WalletsAtHand, walletsOf } from "@/test/support/service/crypto";

const BUYER = STRANGERS.ETHEREUM;
const SELLER = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const ETHEREUM_FEE = "0.00042";
let service: Harness;
let wallets: WalletsAtHand;

beforeEach(async () => {
  service = await startService();
  wallets = walletsOf(service);
});
afterEach(() => expectBalancedBooks(service.call().db));

/** An EVM wallet with that much of the native coin on Ethereum. */
async function walletWith(amount: string): Promise<string> {
  const { address } = await wallets.create("EVM");
  await wallets.deposit({ network: "ETHEREUM", address, amount });
  return address;
}

const events = async () => (await service.call().db.select().from(webhookEvent)).map(({ body }) => JSON.parse(body));

describe("a transfer of a native coin", () => {
  it.each(NETWORKS)("takes a transfer and its fee from the wallet on %s", async (network) => {
    const { address } = await wallets.create(familyOf(network));
    await wallets.deposit({ network, address, amount: "5" });
    const { status, body } = await wallets.transfer({
      network,
      fromAddress: address,
      to: STRANGERS[network],
      amount: "1.5",
    });
    expect([status, body]).toEqual([200, { message: expect.any(String), data: { txHash: expect.any(String) } }]);
    const { decimals } = nativeAsset(network);
    const left = (toUnits("3.5", decimals) ?? 0n) - networkFee(network);
    expect(await wallets.coins(address, network)).toBe(fromUnits(left, decimals));
  });

  it("shows a transfer's hash, fee and receiver in the sender's history", async () => {
    const address = await walletWith("1");
    const { txHash } = await wallets.sent({
      network: "ETHEREUM",
      fromAddress: address.toLowerCase(),
      to: BUYER.toLowerCase(),
      amount: "0.25",
    });
    expect(txHash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await wallets.entries(address, "ETHEREUM&pageSize=1")).toEqual([
      expect.objectContaining({
        hash: txHash,
        address,
        amount: "0.25",
        transactionSubtype: "outgoing",
        counterAddress: BUYER,
        fee: ETHEREUM_FEE,
      }),
    ]);
  });

  it("allows a transfer of all but the fee, and not a unit more", async () => {
    const address = await walletWith("1");
    const order = { network: "ETHEREUM", fromAddress: address, to: BUYER };
    const tooMuch = await wallets.transfer({ ...order, amount: "0.999580000000000001" });
    expect([tooMuch.status, tooMuch.body]).toEqual([422, { message: expect.any(String) }]);
    await wallets.sent({ ...order, amount: "0.99958" });
    expect(await wallets.coins(address, "ETHEREUM")).toBe("0");
  });

  it("moves amounts beyond a 64-bit integer to the last unit", async () => {
    const address = await walletWith("9.999999999999999999");
    await wallets.sent({ network: "ETHEREUM", fromAddress: address, to: BUYER, amount: "9.876543210987654321" });
    expect(await wallets.coins(address, "ETHEREUM")).toBe("0.123036789012345678");
  });

  it("pays another wallet of the installation, which is notified", async () => {
    const address = await walletWith("2");
    const boreal = walletsOf(service, BOREAL);
    const { address: to, walletId } = await boreal.create("EVM");
    const { txHash } = await wallets.sent({ network: "ETHEREUM", fromAddress: address, to, amount: "0.5" });
    expect(await boreal.coins(to, "ETHEREUM")).toBe("0.5");
    expect(await boreal.entries(to, "ETHEREUM")).toMatchObject([
      { hash: txHash, transactionSubtype: "incoming", amount: "0.5", counterAddress: address },
    ]);
    const [arrival] = (await events()).filter(({ clientId }) => clientId === "boreal");
    expect(arrival).toMatchObject({ walletId, address: to, asset: "ETH", amount: "0.5", txHash, fromAddress: address });
  });

  it("forwards a transfer to a checkout address to the master wallet", async () => {
    const address = await walletWith("2");
    const boreal = walletsOf(service, BOREAL);
    const { address: to } = await boreal.checkedOut({ network: "EVM", reference: "order-9" });
    await wallets.sent({ network: "ETHEREUM", fromAddress: address, to, amount: "0.5" });
    const [master] = (await boreal.list()).filter(({ isForwardPayment }) => isForwardPayment === 0);
    expect([await boreal.coins(to, "ETHEREUM"), await boreal.coins(master?.address ?? "", "ETHEREUM")]).toEqual([
      "0",
      "0.5",
    ]);
    expect((await events()).filter(({ clientId }) => clientId === "boreal")).toMatchObject([{ reference: "order-9" }]);
  });

  it("never overdraws a wallet, however many transfers run together", async () => {
    const address = await walletWith("1");
    const order = { network: "ETHEREUM", fromAddress: address, to: BUYER, amount: "0.09958" };
    const replies = await Promise.all(Array.from({ length: 15 }, () => wallets.transfer(order)));
    const statuses = replies.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), ...Array.from({ length: 5 }, () => 422)]);
    expect(await wallets.coins(address, "ETHEREUM")).toBe("0");
  });

  it("loses nothing between two wallets in both directions", async () => {
    const one = await walletWith("1");
    const other = await walletWith("1");
    const send = (fromAddress: string, to: string) =>
      wallets.sent({ network: "ETHEREUM", fromAddress, to, amount: "0.1" });
    await Promise.all(Array.from({ length: 5 }, () => [send(one, other), send(other, one)]).flat());
    expect(await wallets.coins(one, "ETHEREUM")).toBe("0.9979");
    expect(await wallets.coins(other, "ETHEREUM")).toBe("0.9979");
  });
});

describe("a transfer of a token", () => {
  const order = { network: "ETHEREUM", to: BUYER, tokenAddress: ETHEREUM_USDT, amount: "70.000001" };

  it("moves the token alone and pays its fee in the native coin", async () => {
    const address = await walletWith("1");
    await wallets.deposit({ network: "ETHEREUM", address, amount: "100", tokenAddress: ETHEREUM_USDT });
    await wallets.sent({ ...order, fromAddress: address, tokenAddress: ETHEREUM_USDT.toLowerCase(), decimals: 6 });
    expect(await wallets.balances(address, "ETHEREUM")).toMatchObject([
      { asset: "ETH", balance: "0.99958" },
      { asset: "USDT", balance: "29.999999" },
    ]);
    expect((await wallets.transfer({ ...order, fromAddress: address })).status).toBe(422);
  });

  it("answers 422 without native coin for the fee, and says so", async () => {
    const { address } = await wallets.create("EVM");
    await wallets.deposit({ network: "ETHEREUM", address, amount: "100", tokenAddress: ETHEREUM_USDT });
    const { status, body } = await wallets.transfer({ ...order, fromAddress: address });
    expect([status, body]).toEqual([422, { message: "Insufficient balance for the network fee" }]);
    expect(await wallets.balances(address, `ETHEREUM&tokenAddress=${ETHEREUM_USDT}`)).toMatchObject([
      { balance: "100" },
    ]);
  });

  it("answers 422 for a token that the wallet never received", async () => {
    const address = await walletWith("1");
    for (const tokenAddress of [ETHEREUM_USDT, SELLER])
      expect((await wallets.transfer({ ...order, fromAddress: address, tokenAddress })).status).toBe(422);
  });

  it("names a token of the XRP Ledger by currency and issuer", async () => {
    const { address } = await wallets.create("XRPL");
    const tokenAddress = `${XRPL_USD.currency}.${XRPL_USD.issuer}`;
    await wallets.deposit({ network: "XRPL", address, amount: "20" });
    await wallets.deposit({ network: "XRPL", address, amount: "12.5", tokenAddress });
    const sending = { network: "XRPL", fromAddress: address, to: STRANGERS.XRPL };
    await wallets.sent({ ...sending, ...XRPL_USD, amount: "2.000000000000001", decimals: 6, tokenAddress: "" });
    await wallets.sent({ ...sending, tokenAddress, amount: "0.5" });
    expect(await wallets.balances(address, "XRPL")).toMatchObject([
      { asset: "XRP", balance: "19.99998" },
      { asset: "USD", balance: "9.999999999999999", tokenAddress },
    ]);
  });
});
