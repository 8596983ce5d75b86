import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CHAIN_FAMILIES, FAMILY_NETWORKS } from "@/lib/contract/crypto";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { canonicalAddress } from "@/lib/contract/addresses";
import { chainEntry } from "@/service/store/schema";
import { ETHEREUM_USDT, type WalletsAtHand, walletsOf } from "@/test/support/service/crypto";

let service: Harness;
let wallets: WalletsAtHand;

beforeEach(async () => {
  service = await startService();
  wallets = walletsOf(service);
});
afterEach(() => expectBalancedBooks(service.call().db));

const tokens = `ETHEREUM&tokenAddress=${ETHEREUM_USDT}`;

describe("a new wallet", () => {
  it.each(CHAIN_FAMILIES)("creates a wallet of %s with its own valid address and lists it", async (family) => {
    const one = await wallets.create(family);
    const other = await wallets.create(family, { userId: "user-7" });
    expect([one, other].map(({ address }) => canonicalAddress(family, address))).toEqual([one.address, other.address]);
    expect(one.address).not.toBe(other.address);
    expect(await wallets.list(`?network=${family}`)).toMatchObject([
      { id: other.walletId, address: other.address, network: family, clientId: "aurora", userId: "user-7" },
      {
        id: one.walletId,
        coin: one.coin,
        status: "ACTIVE",
        isForwardPayment: 0,
        createdAt: "2026-03-10T12:00:00.000Z",
      },
    ]);
  });

  it("never shares an address, however many wallets are created together", async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => wallets.create("XRPL")));
    expect(new Set(made.map(({ address }) => address)).size).toBe(12);
  });

  it.each([{}, { network: "ETHEREUM" }, { network: "EVM", isForwardPayment: 2 }, { network: "EVM", userId: "" }])(
    "answers 400 for %o",
    async (body) => {
      expect((await service.send("POST", "/v1/crypto/wallets", { body })).status).toBe(400);
    },
  );

  it("keeps an address family's seed over a restart", async () => {
    const before = await wallets.create("BTC");
    service = await service.restart();
    wallets = walletsOf(service);
    const after = await wallets.create("BTC");
    expect(after.address).not.toBe(before.address);
    expect((await wallets.list()).map(({ address }) => address)).toEqual([after.address, before.address]);
  });
});

describe("a forward wallet", () => {
  it("creates a forward wallet's master once", async () => {
    await wallets.create("TRON", { isForwardPayment: 1 });
    await wallets.create("TRON", { isForwardPayment: 1 });
    const flags = (await wallets.list("?network=TRON")).map(({ isForwardPayment }) => isForwardPayment);
    expect(flags.filter((flag) => flag === 0)).toHaveLength(1);
  });

  it("uses an existing ordinary wallet as its master and forwards to it", async () => {
    const master = await wallets.create("EVM");
    const forward = await wallets.create("EVM", { isForwardPayment: 1 });
    await wallets.deposit({ network: "BSC", address: forward.address, amount: "0.25" });
    expect(await wallets.list()).toHaveLength(2);
    expect(await wallets.balances(forward.address, "BSC")).toMatchObject([{ balance: "0" }]);
    expect(await wallets.balances(master.address, "BSC")).toMatchObject([{ balance: "0.25" }]);
    const history = await service.call().db.select().from(chainEntry);
    expect(history.map(({ walletId, subtype }) => [walletId, subtype])).toEqual(
      expect.arrayContaining([
        [forward.walletId, "incoming"],
        [forward.walletId, "outgoing"],
        [master.walletId, "incoming"],
      ]),
    );
  });
});

describe("the list of wallets", () => {
  it("lists only the tenant's own wallets, with filters and pages", async () => {
    await wallets.create("BTC");
    const newest = await wallets.create("EVM");
    expect(await walletsOf(service, BOREAL).list()).toEqual([]);
    expect(await wallets.list("?status=CLOSED")).toEqual([]);
    expect(await wallets.list("?status=ACTIVE&limit=1")).toMatchObject([{ id: newest.walletId }]);
    expect(await wallets.list("?limit=1&offset=1")).toMatchObject([{ network: "BTC" }]);
  });
});

