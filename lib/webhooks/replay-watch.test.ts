import { randomUUID } from "node:crypto";
import { asc, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import { auditEvent } from "@/lib/db/tables/audit";
import { watchState } from "@/lib/db/tables/watch";
import { webhookEvent, webhookReplay, webhookReplayItem } from "@/lib/db/tables/webhooks";
import { kycWatch } from "@/lib/kyc/watch";
import { AppError } from "@/lib/errors/app-error";
import { log } from "@/lib/log/log";
import { sweepOnce, takeTurn } from "@/lib/watch/watch";
import { sessionOf } from "@/test/support/auth";
import { actorOf, givenStaff } from "@/test/support/console";
import { type DeliveryFixture, givenDeliveries, pass } from "@/test/support/webhooks";
import { ReceivedFilter, type ReplayScope } from "./inputs";
import { listReceived, listReplays } from "./queries";
import { planReplay, startReplay, stopReplay } from "./replay";
import { replayWatch } from "./replay-watch";

const all: ReplayScope = { filter: ReceivedFilter.parse({}) };

let fixture: DeliveryFixture;
let ana = "";
let rui = "";

beforeEach(async () => {
  fixture = await givenDeliveries();
  ana = await givenStaff(fixture.db, "admin");
  rui = await givenStaff(fixture.db, "admin");
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: ana, roles: ["admin"] }));
});

const admin = (staffId = ana) => actorOf("admin", staffId, "webhooks:replay");
const sweep = () => sweepOnce(replayWatch, "aurora");
const events = () => fixture.db.select().from(webhookEvent).orderBy(asc(webhookEvent.seq));
const items = () => fixture.db.select().from(webhookReplayItem).orderBy(asc(webhookReplayItem.seq));
const codes = async () =>
  (await fixture.db.select().from(auditEvent).orderBy(asc(auditEvent.seq)))
    .filter(({ code }) => code.startsWith("webhooks.replay"))
    .map(({ code, actor, detail }) => ({ code, actor, detail }));

async function start(scope: ReplayScope = all, { by = ana, id = randomUUID() } = {}) {
  const { upTo } = await planReplay(admin(by), scope);
  return startReplay(admin(by), { ...scope, id, upTo });
}

/** Deliveries of so many onboardings that the console gave up, `copies` of each. */
async function givenGivenUp(count: number, copies = 1): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const id = await fixture.requestAccount(n);
    ids.push(id);
    for (let copy = 0; copy < copies; copy += 1) await fixture.deliver({ onBoardingId: id, copy });
  }
  await fixture.db
    .update(webhookEvent)
    .set({ state: "GIVEN_UP", failure: "unavailable", doneAt: sql`clock_timestamp()` });
  fixture.asked.length = 0;
  return ids;
}

function theBank() {
  const bank = globalThis.retaguardaBanks?.get("aurora");
  if (bank === undefined) throw new Error("no provider");
  return bank;
}

const later = () =>
  fixture.db.update(webhookReplayItem).set({ nextTryAt: sql`clock_timestamp() - interval '1 second'` });

describe("a plan", () => {
  it("counts deliveries, records and calls, and asks the provider nothing", async () => {
    await givenGivenUp(3, 2);
    await fixture.deliver({ moon: "full" }, "moon-phase");
    await fixture.deliver({ onBoardingId: "waits" });
    expect(await planReplay(admin(), all)).toMatchObject({
      found: 8,
      deliveries: 6,
      waiting: 1,
      nothing: 1,
      busy: 0,
      objects: 3,
      calls: 3,
      minutes: 1,
    });
    expect(fixture.asked).toEqual([]);
  });

  it("counts a sweep that several deliveries hurry once", async () => {
    await fixture.deliver({ kycUUID: randomUUID() }, "kyc-approved");
    await fixture.deliver({ kycUUID: randomUUID() }, "kyc-approved");
    await fixture.db.update(webhookEvent).set({ state: "DONE" });
    expect(await planReplay(admin(), all)).toMatchObject({ deliveries: 2, objects: 1, calls: 5 });
  });

  it("is of what the filter fits, of given-up ones too, and no later ones", async () => {
    await givenGivenUp(2);
    const given = { filter: ReceivedFilter.parse({ outcome: "GIVEN_UP" }) };
    const { upTo, deliveries } = await planReplay(admin(), given);
    expect(deliveries).toBe(2);
    await fixture.deliver({ onBoardingId: await fixture.requestAccount(9) });
    await fixture.db.update(webhookEvent).set({ state: "GIVEN_UP" });
    await startReplay(admin(), { ...given, upTo, id: randomUUID() });
    expect(await items()).toHaveLength(2);
  });
});

