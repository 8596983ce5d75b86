import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { completeCpf } from "@/lib/contract/document";
import { WalletCreated } from "@/lib/contract/crypto";
import { AccountRequested } from "@/lib/contract/onboarding";
import { WEBHOOK_HEADERS } from "@/lib/contract/webhooks";
import type { Db } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { onboarding } from "@/lib/db/tables/customers";
import { receiverDrill } from "@/lib/db/tables/webhooks";
import { depositWatch } from "@/lib/deposits/watch";
import { beginDrill, endDrill, endEarlierDrills } from "@/lib/lab/drill";
import { log } from "@/lib/log/log";
import { refreshOnboarding } from "@/lib/onboarding/records";
import { watchOnboarding } from "@/lib/onboarding/watch";
import { watchActor } from "@/lib/permission/grant";
import { walletWatch } from "@/lib/wallets/watch";
import { sweepOnce } from "@/lib/watch/watch";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { personRequest } from "@/test/support/service/accounts";
import type { Harness } from "@/test/support/service/harness";
import { answered, deliveries } from "@/test/support/service/webhooks";
import { givenIntake, pass } from "@/test/support/webhooks";
import { drillFile, readDrillSheet } from "./drill-sheet";
import { receiveDelivery } from "./intake";
import { expectedWatch, webhookWatch } from "./watch";

const OWN = "http://localhost:3000/api/hooks/aurora";
const EVENTS = ["onboarding-create", "onboarding-biometrics", "onboarding-backgroundcheck", "crypto-cash-in"];

let db: Db;
let service: Harness;
let staffId = "";
let isGone = false;

beforeEach(async () => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  globalThis.retaguardaSleepers = undefined;
  isGone = false;
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "admin");
  service = await givenService(
    () => {},
    (serve) => (request) =>
      request.url.endsWith("/v1/webhooks")
        ? Response.json({ message: "", data: [{ url: OWN, events: EVENTS, status: "active" }] })
        : serve(request),
  );
  service.clock.set(Date.now());
  globalThis.retaguardaIntake = givenIntake(db, { secretsOf: () => ["aurora-webhook-secret"] }).deps;
  service.receiver.react = async ({ body, headers }) => {
    if (isGone) return { httpStatus: null, error: "connection-refused" };
    const delivery = new Request(OWN, { method: "POST", body, headers });
    return answered((await receiveDelivery("aurora", delivery)).status);
  };
});
afterEach(() => {
  globalThis.retaguardaIntake = undefined;
  globalThis.retaguardaSleepers = undefined;
});

const player = () => actorOf("admin", staffId, "settings:manage");
const reader = () => watchActor("onboarding", "aurora", "onboarding:read");
const onboardingWatch = watchOnboarding(async () => {});
const check = () => sweepOnce(expectedWatch, "aurora");
const sheet = () => readDrillSheet(db, "aurora", { drill: undefined });
const steer = (id: string, body: object) => service.control("POST", `/sandbox/onboardings/${id}`, body);

async function attempts(): Promise<void> {
  await service.deliver();
  for (const gapMs of [1_000, 2_000, 4_000]) {
    await service.advance(gapMs);
    await service.deliver();
  }
}

async function requestAccount(n: number): Promise<string> {
  const body = personRequest(completeCpf(String(310_000_100 + n)));
  const answer = await service.send("POST", "/v1/bank-accounts/create", { body });
  const id = AccountRequested.parse(answer.body).data.body.onBoardingId;
  await refreshOnboarding(reader(), id);
  return id;
}

async function poll(): Promise<void> {
  await db
    .update(onboarding)
    .set({ nextCheckAt: new Date(0) })
    .where(eq(onboarding.status, "PROCESSING"));
  for (const watch of [onboardingWatch, walletWatch, webhookWatch, depositWatch]) await sweepOnce(watch, "aurora");
  await check();
}

async function openWallet(): Promise<{ walletId: string; address: string }> {
  const { body } = await service.send("POST", "/v1/crypto/wallets", { body: { network: "BTC" } });
  const { walletId, address } = WalletCreated.parse(body).data;
  await sweepOnce(walletWatch, "aurora");
  return { walletId, address };
}

const pay = (address: string) =>
  service.control("POST", "/sandbox/crypto/deposits", { network: "BITCOIN", address, amount: "0.25" });

/** What the service lists as given up after 503 alone, named as the console names it. */
async function listLost(walletId: string): Promise<string[]> {
  const lost = (await deliveries(service)).filter(
    ({ status, attempts: made }) => status === "FAILED" && made.every(({ httpStatus }) => httpStatus === 503),
  );
  const stored = await db.select().from(onboarding);
  return lost.map(({ id, event }) => {
    const sent = service.receiver.requests.find(({ headers }) => headers[WEBHOOK_HEADERS.id] === id);
    const { onBoardingId } = Object(JSON.parse(sent?.body ?? "{}"));
    const own = stored.find((row) => row.onBoardingId === onBoardingId);
    return `${event} ${own === undefined ? `wallet:${walletId}` : `onboarding:${own.id}`}`;
  });
}

const namesIn = async () => (await sheet()).rows.map(({ event, object }) => `${event} ${object}`);

