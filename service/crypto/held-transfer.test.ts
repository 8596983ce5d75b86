import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { HeldTransaction } from "@/lib/contract/errors";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { type Harness, START_MS, startService } from "@/test/support/service/harness";
import { ETHEREUM_USDT, STRANGERS, type WalletsAtHand, walletsOf } from "@/test/support/service/crypto";

const BlockedTransaction = z.strictObject({
  error: z.literal("TRANSACTION_BLOCKED"),
  message: z.string(),
  antifraudId: z.uuid(),
});
const DAY_MS = 86_400_000;
let service: Harness;
let wallets: WalletsAtHand;
let address: string;

async function begin(environment: Record<string, string> = {}): Promise<void> {
  service = await startService({ environment });
  wallets = walletsOf(service);
  ({ address } = await wallets.create("EVM"));
  await wallets.deposit({ network: "ETHEREUM", address, amount: "2000" });
}
beforeEach(() => begin());
afterEach(() => expectBalancedBooks(service.call().db));

const send = (amount: string, wishes: Record<string, unknown> = {}) =>
  wallets.transfer({ network: "ETHEREUM", fromAddress: address, to: STRANGERS.ETHEREUM, amount, ...wishes });

const hold = async (amount: string, wishes: Record<string, unknown> = {}) =>
  HeldTransaction.parse((await send(amount, wishes)).body).antifraudId;

const decide = (antifraudId: string, decision: "RELEASE" | "REJECT") =>
  service.control("POST", `/sandbox/transactions/${antifraudId}`, { decision });

const left = () => wallets.coins(address, "ETHEREUM");

describe("a transfer of ten coins or more", () => {
  it("holds the transfer: amount and fee leave the balance, nothing is on chain", async () => {
    const { status, body } = await send("12.5");
    expect([status, body]).toEqual([
      202,
      {
        error: "TRANSACTION_PENDING_APPROVAL",
        message: expect.any(String),
        antifraudId: expect.any(String),
        pendingExpiresAt: new Date(START_MS + DAY_MS).toISOString(),
      },
    ]);
    expect(await left()).toBe("1987.49958");
    expect(await wallets.entries(address, "ETHEREUM")).toHaveLength(1);
  });

  it("puts a released transfer on chain and notifies its receiver", async () => {
    const { address: to } = await wallets.create("EVM");
    const id = await hold("10", { to });
    await service.advance(60_000);
    expect(await decide(id, "RELEASE")).toMatchObject({ status: 200, body: { data: { status: "RELEASED" } } });
    expect([await left(), await wallets.coins(to, "ETHEREUM")]).toEqual(["1989.99958", "10"]);
    const [sent] = await wallets.entries(address, "ETHEREUM");
    expect(sent).toMatchObject({
      transactionSubtype: "outgoing",
      amount: "10",
      fee: "0.00042",
      counterAddress: to,
      timestamp: START_MS + 60_000,
    });
    const { body } = await service.control("GET", "/sandbox/deliveries?clientId=aurora");
    expect(body).toMatchObject({ data: [{ event: "crypto-cash-in" }, { event: "crypto-cash-in" }] });
  });

  it("releases a transfer even if it took the whole balance", async () => {
    const ids = [await hold("999.99958"), await hold("999.99958")];
    expect(await left()).toBe("0");
    for (const id of ids) expect((await decide(id, "RELEASE")).status).toBe(200);
    expect(await left()).toBe("0");
  });

  it("returns a rejected transfer with its fee", async () => {
    expect((await decide(await hold("500"), "REJECT")).status).toBe(200);
    expect(await left()).toBe("2000");
    expect(await wallets.entries(address, "ETHEREUM")).toHaveLength(1);
  });

  it("returns a transfer undecided for a day, also over a restart", async () => {
    const id = await hold("500");
    await service.advance(DAY_MS - 1);
    expect(await left()).toBe("1499.99958");
    service = await service.restart();
    wallets = walletsOf(service);
    await service.advance(1);
    expect(await left()).toBe("2000");
    expect((await decide(id, "RELEASE")).status).toBe(409);
  });

  it("decides a held transfer once", async () => {
    const id = await hold("11");
    await decide(id, "REJECT");
    for (const decision of ["RELEASE", "REJECT"] as const) expect((await decide(id, decision)).status).toBe(409);
    expect(await left()).toBe("2000");
  });

  it("forwards a released transfer to a checkout address to the master wallet", async () => {
    const { address: to } = await wallets.checkedOut({ network: "EVM" });
    await decide(await hold("10", { to }), "RELEASE");
    expect([await left(), await wallets.coins(to, "ETHEREUM")]).toEqual(["1999.99958", "0"]);
  });
});

describe("a transfer of a thousand coins or more", () => {
  it("blocks the transfer, and nothing leaves the wallet", async () => {
    const { status, body } = await send("1000");
    const blocked = BlockedTransaction.parse(body);
    expect(status).toBe(403);
    expect(await left()).toBe("2000");
    expect((await decide(blocked.antifraudId, "RELEASE")).status).toBe(409);
  });
});

describe("antifraud", () => {
  it("passes a transfer one unit below ten coins", async () => {
    expect((await send("9.999999999999999999")).status).toBe(200);
  });

  it("checks only amounts that the wallet can pay", async () => {
    for (const amount of ["2000", "1999.999580000000000001", "5000"]) expect((await send(amount)).status).toBe(422);
    expect(await left()).toBe("2000");
  });

  it("does not hold tokens", async () => {
    await wallets.deposit({ network: "ETHEREUM", address, amount: "5000", tokenAddress: ETHEREUM_USDT });
    expect((await send("5000", { tokenAddress: ETHEREUM_USDT })).status).toBe(200);
  });

  it("takes the crypto thresholds from the settings", async () => {
    await begin({ SERVICE_HOLD_FROM_COINS: "0.5", SERVICE_BLOCK_FROM_COINS: "2" });
    const statuses = [await send("0.499999999999999999"), await send("0.5"), await send("2")];
    expect(statuses.map(({ status }) => status)).toEqual([200, 202, 403]);
  });

  it("never holds more than the balance, however many run together", async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => send("499.99958")));
    const statuses = replies.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([202, 202, 202, 202, 422, 422, 422, 422]);
    expect(await left()).toBe("0");
  });
});