describe("looking again", () => {
  it("ends a delivery that was given up, and is on record with its filter", async () => {
    await givenGivenUp(2, 2);
    const scope = { filter: ReceivedFilter.parse({ outcome: "GIVEN_UP" }) };
    const { id } = await start(scope);
    await sweep();
    expect(new Set(fixture.asked).size).toBe(2);
    expect(fixture.asked).toHaveLength(2);
    expect(await events()).toMatchObject(
      Array.from({ length: 4 }, () => ({
        state: "DONE",
        failure: null,
        object: expect.stringMatching(/^onboarding:/),
      })),
    );
    expect((await listReplays()).rows).toMatchObject([
      { id, state: "DONE", deliveries: 4, filter: "?view=all&outcome=GIVEN_UP", counts: { DONE: 4, WAITING: 0 } },
    ]);
    expect(await codes()).toMatchObject([
      {
        code: "webhooks.replay",
        actor: ana,
        detail: { replayId: id, filter: "?view=all&outcome=GIVEN_UP", deliveries: 4 },
      },
      { code: "webhooks.replay-finish", actor: "watch:replays", detail: { replayId: id, deliveries: 4, failed: 0 } },
    ]);
  });

  it("leaves a delivery given up that the provider knows nothing of", async () => {
    await fixture.deliver({ onBoardingId: "nowhere-at-all" });
    await fixture.sweep();
    await start();
    await sweep();
    expect(await events()).toMatchObject([{ state: "GIVEN_UP", failure: "not-found" }]);
    expect((await listReplays()).rows).toMatchObject([{ state: "DONE", counts: { FAILED: 1 } }]);
    await givenGivenUp(1);
    const last = (await events()).at(-1);
    const { id } = await start({ ...all, delivery: last?.id ?? "" });
    await sweep();
    expect((await codes()).at(-1)).toMatchObject({ detail: { replayId: id, deliveries: 1, failed: 0 } });
  });

  it("looks at one delivery alone", async () => {
    await givenGivenUp(2);
    const [first] = await events();
    await start({ ...all, delivery: first?.id ?? "" });
    await sweep();
    expect((await events()).map(({ state }) => state)).toEqual(["DONE", "GIVEN_UP"]);
  });

  it("refuses a delivery that waits, that names nothing, and an empty filter", async () => {
    await fixture.deliver({ onBoardingId: "waits" });
    await fixture.deliver({ moon: "full" }, "moon-phase");
    await expect(start()).rejects.toMatchObject({ details: { code: "replay-nothing" } });
    expect(await codes()).toEqual([]);
  });

  it("hurries the sweep of what names no single record, and ends with it", async () => {
    await fixture.deliver({ kycUUID: randomUUID() }, "kyc-approved");
    await fixture.db.update(webhookEvent).set({ state: "GIVEN_UP" });
    await start();
    await sweep();
    expect((await items())[0]).toMatchObject({ state: "WAITING" });
    await sweepOnce(kycWatch, "aurora");
    await later();
    await sweep();
    expect(await events()).toMatchObject([{ state: "DONE" }]);
  });

  it("waits while the provider is in trouble, says so, and goes on", async () => {
    await givenGivenUp(3);
    const trouble = new AppError("unavailable", { code: "circuit-open" });
    vi.spyOn(theBank(), "get").mockRejectedValueOnce(trouble);
    await start();
    await sweep();
    expect((await listReplays()).rows).toMatchObject([
      { state: "RUNNING", counts: { WAITING: 3 }, failure: "unavailable" },
    ]);
    await later();
    await sweep();
    expect((await listReplays()).rows).toMatchObject([{ state: "DONE", counts: { DONE: 3 } }]);
  });
});

describe("stopping", () => {
  it("leaves what was not read as it was, and is on record", async () => {
    await givenGivenUp(3);
    const { id } = await start();
    const bank = theBank();
    const { get } = bank;
    vi.spyOn(bank, "get").mockImplementationOnce(async (...call) => {
      await stopReplay(admin(rui), { id });
      return get(...call);
    });
    await sweep();
    expect(fixture.asked).toHaveLength(1);
    expect((await events()).map(({ state }) => state)).toEqual(["GIVEN_UP", "GIVEN_UP", "GIVEN_UP"]);
    expect((await listReplays()).rows).toMatchObject([{ state: "STOPPED", counts: { STOPPED: 3 } }]);
    expect((await codes()).at(-1)).toEqual({
      code: "webhooks.replay-stop",
      actor: rui,
      detail: { replayId: id, left: 3 },
    });
    await expect(stopReplay(admin(), { id })).rejects.toMatchObject({ kind: "not-found" });
    await start();
    await sweep();
    expect((await events()).map(({ state }) => state)).toEqual(["DONE", "DONE", "DONE"]);
  });
});

