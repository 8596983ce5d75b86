import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { CheckoutAddress, WalletCreated } from "@/lib/contract/crypto";
import type { Db } from "@/lib/db/connection";
import { deposit, depositNotice } from "@/lib/db/tables/deposits";
import { webhookEvent } from "@/lib/db/tables/webhooks";
import { chainMovement, wallet, walletLabel } from "@/lib/db/tables/wallets";
import { sweepOnce } from "@/lib/watch/watch";
import { walletWatch } from "@/lib/wallets/watch";
import { takeDelivery } from "@/lib/webhooks/intake";
import { givenEnv, givenService, givenStore } from "@/test/support/console";
import type { Harness } from "@/test/support/service/harness";
import { ETHEREUM_USDT } from "@/test/support/service/crypto";
import { asDocumented } from "@/test/support/wallets";
import { nameAddress } from "@/test/support/deposits";
import { deliveryOf, givenIntake } from "@/test/support/webhooks";
import { depositWatch } from "./watch";

let db: Db;
let service: Harness;
let asked: URL[];
/** Replaces the service's histories. */
let history: ((url: URL) => readonly object[]) | null;

beforeEach(async () => {
  givenEnv();
  asked = [];
  history = null;
  db = await givenStore();
  service = await givenService(
    (request) => asked.push(new URL(request.url)),
    (serve) => async (request) => {
      const url = new URL(request.url);
      if (history === null || !url.pathname.endsWith("/history")) return asDocumented(request, await serve(request));
      return Response.json({ message: "", data: history(url) });
    },
  );
});

/** A checkout address made here, and the master wallet that its coins are swept to. */
async function checkout(reference = "PEDIDO-1") {
  const { body } = await service.send("POST", "/v1/crypto/checkout/address", {
    body: { network: "EVM", reference },
  });
  const { address } = CheckoutAddress.parse(body).data;
  await nameAddress(db, address, reference);
  return address;
}

const arrive = (address: string, amount: string, tokenAddress?: string) =>
  service.control("POST", "/sandbox/crypto/deposits", {
    network: "ETHEREUM",
    address,
    amount,
    ...(tokenAddress !== undefined && { tokenAddress }),
  });

const sayOnce = (payload: object, id: string | null = randomUUID()) =>
  takeDelivery(givenIntake(db).deps, "aurora", deliveryOf(payload, { event: "crypto-cash-in", id }));

const keep = () => sweepOnce(depositWatch, "aurora");

async function labelMasters() {
  const masters = (await db.select().from(wallet)).filter(({ isForwardPayment }) => isForwardPayment !== true);
  const label = { tenant: "aurora", use: "own" as const, setBy: randomUUID(), setAt: new Date() };
  if (masters.length > 0)
    await db.insert(walletLabel).values(masters.map(({ id }) => ({ ...label, walletId: id, label: null })));
}

const stored = async () =>
  (await db.select().from(deposit))
    .map(({ amount, standing, stage, asset, cause }) => ({ amount, standing, stage, asset, cause }))
    .toSorted((one, other) => (one.amount < other.amount ? -1 : 1));

const historiesOf = (address: string) => asked.filter(({ pathname }) => pathname.endsWith(`/${address}/history`));

const incoming = (hash: string, amount: string, counterAddress: string, timestamp: number) => ({
  chain: "ETHEREUM",
  hash,
  address: "",
  blockNumber: 9,
  amount,
  transactionSubtype: "incoming",
  counterAddress,
  timestamp,
});

describe("deposits that events tell", () => {
  it("creates one row for ten copies of an event at once", async () => {
    const address = await checkout();
    const payload = { address, network: "ETHEREUM", amount: "1.50", txHash: `0x${"ab".repeat(32)}` };
    await Promise.all(Array.from({ length: 10 }, (_, nth) => sayOnce(payload, nth < 5 ? "one" : null)));
    await Promise.all([keep(), keep()]);
    await sayOnce({ ...payload, amount: 1.5, address: address.toLowerCase(), txHash: "AB".repeat(32) });
    await keep();
    expect(await db.$count(depositNotice)).toBe(1);
    expect(await stored()).toMatchObject([{ amount: "1.50", standing: "untold", stage: "told" }]);
  });

  it("finds an event behind six hundred that name no address", async () => {
    const address = await checkout();
    await sayOnce({ amount: "1" });
    const [unread] = await db.select().from(webhookEvent);
    if (unread === undefined) throw new Error("there is no event");
    const { seq: _, ...row } = unread;
    const copies = Array.from({ length: 600 }, () => ({ ...row, id: randomUUID(), eventId: randomUUID() }));
    await db.insert(webhookEvent).values(copies.map((copy) => ({ ...copy, bodyHash: copy.id })));
    await sayOnce({ address, amount: "7" });
    await keep();
    await keep();
    expect(await stored()).toMatchObject([{ amount: "7", stage: "told" }]);
  });

  it("lives with an event that names only address and amount, and finds its entry", async () => {
    const address = await checkout();
    await sayOnce({ address, amount: "2" });
    await keep();
    expect(await stored()).toMatchObject([{ amount: "2", stage: "told" }]);
    await arrive(address, "2");
    await sweepOnce(walletWatch, "aurora");
    await labelMasters();
    await sweepOnce(walletWatch, "aurora");
    await keep();
    expect(await stored()).toMatchObject([{ stage: "swept" }]);
    expect(await db.$count(deposit)).toBe(1);
  });

  it("says of an address that nobody knows that it is unattributed", async () => {
    await sayOnce({ address: `0x${"12".repeat(20)}`, amount: "3" });
    await keep();
    expect(await stored()).toMatchObject([{ standing: "unattributed", cause: "unknown-address" }]);
  });
});

