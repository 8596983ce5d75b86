import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { ETHEREUM_USDT, STRANGERS, XRPL_USD, type WalletsAtHand, walletsOf } from "@/test/support/service/crypto";

const OTHER_STRANGER = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
let service: Harness;
let wallets: WalletsAtHand;

beforeEach(async () => {
  service = await startService();
  wallets = walletsOf(service);
});
afterEach(() => expectBalancedBooks(service.call().db));

/** An EVM wallet with one coin on Ethereum. */
async function walletWithOne(): Promise<string> {
  const { address } = await wallets.create("EVM");
  await wallets.deposit({ network: "ETHEREUM", address, amount: "1" });
  return address;
}

describe("a transfer is refused", () => {
  const order = { network: "ETHEREUM", to: STRANGERS.ETHEREUM, amount: "0.1" };

  it.each([
    ["to", { to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed" }],
    ["to", { to: STRANGERS.TRON }],
    ["to", { to: "" }],
    ["amount", { amount: "0.0000000000000000001" }],
    ["amount", { amount: "0" }],
    ["amount", { amount: "-1" }],
    ["amount", { amount: "1e3" }],
    ["amount", { amount: 1 }],
    ["network", { network: "EVM" }],
    ["network", { network: undefined }],
    ["fromAddress", { fromAddress: undefined }],
    ["networkId", { networkId: "POLYGON" }],
    ["networkId", { networkId: "56" }],
    ["tokenAddress", { tokenAddress: "0x1234" }],
    ["tokenAddress", { tokenAddress: STRANGERS.TRON }],
    ["decimals", { tokenAddress: ETHEREUM_USDT, decimals: 18 }],
    ["decimals", { decimals: 6 }],
    ["decimals", { decimals: 1.5 }],
    ["amount", { tokenAddress: ETHEREUM_USDT, amount: "0.0000001" }],
    ["currency", { ...XRPL_USD }],
    ["issuer", { issuer: XRPL_USD.issuer }],
  ])("answers 400 naming %s for %o", async (field, wrong) => {
    const address = await walletWithOne();
    const { status, body } = await wallets.transfer({ ...order, fromAddress: address, ...wrong });
    expect([status, body]).toEqual([400, { message: expect.stringMatching(new RegExp(`^${field}: `)) }]);
    expect(await wallets.coins(address, "ETHEREUM")).toBe("1");
  });

  it.each([
    ["issuer", { currency: "USD" }],
    ["currency", { issuer: XRPL_USD.issuer }],
    ["issuer", { currency: "USD", issuer: STRANGERS.TRON }],
    ["currency", { ...XRPL_USD, currency: "XRP" }],
    ["currency", { ...XRPL_USD, currency: "DOLLAR" }],
    ["tokenAddress", { ...XRPL_USD, tokenAddress: `EUR.${XRPL_USD.issuer}` }],
  ])("answers 400 on the XRP Ledger naming %s for %o", async (field, wrong) => {
    const { address } = await wallets.create("XRPL");
    const onXrpl = { network: "XRPL", fromAddress: address, to: STRANGERS.XRPL, amount: "1" };
    const { status, body } = await wallets.transfer({ ...onXrpl, ...wrong });
    expect([status, body]).toEqual([400, { message: expect.stringMatching(new RegExp(`^${field}: `)) }]);
  });

  it("answers 400 naming to when it would return to its sender", async () => {
    const address = await walletWithOne();
    const { status, body } = await wallets.transfer({
      ...order,
      fromAddress: address,
      to: address.toLowerCase(),
    });
    expect([status, body]).toEqual([400, { message: expect.stringMatching(/^to: /) }]);
  });

  it("answers 400 naming network when the wallet is of another family", async () => {
    const address = await walletWithOne();
    const onBitcoin = { network: "BITCOIN", fromAddress: address, to: STRANGERS.BITCOIN, amount: "0.1" };
    expect((await wallets.transfer(onBitcoin)).body).toEqual({ message: expect.stringMatching(/^network: /) });
  });

  it("answers 404 from an unknown wallet or another tenant's, with the same body", async () => {
    const address = await walletWithOne();
    const foreign = await walletsOf(service, BOREAL).transfer({ ...order, fromAddress: address });
    const unknown = await wallets.transfer({ ...order, fromAddress: OTHER_STRANGER });
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
    expect((await wallets.transfer({ ...order, fromAddress: "nobody" })).status).toBe(404);
    expect(await wallets.coins(address, "ETHEREUM")).toBe("1");
  });

  it("answers 422 on a network where the same address has nothing", async () => {
    const address = await walletWithOne();
    const elsewhere = { ...order, network: "POLYGON", fromAddress: address };
    expect((await wallets.transfer(elsewhere)).status).toBe(422);
  });

  it("accepts a networkId that names the same network by word or number", async () => {
    const address = await walletWithOne();
    for (const networkId of ["ETHEREUM", "ethereum", "1", ""])
      await wallets.sent({ ...order, fromAddress: address, networkId, decimals: 18 });
    expect(await wallets.coins(address, "ETHEREUM")).toBe("0.59832");
  });
});
