import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { expectedEvent, webhookEvent } from "@/lib/db/tables/webhooks";
import { remember } from "@/lib/db/watch-state";
import { refusals } from "@/lib/webhooks/refusals";
import { civilDay } from "@/lib/text/time";
import { givenEnv, givenStore } from "@/test/support/console";
import { deliveryOf, givenIntake, signed } from "@/test/support/webhooks";
import { readArrivals } from "./arrivals";
import { EXPECTED_WATCH } from "./expected-sweep";
import { MissingFilter } from "./inputs";
import { takeDelivery } from "./intake";
import { readLosses } from "./loss";
import { countBadSignatures, readMissing } from "./missing";

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

const NOW = Date.now();
const secondsAgo = (seconds: number) => new Date(NOW - seconds * 1_000);
const today = civilDay(new Date(NOW));

type Expected = Partial<typeof expectedEvent.$inferInsert>;

const expecting = (changes: Expected = {}) =>
  db.insert(expectedEvent).values({
    tenant: "aurora",
    key: randomUUID(),
    event: "onboarding-create",
    change: "accepted",
    object: "onboarding:1",
    seenAt: secondsAgo(1),
    ...changes,
  });

async function arrived(changes: Partial<typeof webhookEvent.$inferInsert> = {}): Promise<string> {
  const id = randomUUID();
  const given = { event: "onboarding-create", eventId: id, bodyHash: id, bodySealed: "", sizeBytes: 1 };
  await db
    .insert(webhookEvent)
    .values({ tenant: "aurora", id, ...given, isByPreviousSecret: false, state: "DONE", ...changes });
  return id;
}

const read = (given: object = {}) => readMissing(db, "aurora", MissingFilter.parse(given));

describe("the counts of a day", () => {
  it("tell what came on time, late, twice and never, and what is awaited", async () => {
    const [once, again, other] = [await arrived(), await arrived({ arrivals: 3 }), await arrived({ bodyHash: "same" })];
    await arrived({ bodyHash: "same" });
    const came = { state: "ARRIVED", seenAt: secondsAgo(100) } as const;
    await expecting({ ...came, eventRef: once, arrivedAt: secondsAgo(40) });
    await expecting({ ...came, eventRef: again, arrivedAt: secondsAgo(39) });
    await expecting({ ...came, eventRef: other, arrivedAt: secondsAgo(101) });
    await expecting({ state: "NEVER", change: "deposit", event: "crypto-cash-in" });
    await expecting();
    const { days, counts, rows } = await read();
    expect(days.filter(({ day }) => day === today)[0]?.events).toEqual([
      { event: "crypto-cash-in", onTime: 0, late: 0, twice: 0, never: 1, awaited: 0 },
      { event: "onboarding-create", onTime: 2, late: 1, twice: 2, never: 0, awaited: 1 },
    ]);
    expect(counts).toEqual({ never: 1, late: 1, awaited: 1 });
    expect(rows).toMatchObject([{ event: "crypto-cash-in", change: "deposit", arrivedAt: null }]);
    expect((await read({ view: "late" })).rows).toMatchObject([{ change: "accepted", arrivedAt: expect.any(String) }]);
  });

  it("are another tenant's for nobody else", async () => {
    await expecting({ tenant: "boreal", state: "NEVER" });
    expect(await read()).toMatchObject({ rows: [], days: [], counts: { never: 0 }, losses: { judged: 0 } });
  });

  it("go page by page, newest first", async () => {
    for (let nth = 0; nth < 26; nth += 1) await expecting({ state: "NEVER", key: `key ${nth}` });
    expect((await read()).rows.map(({ key }) => key).slice(0, 2)).toEqual(["key 25", "key 24"]);
    expect(await read({ page: 9 })).toMatchObject({ page: 2, totalPages: 2, rows: [{ key: "key 0" }] });
  });
});