it("is stopped by one of ten people while its deliveries end", async () => {
  await givenGivenUp(8);
  const { id } = await start();
  const bank = theBank();
  const { get } = bank;
  const stops: Promise<PromiseSettledResult<null>[]>[] = [];
  vi.spyOn(bank, "get").mockImplementation(async (...call) => {
    if (fixture.asked.length === 2)
      stops.push(Promise.allSettled(Array.from({ length: 10 }, () => stopReplay(admin(rui), { id }))));
    return get(...call);
  });
  await sweep();
  const settled = (await Promise.all(stops)).flat();
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const refused = settled.flatMap((one): unknown[] => (one.status === "rejected" ? [one.reason] : []));
  expect(refused).toMatchObject(Array.from({ length: 9 }, () => ({ kind: "not-found" })));
  expect((await listReplays()).rows).toMatchObject([{ state: "STOPPED", counts: { WAITING: 0 } }]);
}, 180_000);

describe("several at once", () => {
  it("reads each delivery once for two people who start ten each at once", async () => {
    const ids = await givenGivenUp(8, 3);
    const { upTo } = await planReplay(admin(), all);
    const starts = Array.from({ length: 20 }, (_, n) =>
      startReplay(admin(n % 2 === 0 ? ana : rui), { ...all, id: randomUUID(), upTo }),
    );
    const settled = await Promise.allSettled(starts);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const refused = settled.flatMap((one): unknown[] => (one.status === "rejected" ? [one.reason] : []));
    expect(refused).toMatchObject(Array.from({ length: 19 }, () => ({ details: { code: "replay-running" } })));
    expect(await items()).toHaveLength(24);
    const turns = Array.from({ length: 10 }, () => takeTurn(replayWatch, "aurora", { holder: randomUUID() }));
    await Promise.all(turns);
    await sweep();
    expect(fixture.asked.toSorted()).toEqual(ids.toSorted());
    expect(new Set((await events()).map(({ state }) => state))).toEqual(new Set(["DONE"]));
    expect((await codes()).map(({ code }) => code)).toEqual(["webhooks.replay", "webhooks.replay-finish"]);
  });

  it("takes of an overlapping filter only what nobody else takes", async () => {
    await givenGivenUp(2);
    const [first] = await events();
    await start({ ...all, delivery: first?.id ?? "" });
    expect(await planReplay(admin(rui), all)).toMatchObject({ found: 2, deliveries: 1, busy: 1 });
    await start(all, { by: rui });
    expect((await items()).map(({ deliveryId }) => deliveryId)).toEqual((await events()).map(({ id }) => id));
    await sweep();
    expect(fixture.asked).toHaveLength(2);
    expect((await listReplays()).rows.map(({ state, deliveries }) => [state, deliveries])).toEqual([
      ["DONE", 1],
      ["DONE", 1],
    ]);
  });

  it("starts once by its id, however often it is pressed", async () => {
    await givenGivenUp(2);
    const id = randomUUID();
    const { upTo } = await planReplay(admin(), all);
    await Promise.all(Array.from({ length: 10 }, () => startReplay(admin(), { ...all, id, upTo })));
    expect(await fixture.db.$count(webhookReplay)).toBe(1);
    await expect(startReplay(admin(rui), { ...all, id, upTo })).rejects.toMatchObject({
      details: { code: "intent-reused" },
    });
  });
});

/** Makes the store fail at the nth transaction from now on, as a killed process would have left it. */
function killAt(nth: number) {
  const { db } = fixture;
  const transaction = db.transaction.bind(db);
  let begun = 0;
  return vi.spyOn(db, "transaction").mockImplementation((...given) => {
    begun += 1;
    if (begun >= nth) return Promise.reject(new Error("killed"));
    return transaction(...given);
  });
}

describe("a process that is killed", () => {
  it.each([1, 2, 3, 4, 5, 6])("before its transaction %i goes on after a restart", async (nth) => {
    vi.spyOn(log, "error").mockImplementation(() => undefined);
    await givenGivenUp(3);
    await start();
    const killed = killAt(nth);
    await sweep().catch(() => undefined);
    killed.mockRestore();
    const { length: before } = fixture.asked;
    expect(before).toBeLessThanOrEqual(3);
    await fixture.db.update(watchState).set({ begunAt: null });
    await later();
    await sweep();
    // What it was killed before it could keep is asked again.
    expect(fixture.asked.length - new Set(fixture.asked).size).toBe(nth % 2);
    expect(new Set(fixture.asked).size).toBe(3);
    expect((await events()).map(({ state }) => state)).toEqual(["DONE", "DONE", "DONE"]);
    expect((await listReplays()).rows).toMatchObject([{ state: "DONE", counts: { DONE: 3, FAILED: 0 } }]);
    expect((await codes()).map(({ code }) => code)).toEqual(["webhooks.replay", "webhooks.replay-finish"]);
  });
});

it("says in the list how many deliveries are looked at again", async () => {
  await givenGivenUp(2);
  await start();
  expect((await listReceived()).replaying).toBe(2);
  await sweep();
  await pass(fixture.db, 0);
  expect((await listReceived()).replaying).toBe(0);
});
