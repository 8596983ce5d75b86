import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { CHAIN_FAMILIES, FAMILY_NETWORKS } from "@/lib/contract/crypto";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { AURORA, BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { webhookEvent } from "@/service/store/schema";
import { canonicalAddress } from "@/lib/contract/addresses";
import { ETHEREUM_USDT, type WalletsAtHand, walletsOf } from "@/test/support/service/crypto";

let service: Harness;
let wallets: WalletsAtHand;

beforeEach(async () => {
  service = await startService();
  wallets = walletsOf(service);
});
afterEach(() => expectBalancedBooks(service.call().db));

const Receipt = z.object({ data: z.object({ txHash: z.string(), blockNumber: z.number() }) });
const receiptOf = async (deposit: Record<string, unknown>) => Receipt.parse((await wallets.deposit(deposit)).body).data;

async function master() {
  const [only, ...others] = (await wallets.list()).filter(({ isForwardPayment }) => isForwardPayment === 0);
  expect(others).toEqual([]);
  return only?.address ?? "";
}

describe("a checkout address", () => {
  it.each(CHAIN_FAMILIES)("creates on %s a forward wallet that shows the tenant's reference", async (family) => {
    const { status, body } = await wallets.checkout({ network: family, reference: "order-77" });
    expect([status, body]).toEqual([
      200,
      {
        message: expect.any(String),
        data: { address: expect.any(String), network: family, reference: "order-77" },
      },
    ]);
    const [ordinary, made] = await wallets.list(`?network=${family}`);
    expect(made).toMatchObject({ isForwardPayment: 1, network: family, reference: "order-77" });
    expect(canonicalAddress(family, made?.address ?? "")).toBe(made?.address);
    expect(ordinary).toMatchObject({ isForwardPayment: 0, network: family });
  });

  it("gives an address a reference when the tenant gives none", async () => {
    const references: string[] = [];
    for (const body of [{ network: "BTC" }, { network: "BTC", reference: "" }])
      references.push((await wallets.checkedOut(body)).reference);
    expect(new Set(references).size).toBe(2);
    expect(references.every((reference) => reference.length > 0)).toBe(true);
  });

  it("creates a new address for every payment, even under the same reference", async () => {
    const body = { network: "TRON", reference: "order-1" };
    const one = await wallets.checkedOut(body);
    const other = await wallets.checkedOut(body);
    expect(one.address).not.toBe(other.address);
  });

  it.each([{}, { network: "ETHEREUM" }, { network: "EVM", reference: 7 }])("answers 400 for %o", async (body) => {
    expect((await wallets.checkout(body)).status).toBe(400);
    expect(await wallets.list()).toEqual([]);
  });

  it("forwards deposits to the master wallet, to the last unit, on every network", async () => {
    for (const family of CHAIN_FAMILIES)
      for (const network of FAMILY_NETWORKS[family]) {
        const { address } = await wallets.checkedOut({ network: family });
        await wallets.deposit({ network, address, amount: "1.000001" });
        expect(await wallets.coins(address, network)).toBe("0");
        const [ordinary] = (await wallets.list(`?network=${family}`)).filter((one) => one.isForwardPayment === 0);
        expect(await wallets.coins(ordinary?.address ?? "", network)).toBe("1.000001");
      }
  });

  it("passes tokens on without needing coins at the address", async () => {
    const { address } = await wallets.checkedOut({ network: "EVM" });
    await wallets.deposit({ network: "ETHEREUM", address, amount: "25", tokenAddress: ETHEREUM_USDT });
    const token = `ETHEREUM&tokenAddress=${ETHEREUM_USDT}`;
    expect(await wallets.balances(address, token)).toMatchObject([{ balance: "0" }]);
    expect(await wallets.balances(await master(), token)).toMatchObject([{ balance: "25" }]);
  });

  it("shows both steps in the address's history, and the second at the master", async () => {
    const { address } = await wallets.checkedOut({ network: "EVM" });
    await wallets.deposit({ network: "ETHEREUM", address, amount: "1" });
    const [swept, received] = await wallets.entries(address, "ETHEREUM");
    expect(received).toMatchObject({ transactionSubtype: "incoming", amount: "1" });
    expect(swept).toMatchObject({ transactionSubtype: "outgoing", amount: "1", counterAddress: await master() });
    expect(swept).not.toHaveProperty("fee");
    expect(await wallets.entries(await master(), "ETHEREUM")).toMatchObject([
      { hash: swept?.hash, transactionSubtype: "incoming", amount: "1", counterAddress: address },
    ]);
  });

  it("raises one crypto-cash-in with the address's reference", async () => {
    const { address } = await wallets.checkedOut({ network: "BTC", reference: "order-5" });
    const [forward] = (await wallets.list()).filter(({ isForwardPayment }) => isForwardPayment === 1);
    const receipt = await receiptOf({ network: "BITCOIN", address, amount: "0.5" });
    const events = await service.call().db.select().from(webhookEvent);
    expect(events.map(({ event }) => event)).toEqual(["crypto-cash-in"]);
    expect(JSON.parse(events[0]?.body ?? "")).toEqual({
      clientId: "aurora",
      walletId: forward?.id,
      network: "BITCOIN",
      address,
      isForwardPayment: 1,
      reference: "order-5",
      asset: "BTC",
      tokenAddress: null,
      decimals: 8,
      amount: "0.5",
      fromAddress: expect.stringMatching(/^bc1q/),
      timestamp: service.clock.now(),
      ...receipt,
      when: service.clock.now(),
    });
  });
});

describe("the master wallet", () => {
  it("never takes a wallet isolated for a user as the master", async () => {
    const { address: ofUser } = await wallets.create("EVM", { userId: "user-1" });
    const { address } = await wallets.checkedOut({ network: "EVM" });
    await wallets.deposit({ network: "BSC", address, amount: "2" });
    expect(await wallets.coins(ofUser, "BSC")).toBe("0");
    const [made] = (await wallets.list()).filter((one) => one.isForwardPayment === 0 && one.address !== ofUser);
    expect(await wallets.coins(made?.address ?? "", "BSC")).toBe("2");
  });

  it("keeps one master per tenant for many concurrent addresses", async () => {
    const tenants = [AURORA, BOREAL].map((tenant) => walletsOf(service, tenant));
    await Promise.all(tenants.flatMap((own) => Array.from({ length: 4 }, () => own.checkedOut({ network: "XRPL" }))));
    for (const own of tenants) {
      const flags = (await own.list()).map(({ isForwardPayment }) => isForwardPayment);
      expect(flags.filter((flag) => flag === 0)).toHaveLength(1);
    }
  });
});
