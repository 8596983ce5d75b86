import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "@/lib/permission/grant";
import { providerIntent } from "@/lib/db/tables/provider";
import { excludeCandidate, orderOutcome } from "@/lib/outcomes/end-outcome";
import { sweepOnce } from "@/lib/watch/watch";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { notHappened } from "@/test/support/outcomes";
import { type WalletsAtHand, walletsOf } from "@/test/support/service/crypto";
import { givenIntents } from "@/test/support/transfers";
import { makeDepositAddress, makeWallet, orderDepositAddress } from "./create";
import { openWalletRequests, reconcileWalletRequest } from "./create-reconcile";
import { AddressFilter, AddressOrder, WalletOrder } from "./inputs";
import { wallet, walletRequest } from "@/lib/db/tables/wallets";
import { readWallets } from "./list";
import type { MadeWallet } from "./view";
import { walletWatch } from "./watch";

type Serve = (request: Request) => Response | Promise<Response>;

let db: Db;
let wallets: WalletsAtHand;
let script: ReturnType<typeof givenIntents>;
let staffId: string;
let maker: Actor<"wallets:create">;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  wallets = walletsOf(await givenService());
  script = givenIntents();
  staffId = await givenStaff(db, "finance");
  maker = actorOf("finance", staffId, "wallets:create");
});

const addressOrder = (changes: object = {}): AddressOrder =>
  AddressOrder.parse({ intentId: randomUUID(), family: "EVM", reference: "order-7", customer: "ana", ...changes });
const walletOrder = (changes: object = {}): WalletOrder =>
  WalletOrder.parse({ intentId: randomUUID(), family: "BTC", isForward: false, customer: "", ...changes });

const trail = async () =>
  (await db.select().from(auditEvent).orderBy(auditEvent.seq)).map(({ code, outcome }) => `${code} ${outcome}`);
const unconfirmed = () => openWalletRequests(db, "aurora");

async function lost(order = addressOrder()): Promise<AddressOrder> {
  script.losses = 1;
  await expect(makeDepositAddress(maker, order)).rejects.toMatchObject({ details: { code: "wallet-unconfirmed" } });
  return order;
}

describe("a wallet", () => {
  it("creates a wallet by one call, however often its form is sent", async () => {
    const order = walletOrder({ customer: "user-1" });
    const [first, second] = await Promise.all([makeWallet(maker, order), makeWallet(maker, order)]);
    expect(second).toEqual(first);
    expect(await makeWallet(maker, order)).toEqual(first);
    expect(script.sent).toBe(1);
    expect(await wallets.list()).toMatchObject([{ id: first.walletId, address: first.address, network: "BTC" }]);
    expect(await trail()).toEqual(["wallets.create INTENT", "wallets.create DONE"]);
  });

  it("forwards a wallet's deposits only when asked to", async () => {
    const sweeping = await makeWallet(maker, walletOrder({ isForward: true }));
    const plain = await makeWallet(maker, walletOrder());
    const listed = await wallets.list();
    const stateOf = (made: MadeWallet) => listed.find(({ id }) => id === made.walletId)?.isForwardPayment;
    expect([stateOf(sweeping), stateOf(plain)]).toEqual([1, 0]);
  });
});

describe("a deposit address", () => {
  it("stores a deposit address's reference, sealed, before sending", async () => {
    const { answered, release } = script.holdNext();
    const order = addressOrder();
    const making = makeDepositAddress(maker, order);
    await answered;
    const [before] = await db.select().from(walletRequest);
    expect(before).toMatchObject({ intentId: order.intentId, kind: "address", family: "EVM", address: null, staffId });
    expect(JSON.stringify(before)).not.toMatch(/order-7|"ana"/);
    release();
    const made = await making;
    expect(await db.select().from(walletRequest)).toMatchObject([{ address: made.address, walletId: null }]);
  });

  it("offers a request no wallet seen before it", async () => {
    const at = new Date(Date.now() - 60_000);
    const known = { tenant: "aurora", family: "EVM", coin: "ETH", status: "ACTIVE", isForwardPayment: true };
    const seen = { createdAt: at, seenAt: at };
    await db.insert(wallet).values({ ...known, ...seen, id: "before", address: "0xB0", firstSeenAt: at });
    await db.insert(wallet).values({ ...known, ...seen, id: "long before", address: "0xB1" });
    await lost();
    expect(await unconfirmed()).toMatchObject([{ candidates: [] }]);
  });
});

