import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { completeCpf } from "@/lib/contract/document";
import { WalletCreated } from "@/lib/contract/crypto";
import { AccountRequested } from "@/lib/contract/onboarding";
import type { Db } from "@/lib/db/connection";
import { healthIncident } from "@/lib/db/tables/health";
import { onboarding } from "@/lib/db/tables/customers";
import { expectedEvent, webhookEvent } from "@/lib/db/tables/webhooks";
import { recall } from "@/lib/db/watch-state";
import { depositWatch } from "@/lib/deposits/watch";
import { log } from "@/lib/log/log";
import { refreshOnboarding } from "@/lib/onboarding/records";
import { watchOnboarding } from "@/lib/onboarding/watch";
import { watchActor } from "@/lib/permission/grant";
import { walletWatch } from "@/lib/wallets/watch";
import { sweepOnce } from "@/lib/watch/watch";
import { givenEnv, givenService, givenStore } from "@/test/support/console";
import { personRequest } from "@/test/support/service/accounts";
import type { Harness } from "@/test/support/service/harness";
import { answered, deliveries } from "@/test/support/service/webhooks";
import { deliveryOf, givenIntake, pass } from "@/test/support/webhooks";
import { takeDelivery } from "./intake";
import { EXPECTED_WATCH } from "./expected-sweep";
import { expectedWatch, webhookWatch } from "./watch";

const PROVIDER_SECRET = "aurora-webhook-secret";
const OWN = "http://localhost:3000/api/hooks/aurora";
const EVENTS = ["onboarding-create", "onboarding-biometrics", "onboarding-backgroundcheck", "crypto-cash-in"];

let db: Db;
let service: Harness;
let subscriptions: { url: string; events: string[]; status: string }[];
let isListed: boolean;

beforeEach(async () => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  givenEnv();
  db = await givenStore();
  subscriptions = [{ url: OWN, events: EVENTS, status: "active" }];
  isListed = true;
  service = await givenService(
    () => {},
    (serve) => (request) => {
      if (!request.url.endsWith("/v1/webhooks")) return serve(request);
      return isListed ? Response.json({ message: "", data: subscriptions }) : new Response(null, { status: 503 });
    },
  );
  service.clock.set(Date.now());
});

const onboardingWatch = watchOnboarding(async () => {});
const check = () => sweepOnce(expectedWatch, "aurora");
const rows = () => db.select().from(expectedEvent).orderBy(asc(expectedEvent.seq));
const counted = async (state: string) => (await rows()).filter((row) => row.state === state).length;

async function begin() {
  await sweepOnce(onboardingWatch, "aurora");
  await check();
  service.clock.set(Date.now());
}

/** Delivers as the service does; `asleep`: nobody answers, however often it tries. */
async function deliverAll({ isAsleep = false } = {}) {
  const { deps } = givenIntake(db, { secretsOf: () => [PROVIDER_SECRET] });
  service.receiver.react = async ({ body, headers }) =>
    isAsleep
      ? { httpStatus: null, error: "timeout" }
      : answered(await takeDelivery(deps, "aurora", new Request(OWN, { method: "POST", body, headers })));
  await service.deliver();
  for (const gapMs of isAsleep ? [1_000, 2_000, 4_000, 53_000] : []) {
    await service.advance(gapMs);
    await service.deliver();
  }
}

const actor = () => watchActor("onboarding", "aurora", "onboarding:read");

async function requestAccount(n: number) {
  const body = personRequest(completeCpf(String(310_000_100 + n)));
  const answer = await service.send("POST", "/v1/bank-accounts/create", { body });
  const id = AccountRequested.parse(answer.body).data.body.onBoardingId;
  await refreshOnboarding(actor(), id);
  return id;
}

const steer = (id: string, body: object) => service.control("POST", `/sandbox/onboardings/${id}`, body);

async function poll() {
  await db
    .update(onboarding)
    .set({ nextCheckAt: new Date(0) })
    .where(eq(onboarding.status, "PROCESSING"));
  await sweepOnce(onboardingWatch, "aurora");
  await sweepOnce(walletWatch, "aurora");
  await sweepOnce(webhookWatch, "aurora");
  await sweepOnce(depositWatch, "aurora");
  await check();
}

async function openWallet() {
  const { body } = await service.send("POST", "/v1/crypto/wallets", { body: { network: "BTC" } });
  const { walletId, address } = WalletCreated.parse(body).data;
  await sweepOnce(walletWatch, "aurora");
  return { walletId, address };
}