describe("the sweep witness", () => {
  it("finds a deposit whose event was lost, and reads only its address", async () => {
    const address = await checkout("PEDIDO-1");
    const other = await checkout("PEDIDO-2");
    await arrive(address, "7", ETHEREUM_USDT);
    await sweepOnce(walletWatch, "aurora");
    await labelMasters();
    await sweepOnce(walletWatch, "aurora");
    asked = [];
    await keep();
    expect(await stored()).toMatchObject([{ amount: "7", standing: "arrived", stage: "swept", asset: "USDT" }]);
    expect(historiesOf(address).length).toBeGreaterThan(0);
    expect(historiesOf(other)).toEqual([]);
    asked = [];
    await keep();
    expect(asked).toEqual([]);
  });

  it("finds each deposit of a sum", async () => {
    const address = await checkout();
    const master = `0x${"99".repeat(20)}`;
    await sweepOnce(walletWatch, "aurora");
    const at = Date.now() - 60_000;
    const row = { tenant: "aurora", id: "master", family: "EVM", coin: "ETH", status: "ACTIVE", userId: null };
    await db
      .insert(wallet)
      .values({ ...row, address: master, isForwardPayment: false, createdAt: new Date(), seenAt: new Date() });
    await labelMasters();
    const stranger = `0x${"77".repeat(20)}`;
    history = (url) => {
      if (url.searchParams.get("network") !== "ETHEREUM" || url.searchParams.get("page") !== "0") return [];
      if (url.pathname.includes(master))
        return [incoming("0x51", "7", address.toUpperCase().replace("0X", "0x"), at + 9_000)];
      if (!url.pathname.includes(address)) return [];
      return [incoming("0x02", "4", stranger, at + 1_000), incoming("0x01", "3", stranger, at)];
    };
    await sweepOnce(walletWatch, "aurora");
    await keep();
    expect(await stored()).toMatchObject([
      { amount: "3", stage: "swept" },
      { amount: "4", stage: "swept" },
    ]);
  });

  it("keeps one row through an entry without a block, its block, and its drop", async () => {
    const address = await checkout();
    await sweepOnce(walletWatch, "aurora");
    const walletId = (await db.select().from(wallet)).find((one) => one.address === address)?.id ?? "";
    const row = { tenant: "aurora", walletId, network: "ETHEREUM" as const, key: "k", ordinal: 0, hash: "0x5" };
    const moved = { ...row, subtype: "incoming", counterAddress: "0x6", amount: "5", at: new Date(), isDated: false };
    await db.insert(chainMovement).values(moved);
    await keep();
    expect(await stored()).toMatchObject([{ stage: "unconfirmed" }]);
    await db.update(chainMovement).set({ isDated: true, blockNumber: "9" });
    await keep();
    expect(await stored()).toMatchObject([{ stage: "confirmed" }]);
    await db.update(chainMovement).set({ droppedAt: new Date() });
    await keep();
    expect(await stored()).toMatchObject([{ stage: "dropped", standing: null }]);
  });

  it("gives a deposit its class once its address is named", async () => {
    const { body } = await service.send("POST", "/v1/crypto/wallets", {
      body: { network: "EVM", isForwardPayment: 1 },
    });
    const { address } = WalletCreated.parse(body).data;
    await sayOnce({ address, amount: "3", asset: "ETH", network: "ETHEREUM" });
    await sweepOnce(walletWatch, "aurora");
    await keep();
    expect(await stored()).toMatchObject([{ standing: "unattributed", cause: "no-reference" }]);
    await nameAddress(db, address, "PEDIDO-9");
    await keep();
    expect(await stored()).toMatchObject([{ standing: "arrived", cause: "unexpected" }]);
  });
});