it("is counted as not listed until the provider's list tells it", async () => {
  const { address } = await makeDepositAddress(maker, addressOrder());
  const reader = actorOf("finance", staffId, "wallets:read");
  expect(await readWallets(reader, { search: "order-7" })).toMatchObject({ rows: [], unlisted: 1 });
  const at = new Date();
  const told = { tenant: "aurora", id: "w", family: "EVM", coin: "ETH", status: "ACTIVE", createdAt: at, seenAt: at };
  await db.insert(wallet).values({ ...told, address: (address ?? "").toUpperCase() });
  expect(await readWallets(reader, { search: "order-7" })).toMatchObject({ rows: [{ id: "w" }], unlisted: 0 });
});

describe("a reference that has an address", () => {
  it("creates one address for ten concurrent requests, before and after its answer", async () => {
    const asked = Array.from({ length: 10 }, () => orderDepositAddress(maker, addressOrder()));
    const first = await Promise.allSettled(asked);
    expect(first.filter((one) => one.status === "fulfilled" && "address" in one.value)).toHaveLength(1);
    const later = await Promise.all(Array.from({ length: 10 }, () => orderDepositAddress(maker, addressOrder())));
    for (const one of later) expect(one).toHaveProperty("earlier");
    expect(script.sent).toBe(1);
  });

  it("creates another address only for a person who was warned", async () => {
    const first = await makeDepositAddress(maker, addressOrder());
    const again = addressOrder({ customer: "bia" });
    expect(await orderDepositAddress(maker, again)).toMatchObject({ earlier: { address: first.address } });
    expect(await orderDepositAddress(maker, addressOrder({ family: "TRON" }))).toMatchObject({ family: "TRON" });
    expect(script.sent).toBe(2);
    const another = await orderDepositAddress(maker, { ...again, isAnother: true });
    expect(another).toMatchObject({ intentId: again.intentId, address: expect.any(String) });
    expect(script.sent).toBe(3);
  });
});

describe("a request whose answer was lost", () => {
  it("resends no request by its form, nor by another for the same purpose", async () => {
    const order = await lost();
    await expect(makeDepositAddress(maker, order)).rejects.toMatchObject({ details: { code: "intent-already-sent" } });
    await expect(makeDepositAddress(maker, addressOrder())).rejects.toMatchObject({
      details: { code: "wallet-unsettled" },
    });
    expect(script.sent).toBe(1);
    await makeDepositAddress(maker, addressOrder({ reference: "order-8" }));
    expect(script.sent).toBe(2);
  });

  it("offers a request the list's new wallet, which a person links", async () => {
    const order = await lost();
    await sweepOnce(walletWatch, "aurora");
    const listed = (await wallets.list()).find(({ isForwardPayment }) => isForwardPayment === 1);
    const [open] = await unconfirmed();
    expect(open).toMatchObject({ intentId: order.intentId, reference: "order-7", customer: "ana", isSending: false });
    expect(open?.candidates.map(({ walletId }) => walletId)).toEqual([listed?.id]);
    await sweepOnce(walletWatch, "aurora");
    expect(await unconfirmed()).toHaveLength(1);
    const chosen = { intentId: order.intentId, walletId: listed?.id ?? "" };
    await reconcileWalletRequest(maker, chosen);
    expect(await unconfirmed()).toEqual([]);
    expect(await makeDepositAddress(maker, order)).toMatchObject({ walletId: listed?.id, address: listed?.address });
    await expect(reconcileWalletRequest(maker, chosen)).rejects.toMatchObject({ details: { code: "wallet-settled" } });
    expect(await trail()).toEqual(["wallets.create INTENT", "wallets.create UNKNOWN", "wallets.create DONE"]);
    expect(script.sent).toBe(1);
  });

  it("offers a request no wallet of another family, use or request", async () => {
    await lost();
    await makeDepositAddress(maker, addressOrder({ reference: "order-8" }));
    await makeWallet(maker, walletOrder({ family: "EVM" }));
    await makeWallet(maker, walletOrder({ family: "TRON", isForward: true }));
    await sweepOnce(walletWatch, "aurora");
    const [open] = await unconfirmed();
    expect(open?.candidates).toHaveLength(1);
  });

  it("gives a wallet to one of two requests, whoever chooses it", async () => {
    const first = await lost();
    const second = await lost(addressOrder({ reference: "order-8" }));
    await sweepOnce(walletWatch, "aurora");
    const [open] = await unconfirmed();
    const walletId = open?.candidates[0]?.walletId ?? "";
    const choose = ({ intentId }: AddressOrder) => reconcileWalletRequest(maker, { intentId, walletId });
    const both = await Promise.allSettled([choose(first), choose(second)]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await db.select().from(walletRequest).where(eq(walletRequest.walletId, walletId))).toHaveLength(1);
  });

  it('drops a ruled-out candidate, and allows a resend after "did not happen"', async () => {
    const order = await lost();
    await sweepOnce(walletWatch, "aurora");
    const [open] = await unconfirmed();
    const ending = actorOf("finance", staffId, "outcomes:end");
    const candidate = open?.candidates[0]?.walletId ?? "";
    await excludeCandidate(ending, { intentId: order.intentId, candidate });
    expect((await unconfirmed())[0]?.candidates).toEqual([]);
    await orderOutcome(ending, notHappened(order.intentId));
    expect(await unconfirmed()).toEqual([]);
    await makeDepositAddress(maker, addressOrder());
    expect(script.sent).toBe(2);
  });

  it("reports no wallet found only after a whole walk begun a minute later", async () => {
    const order = addressOrder();
    script.requestsLost = 1;
    await expect(makeDepositAddress(maker, order)).rejects.toMatchObject({ kind: "unavailable" });
    await sweepOnce(walletWatch, "aurora");
    expect(await unconfirmed()).toMatchObject([{ isNotFound: false, candidates: [] }]);
    await db.update(providerIntent).set({ firstSentAt: sql`clock_timestamp() - interval '5 minutes'` });
    expect(await unconfirmed()).toMatchObject([{ isNotFound: true }]);
  });
});