const pay = (address: string, amount: string) =>
  service.control("POST", "/sandbox/crypto/deposits", { network: "BITCOIN", address, amount });

async function openAccount(n: number) {
  const id = await requestAccount(n);
  await deliverAll();
  await steer(id, { status: "CONFIRMED" });
  await deliverAll();
  await poll();
}

describe("a receiver that sleeps a minute", () => {
  it("has all that was lost named and repaired", async () => {
    const { walletId, address } = await openWallet();
    await begin();
    await openAccount(1);
    expect((await rows()).map(({ state, change }) => [change, state])).toEqual([
      ["accepted", "ARRIVED"],
      ["confirmed", "ARRIVED"],
    ]);
    const [opened, refused, asked] = [await requestAccount(2), await requestAccount(3), await requestAccount(4)];
    await steer(opened, { status: "CONFIRMED" });
    await steer(refused, { status: "ERROR" });
    await steer(asked, { biometricUrl: "https://biometrics.example/one" });
    await pay(address, "0.25");
    await deliverAll({ isAsleep: true });
    const lost = (await deliveries(service)).filter(({ status }) => status === "FAILED");
    expect(lost).toHaveLength(7);
    await poll();
    await poll();
    expect(await counted("EXPECTED")).toBe(7);
    await pass(db, 601_000);
    await check();
    const missing = (await rows()).filter(({ state }) => state === "NEVER");
    expect(missing.map(({ event }) => event).toSorted()).toEqual(lost.map(({ event }) => event).toSorted());
    expect(await db.select().from(healthIncident)).toMatchObject([{ kind: "events-lost", endedAt: null }]);
    const stored = await db.select().from(onboarding);
    const named = (id: string) => `onboarding:${stored.find(({ onBoardingId }) => onBoardingId === id)?.id}`;
    const changesOf = (object: string) => missing.filter((row) => row.object === object).map(({ change }) => change);
    expect(changesOf(named(opened))).toEqual(["accepted", "confirmed"]);
    expect(changesOf(named(refused))).toEqual(["accepted", "refused"]);
    expect(changesOf(named(asked))).toEqual(["accepted", "link"]);
    expect(changesOf(`wallet:${walletId}`)).toEqual(["deposit"]);
    expect(stored.map(({ status }) => status).toSorted()).toEqual(["CONFIRMED", "CONFIRMED", "ERROR", "PROCESSING"]);
  }, 180_000);

  it("counts an event that comes after all as late", async () => {
    await begin();
    await requestAccount(1);
    await poll();
    await pass(db, 601_000);
    await check();
    expect(await counted("NEVER")).toBe(1);
    await deliverAll();
    await sweepOnce(webhookWatch, "aurora");
    await check();
    const [row] = await rows();
    expect(row).toMatchObject({ state: "ARRIVED", change: "accepted" });
    expect((row?.arrivedAt?.getTime() ?? 0) - (row?.seenAt.getTime() ?? 0)).toBeGreaterThan(600_000);
  });
});

const orders = <Row>(all: readonly Row[]): Row[][] =>
  all.length === 0 ? [[]] : all.flatMap((one, at) => orders(all.toSpliced(at, 1)).map((rest) => [one, ...rest]));

describe("every order of four events", () => {
  it("ends in the same state, each event paired with its change", async () => {
    await begin();
    await openAccount(1);
    const ends = new Set<string>();
    for (const [nth, order] of orders([0, 1, 2, 3]).entries()) {
      await pass(db, 61_000);
      const id = await requestAccount(10 + nth);
      await steer(id, { biometricUrl: "https://biometrics.example/one" });
      await refreshOnboarding(actor(), id);
      await steer(id, { biometricUrl: "https://biometrics.example/two" });
      await refreshOnboarding(actor(), id);
      await steer(id, { status: "CONFIRMED" });
      const sent: Request[] = [];
      service.receiver.react = ({ body, headers }) => {
        sent.push(new Request(OWN, { method: "POST", body, headers }));
        return answered(200);
      };
      await service.deliver();
      expect(sent).toHaveLength(4);
      const { deps } = givenIntake(db, { secretsOf: () => [PROVIDER_SECRET] });
      for (const request of order.flatMap((place) => sent[place] ?? [])) {
        expect(await takeDelivery(deps, "aurora", request)).toBe(204);
        await sweepOnce(webhookWatch, "aurora");
      }
      await check();
      const [stored] = await db.select().from(onboarding).where(eq(onboarding.onBoardingId, id));
      const own = (await rows()).filter(({ object }) => object === `onboarding:${stored?.id}`);
      const seen = own.map(({ change, state }) => `${change} ${state}`);
      ends.add(JSON.stringify([stored?.status, stored?.stage, stored?.biometricUrl, seen]));
    }
    expect([...ends]).toEqual([
      JSON.stringify([
        "CONFIRMED",
        "done",
        null,
        ["accepted", "link", "link", "confirmed"].map((one) => `${one} ARRIVED`),
      ]),
    ]);
  }, 300_000);
});