describe("a right body with a wrong signature", () => {
  const body = JSON.stringify({ onBoardingId: "1" });
  const right = signed(body);
  const flipped = (at: number) => right.slice(0, at) + (right[at] === "0" ? "1" : "0") + right.slice(at + 1);
  const wrong = [
    ...[0, 1, 7, 15, 31, 32, 47, 62, 63].map(flipped),
    right.toUpperCase().replaceAll(/\d/g, "A"),
    `sha256=${right}`,
    right.slice(1),
    `${right}0`,
    `${right},${right}`,
    "z".repeat(64),
    "0".repeat(64),
    Buffer.from(right, "hex").toString("base64"),
    signed(body, "another tenant's secret"),
    signed(`${body} `),
    signed(body, ""),
  ];

  it("is answered with 401 in each of twenty forms, and counted as that", async () => {
    expect(new Set(wrong).size).toBe(20);
    const { deps } = givenIntake(db, { refuse: (tenant, why) => refusals().refuse(tenant, why) });
    const answers = await Promise.all(
      wrong.map((signature) => takeDelivery(deps, "aurora", deliveryOf(body, { signature }))),
    );
    expect(answers).toEqual(wrong.map(() => 401));
    expect(await countBadSignatures(db, "aurora", today)).toEqual(new Map([[today, 20]]));
    await refusals().end();
    expect(await countBadSignatures(db, "aurora", today)).toEqual(new Map([[today, 20]]));
    expect((await read()).days).toEqual([{ day: today, events: [], badSignature: 20 }]);
    expect(await db.select().from(webhookEvent)).toEqual([]);
  });
});

it("counts the losses of a day that an incident is judged by", async () => {
  for (let nth = 0; nth < 5; nth += 1) await expecting({ state: "NEVER" });
  await expecting({ state: "NEVER", seenAt: secondsAgo(90_000) });
  await expecting();
  expect(await readLosses(db, "aurora")).toEqual({ never: 5, judged: 5 });
  expect((await read()).losses.isGrave).toBe(true);
});

const standings = async () =>
  Object.fromEntries((await readArrivals(db, "aurora")).rows.map(({ event, standing }) => [event, standing]));

describe("what arrives beside what is subscribed", () => {
  const cover = (covered: Record<string, string>) =>
    remember(
      db,
      { tenant: "aurora", name: EXPECTED_WATCH },
      {
        readAt: secondsAgo(1).toISOString(),
        covered,
        listedSince: null,
        seq: null,
        sweptAt: null,
      },
    );
  const since = secondsAgo(1_000).toISOString();
  it("tells a silent type from one that had nothing to tell", async () => {
    await cover({ "onboarding-create": since, "onboarding-biometrics": since, "crypto-cash-in": since });
    await arrived();
    await arrived({ event: "onboarding-backgroundcheck" });
    await arrived({ event: "moon-phase" });
    await expecting({ state: "NEVER", event: "crypto-cash-in", change: "deposit" });
    expect(await standings()).toEqual({
      "onboarding-create": "arriving",
      "onboarding-biometrics": "quiet",
      "onboarding-backgroundcheck": "unsubscribed",
      "crypto-cash-in": "silent",
      "moon-phase": "unsubscribed",
    });
  });

  it("claims nothing before the subscriptions were read", async () => {
    expect(new Set(Object.values(await standings()))).toEqual(new Set(["unknown"]));
  });

  it("tells success, latency, and which secret verified last", async () => {
    givenEnv({ readSecrets: () => ({ credentials: { clientSecret: "x" }, webhookSecrets: ["one", "two"] }) });
    await cover({ "onboarding-create": since });
    const { deps } = givenIntake(db);
    const took = [3_000, 1_000, 2_000];
    for (const ms of took) {
      const said = { onBoardingId: randomUUID(), when: Date.now() - ms };
      await takeDelivery(deps, "aurora", deliveryOf(said));
    }
    await arrived({ state: "GIVEN_UP", isByPreviousSecret: true, receivedAt: secondsAgo(60) });
    const { rows, verified } = await readArrivals(db, "aurora");
    expect(rows[0]).toMatchObject({ event: "onboarding-create", received: 4, failed: 1, subscribedSince: since });
    expect(Math.round((rows[0]?.latencyMs ?? 0) / 1_000)).toBeGreaterThanOrEqual(2);
    expect(verified).toEqual({
      current: expect.any(String),
      previous: secondsAgo(60).toISOString(),
      hasPrevious: true,
    });
  });
});