describe("the sheet of a sleeping receiver", () => {
  it("names what the service lists as lost, and nothing else", async () => {
    const { walletId, address } = await openWallet();
    const known = await requestAccount(1);
    await sweepOnce(onboardingWatch, "aurora");
    await check();
    service.clock.set(Date.now());
    const confirmed = await requestAccount(2);
    await attempts();
    await steer(confirmed, { status: "CONFIRMED" });
    await attempts();
    await poll();

    service.clock.set(Date.now());
    await beginDrill(player(), 60);
    const [opened, refused, asked] = [await requestAccount(3), await requestAccount(4), await requestAccount(5)];
    await steer(opened, { status: "CONFIRMED" });
    await steer(refused, { status: "ERROR" });
    await steer(asked, { biometricUrl: "https://biometrics.example/one" });
    await pay(address);
    await attempts();
    await poll();
    await endDrill(player());
    await poll();

    await requestAccount(6);
    await attempts();
    isGone = true;
    await steer(known, { status: "ERROR" });
    await attempts();
    await poll();
    await poll();

    const lost = await listLost(walletId);
    expect(lost).toHaveLength(7);
    expect((await namesIn()).toSorted()).toEqual(lost.toSorted());
    const { rows, undone, unread, drill } = await sheet();
    expect(new Set(rows.map(({ standing }) => standing))).toEqual(new Set(["awaited"]));
    expect([undone, unread]).toEqual([[], { onboardings: 0, wallets: 0 }]);
    expect(drill).toMatchObject({ endedBy: "person" });
    const deposit = rows.find(({ change }) => change === "deposit");
    expect(deposit?.happened.after).toBe(deposit?.happened.by);
    for (const { happened, readAt, dueBy } of rows) {
      expect(happened.by <= readAt || happened.after === happened.by).toBe(true);
      expect(Date.parse(dueBy) - Date.parse(readAt)).toBe(60_000);
    }

    await pass(db, 601_000);
    await db.update(receiverDrill).set({ beganAt: new Date(0) });
    await check();
    expect(new Set((await sheet()).rows.map(({ standing }) => standing))).toEqual(new Set(["never"]));
    const parts: string[] = [];
    for await (const part of (await drillFile(await sheet())).parts) parts.push(part);
    expect(parts.join("").trim().split("\r\n")).toHaveLength(8);
  }, 180_000);

  it("names one that may have been lost outside, and between which readings", async () => {
    const known = await requestAccount(1);
    await sweepOnce(onboardingWatch, "aurora");
    await check();
    await beginDrill(player(), 60);
    await endDrill(player());
    isGone = true;
    await steer(known, { status: "ERROR" });
    await attempts();
    await poll();
    const { rows, drill } = await sheet();
    expect(rows.map(({ change }) => change)).toEqual(["refused"]);
    const [{ after, by } = { after: "", by: "" }] = rows.map(({ happened }) => happened);
    expect([String(after) < String(drill?.beganAt), by > String(drill?.endedAt)]).toEqual([true, true]);
  });

  it("ends with the console's process, and takes what comes then", async () => {
    await sweepOnce(onboardingWatch, "aurora");
    await check();
    await beginDrill(player(), 600);
    const id = await requestAccount(1);
    await service.deliver();
    expect((await deliveries(service))[0]?.attempts.map(({ httpStatus }) => httpStatus)).toEqual([503]);
    globalThis.retaguardaSleepers = undefined;
    await endEarlierDrills(db, "aurora");
    await attempts();
    await poll();
    expect((await deliveries(service)).map(({ status }) => status)).toEqual(["DELIVERED"]);
    expect(id).not.toBe("");
    const { rows, drill } = await sheet();
    expect([rows, drill?.endedBy]).toEqual([[], "restart"]);
  });

  it("keeps and counts nothing of what it does not take", async () => {
    await beginDrill(player(), 60);
    await requestAccount(1);
    await service.deliver();
    const codes = (await db.select().from(auditEvent)).map(({ code }) => code);
    expect(codes).not.toContain("webhooks.refuse");
  });

  it("says which checks were not made since the end", async () => {
    await beginDrill(player(), 60);
    await endDrill(player());
    expect((await sheet()).undone).toEqual(["onboarding", "wallets", "missing-events"]);
    await sweepOnce(onboardingWatch, "aurora");
    expect((await sheet()).undone).toEqual(["wallets", "missing-events"]);
  });

  it("counts what was not read since the end, whatever checks went over it", async () => {
    await openWallet();
    await requestAccount(1);
    await beginDrill(player(), 60);
    await endDrill(player());
    for (const watch of [onboardingWatch, expectedWatch]) await sweepOnce(watch, "aurora");
    expect((await sheet()).unread).toEqual({ onboardings: 1, wallets: 1 });
    await poll();
    expect((await sheet()).unread).toEqual({ onboardings: 0, wallets: 0 });
  });

  it("is of a company's own drills alone", async () => {
    await beginDrill(player(), 60);
    const { drill } = await sheet();
    expect(await readDrillSheet(db, "boreal", { drill: drill?.id })).toMatchObject({
      drills: [],
      drill: null,
      rows: [],
    });
  });
});