describe("the balance of a wallet", () => {
  it.each(CHAIN_FAMILIES)("starts a balance of %s with its native coin at zero on each network", async (family) => {
    const { address } = await wallets.create(family);
    for (const network of FAMILY_NETWORKS[family])
      expect(await wallets.balances(address, network)).toEqual([
        { address, asset: expect.any(String), decimals: expect.any(Number), balance: "0", type: "native" },
      ]);
  });

  it("keeps one address's networks and tokens apart, to the last unit", async () => {
    const { address } = await wallets.create("EVM");
    await wallets.deposit({ network: "ETHEREUM", address, amount: "123456789.000000000000000001" });
    await wallets.deposit({ network: "ETHEREUM", address, amount: "10.5", tokenAddress: ETHEREUM_USDT.toLowerCase() });
    await wallets.deposit({ network: "POLYGON", address: address.toLowerCase(), amount: "3" });
    const token = { address, asset: "USDT", decimals: 6, balance: "10.5", tokenAddress: ETHEREUM_USDT };
    expect(await wallets.balances(address, "ETHEREUM")).toEqual([
      { address, asset: "ETH", decimals: 18, balance: "123456789.000000000000000001", type: "native" },
      token,
    ]);
    expect(await wallets.balances(address.toLowerCase(), tokens)).toEqual([token]);
    expect(await wallets.balances(address, "POLYGON")).toMatchObject([{ asset: "POL", balance: "3" }]);
    expect(await wallets.balances(address, `POLYGON&tokenAddress=${ETHEREUM_USDT}`)).toEqual([]);
  });

  it("answers 404 for an unknown wallet or another tenant's", async () => {
    const { address } = await wallets.create("BTC");
    const foreign = await walletsOf(service, BOREAL).balance(address, "BITCOIN");
    const unknown = await wallets.balance("bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu", "BITCOIN");
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(foreign.body).toEqual(unknown.body);
    expect((await wallets.balance("%00", "BITCOIN")).status).toBe(404);
  });

  it("answers 400 on a network of another family or an unknown one", async () => {
    const { address } = await wallets.create("EVM");
    expect((await wallets.balance(address, "BITCOIN")).body).toEqual({ message: expect.stringMatching(/^network: /) });
    expect((await wallets.balance(address, "BITCOIN")).status).toBe(400);
    expect((await wallets.balance(address, "EVM")).status).toBe(400);
    expect((await wallets.balance(address, "")).status).toBe(400);
  });
});

describe("a deposit", () => {
  it("raises crypto-cash-in with a deposit's hash and block", async () => {
    const { address, walletId } = await wallets.create("SOLANA");
    const { body } = await wallets.deposit({ network: "SOLANA", address, amount: "1.5" });
    const receipt = { txHash: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/), blockNumber: expect.any(Number) };
    expect(body).toEqual({ data: receipt });
    const deliveries = await service.control("GET", "/sandbox/deliveries?clientId=aurora");
    expect(deliveries.body).toMatchObject({ data: [{ event: "crypto-cash-in" }] });
    const [entry] = await service.call().db.select().from(chainEntry);
    expect(entry).toMatchObject({ walletId, subtype: "incoming", amount: "1.5", network: "SOLANA" });
  });

  it.each([
    [400, { amount: "0" }],
    [400, { amount: "1.123456789" }],
    [400, { amount: 1 }],
    [400, { amount: "9".repeat(60) }],
    [400, { tokenAddress: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa" }],
    [400, { network: "XRPL" }],
    [404, { address: "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu" }],
  ])("answers %i for %o, and nothing arrives", async (status, wrong) => {
    const { address } = await wallets.create("BTC");
    expect((await wallets.deposit({ network: "BITCOIN", address, amount: "1", ...wrong })).status).toBe(status);
    expect(await wallets.balances(address, "BITCOIN")).toMatchObject([{ balance: "0" }]);
  });
});