describe("what is expected", () => {
  it("is nothing while no active subscription delivers here", async () => {
    subscriptions = [
      { url: "https://elsewhere.example/hooks", events: EVENTS, status: "active" },
      { url: OWN, events: EVENTS, status: "paused" },
    ];
    await begin();
    await requestAccount(1);
    await poll();
    expect(await rows()).toEqual([]);
  });

  it("is nothing that was there before the subscription was known", async () => {
    service.clock.set(Date.now() - 60_000);
    const { address } = await openWallet();
    await pay(address, "0.1");
    await steer(await requestAccount(1), { status: "CONFIRMED" });
    await poll();
    await begin();
    await poll();
    await poll();
    expect(await rows()).toEqual([]);
  });

  it("is only what a subscription of ours covers", async () => {
    subscriptions = [{ url: OWN, events: ["onboarding-backgroundcheck"], status: "active" }];
    await begin();
    const id = await requestAccount(1);
    await steer(id, { status: "ERROR" });
    await poll();
    expect((await rows()).map(({ change }) => change)).toEqual(["refused"]);
  });

  it("is dropped when the subscription has ended meanwhile", async () => {
    await begin();
    await requestAccount(1);
    await poll();
    expect(await counted("EXPECTED")).toBe(1);
    subscriptions = [];
    givenEnv({ webhookGraceMs: 1 });
    await check();
    await check();
    expect(await rows()).toEqual([]);
  });

  it("waits while the subscriptions cannot be read, and says so", async () => {
    isListed = false;
    await begin();
    await requestAccount(1);
    await poll();
    expect(await rows()).toEqual([]);
    expect(await recall(db, { tenant: "aurora", name: EXPECTED_WATCH })).toMatchObject({ readAt: null, covered: {} });
    expect(log.warn).toHaveBeenCalledWith(expect.objectContaining({ watch: EXPECTED_WATCH }), "sweep failed");
  });

  it("is no confirmation until one was told", async () => {
    await begin();
    const id = await requestAccount(1);
    await steer(id, { status: "CONFIRMED" });
    await poll();
    await pass(db, 601_000);
    await check();
    expect((await rows()).map(({ change, state }) => [change, state])).toEqual([["accepted", "NEVER"]]);
  });

  it("is a deposit from outside alone, found by its address and transaction", async () => {
    const { address } = await openWallet();
    await begin();
    await pay(address, "0.5");
    await pay(address, "0.5");
    const sent: Request[] = [];
    service.receiver.react = ({ body, headers }) => {
      sent.push(new Request(OWN, { method: "POST", body, headers }));
      return answered(200);
    };
    await service.deliver();
    const [, second] = sent;
    const { deps } = givenIntake(db, { secretsOf: () => [PROVIDER_SECRET] });
    if (second !== undefined) await takeDelivery(deps, "aurora", second);
    await poll();
    await poll();
    await pass(db, 601_000);
    await check();
    expect((await rows()).map(({ change, state }) => `${change} ${state}`).toSorted()).toEqual([
      "deposit ARRIVED",
      "deposit NEVER",
    ]);
  });
});

it("takes a hundred copies at once for one event, which is read for once", async () => {
  await begin();
  const id = await requestAccount(1);
  const { deps } = givenIntake(db);
  const said = { onBoardingId: id, status: "PROCESSING" };
  const copies = Array.from({ length: 100 }, () => takeDelivery(deps, "aurora", deliveryOf(said, { id: "evt-1" })));
  expect(new Set(await Promise.all(copies))).toEqual(new Set([204]));
  await sweepOnce(webhookWatch, "aurora");
  await check();
  expect(await db.select().from(webhookEvent)).toMatchObject([{ arrivals: 100, state: "DONE" }]);
  expect(await rows()).toMatchObject([{ change: "accepted", state: "ARRIVED" }]);
});