const givenAnswer = (answerOf: (request: Request, serve: Serve) => Promise<Response>) =>
  givenService(
    () => {},
    (serve) => async (request) => answerOf(request, serve),
  );

describe("a request at another provider", () => {
  it("resends no request whose answer names no wallet; a person links it", async () => {
    await givenAnswer(async (request, serve) => {
      const answer = await serve(request);
      return request.method === "POST" && request.url.includes("/checkout/") ? Response.json({ feito: true }) : answer;
    });
    const order = addressOrder();
    for (const code of ["wallet-unconfirmed", "intent-already-sent"])
      await expect(makeDepositAddress(maker, order)).rejects.toMatchObject({ details: { code } });
    expect(script.sent).toBe(1);
    await sweepOnce(walletWatch, "aurora");
    const [open] = await unconfirmed();
    expect(open?.candidates).toHaveLength(1);
    await reconcileWalletRequest(maker, { intentId: order.intentId, walletId: open?.candidates[0]?.walletId ?? "" });
    expect(await unconfirmed()).toEqual([]);
  });

  it("offers a request its wallet once when wallets repeat and pages shift", async () => {
    let asked = 0;
    await givenAnswer(async (request, serve) => {
      const answer = await serve(request);
      if (request.method !== "GET" || !request.url.includes("/crypto/wallets?")) return answer;
      asked += 1;
      const { data }: { data: object[] } = await answer.json();
      const before = asked % 2 === 0 ? [...data, ...data] : [...data.slice(1), ...data.slice(0, 1)];
      return Response.json({ message: "", data: before });
    });
    await lost();
    for (let nth = 0; nth < 3; nth += 1) await sweepOnce(walletWatch, "aurora");
    const [open] = await unconfirmed();
    expect(open?.candidates).toHaveLength(1);
    expect(script.sent).toBe(1);
  });

  it("offers a wallet whose use is unknown", async () => {
    await givenAnswer(async (request, serve) => {
      const answer = await serve(request);
      if (request.method !== "GET" || !request.url.includes("/crypto/wallets?")) return answer;
      const { data }: { data: Record<string, unknown>[] } = await answer.json();
      return Response.json({ message: "", data: data.map((one) => ({ ...one, isForwardPayment: null })) });
    });
    await lost();
    await sweepOnce(walletWatch, "aurora");
    const [open] = await unconfirmed();
    expect(open?.candidates.length).toBeGreaterThanOrEqual(1);
  });
});

it.each([
  ["order-7", "order-7"],
  [" fatura 2026/11 nº 8 ", "fatura 2026/11 nº 8"],
  ["10427", "10427"],
  ["52998224725", undefined],
  ["cliente 529.982.247-25", undefined],
  ["", undefined],
])("searches addresses for %j as %j", (search, expected) => {
  expect(AddressFilter.parse({ search }).search).toBe(expected);
});
