import { spanStart } from "@/lib/db/clock";
import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { record } from "@/lib/audit/record";
import type { Role } from "@/lib/permission/permission";
import { otherProvider, strangest } from "@/test/other-provider";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import { civilMinute } from "@/lib/text/time";
import { PAGE_SIZE } from "@/lib/text/page";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { AURORA } from "@/test/support/service/harness";
import { takeDelivery } from "./intake";
import { exportReceived, getReceived, listDeliveryHours, listReceived, listSubscriptions } from "./queries";
import { refusals } from "./refusals";
import { auditEvent } from "@/lib/db/tables/audit";
import { webhookEvent } from "@/lib/db/tables/webhooks";
import { deliveryOf, givenIntake } from "@/test/support/webhooks";

const CPF = "52998224725";
const REFUSE = { tenant: "aurora", actor: "watch:webhooks", code: "webhooks.refuse", outcome: "REFUSED" } as const;

const NONE = { unsigned: 0, signature: 0, unreadable: 0, "too-large": 0, "too-slow": 0, cut: 0, "no-room": 0 };

let db: Db;
let ana = "";
const signIn = (...roles: Role[]) => vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: ana, roles }));

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "support");
  signIn("support");
});

const deliver = (id: string, event = "onboarding-create", payload: object = {}) =>
  takeDelivery(givenIntake(db).deps, "aurora", deliveryOf({ n: id, ...payload }, { id, event }));
const listed = async (filter: Parameters<typeof listReceived>[0] = {}) =>
  (await listReceived(filter)).rows.map(({ eventId }) => eventId);

const thisHour = () => spanStart("hour", new Date());

describe("the subscriptions", () => {
  it.each([
    ["as the service answers", null],
    ["as a bare list", { undocumented: { names: "snake_case", wrapping: "bare" } }],
    ["in Portuguese, further down", strangest],
  ] as const)("reads the subscriptions %s", async (_, manner) => {
    await givenService(undefined, (serve) => (manner === null ? serve : otherProvider(serve, manner)));
    const { rows, unread } = await listSubscriptions();
    expect(rows).toEqual([
      {
        url: AURORA.webhook?.url,
        isOurs: false,
        events: AURORA.webhook?.events,
        status: expect.stringMatching(/^(active|ativa)$/),
      },
    ]);
    expect(unread).toEqual([]);
  });

  it("reads subscriptions with events as objects and the state as a boolean", async () => {
    await givenService(undefined, (serve) => otherProvider(serve, { subscriptions: "events" }));
    const { rows, unread } = await listSubscriptions();
    const { url, events } = AURORA.webhook ?? {};
    expect([rows, unread]).toEqual([[{ url, isOurs: false, events, status: "habilitado: false" }], []]);
  });

  it("say whether they deliver to this console, whose address stands beside them", async () => {
    const service = await givenService();
    const listing = { method: "GET", path: "/v1/webhooks", status: 200, times: 1 };
    const ours = "http://localhost:3000/api/hooks/aurora";
    const body = { data: [ours, `${ours}x`].map((url) => ({ url, events: [], status: "active" })) };
    await service.control("POST", "/sandbox/faults", { ...listing, body });
    const { rows, ownAddress } = await listSubscriptions();
    expect(rows.map(({ url, isOurs }) => [url, isOurs])).toEqual([
      [ours, true],
      [`${ours}x`, false],
    ]);
    expect(ownAddress).toBe(ours);
  });

  it("shows subscriptions by their fields when they are no list", async () => {
    await givenService(undefined, (serve) => otherProvider(serve, { subscriptions: "map" }));
    const { rows, unread } = await listSubscriptions();
    expect([rows, unread.length]).toEqual([[], 1]);
    expect(unread[0]?.fields).toHaveLength(AURORA.webhook?.events.length ?? 0);
  });

  it("counts and shows unreadable subscriptions", async () => {
    const service = await givenService();
    const listing = { method: "GET", path: "/v1/webhooks", status: 200, times: 1 };
    await service.control("POST", "/sandbox/faults", { ...listing, body: [{ destino: "fila-7", eventos: ["pix"] }] });
    expect(await listSubscriptions()).toMatchObject({
      rows: [],
      unread: [
        {
          fields: [
            { path: "destino", value: "fila-7" },
            { path: "eventos[0]", value: "pix" },
          ],
        },
      ],
    });
  });
});

describe("the events that came in", () => {
  it("hides events from compliance and approvers", async () => {
    signIn("compliance", "approver");
    await expect(listReceived()).rejects.toMatchObject({ kind: "forbidden" });
    await expect(getReceived(randomUUID())).rejects.toMatchObject({ kind: "forbidden" });
  });

  it("lists events newest first, without their content", async () => {
    for (const id of ["evt-1", "evt-2"]) await deliver(id, "moon-phase", { documentNumber: CPF });
    const list = await listReceived();
    expect(list.rows.map(({ eventId, state }) => [eventId, state])).toEqual([
      ["evt-2", "KEPT"],
      ["evt-1", "KEPT"],
    ]);
    expect(list).toMatchObject({ older: null, newer: null, counts: { all: 2, waiting: 0, "needs-attention": 0 } });
    expect(JSON.stringify(list)).not.toMatch(/sealed|hash|52998224725/i);
  });

  it("pages events without loss, however many arrive meanwhile", async () => {
    for (let n = 1; n <= 2 * PAGE_SIZE + 5; n += 1) await deliver(`evt-${n}`);
    const first = await listReceived();
    await deliver("evt-new");
    const second = await listReceived({ before: first.older ?? "" });
    expect(second.rows[0]?.eventId).toBe(`evt-${PAGE_SIZE + 5}`);
    const last = await listReceived({ before: second.older ?? "" });
    expect([last.rows.length, last.older]).toEqual([5, null]);
    const back = await listReceived({ after: last.newer ?? "" });
    expect(back.rows.map(({ eventId }) => eventId)).toEqual(second.rows.map(({ eventId }) => eventId));
    const top = await listReceived({ after: back.newer ?? "" });
    expect(top.rows.at(0)?.eventId).toBe(first.rows.at(0)?.eventId);
    const newest = await listReceived({ after: top.newer ?? "" });
    expect(newest.rows.at(0)?.eventId).toBe("evt-new");
  });

  it("finds events by id, type, object and state", async () => {
    await deliver("evt-1", "moon-phase");
    await deliver("evt-2", "onboarding-create");
    await deliver("evt-3", "onboarding-create", { clientId: "boreal" });
    await db
      .update(webhookEvent)
      .set({ object: "onboarding:7" })
      .where(sql`event_id = 'evt-2'`);
    expect(await listed({ search: "evt-1" })).toEqual(["evt-1"]);
    expect(await listed({ search: "onboarding-create" })).toEqual(["evt-3", "evt-2"]);
    expect(await listed({ search: "onboarding:7" })).toEqual(["evt-2"]);
    expect(await listed({ view: "waiting" })).toEqual(["evt-2"]);
    expect(await listed({ view: "needs-attention" })).toEqual(["evt-3"]);
    expect(await listReceived()).toMatchObject({ counts: { all: 3, waiting: 1, "needs-attention": 1 } });
  });

  it("lists and counts the events of one type and period", async () => {
    await deliver("evt-1", "moon-phase");
    await deliver("evt-2", "onboarding-create");
    await deliver("evt-3", "onboarding-create");
    await db
      .update(webhookEvent)
      .set({ receivedAt: sql`clock_timestamp() - interval '40 days'` })
      .where(sql`event_id = 'evt-2'`);
    expect(await listed({ event: "onboarding-create" })).toEqual(["evt-3", "evt-2"]);
    expect(await listed({ event: "onboarding-create", period: "7" })).toEqual(["evt-3"]);
    const [day] = (await listReceived({ search: "evt-2" })).rows.map(({ receivedAt }) =>
      civilMinute(new Date(receivedAt)),
    );
    expect(await listed({ from: day, to: day })).toEqual(["evt-2"]);
    expect(await listReceived({ event: "onboarding-create", period: "7" })).toMatchObject({
      counts: { all: 1, waiting: 1, "needs-attention": 0 },
    });
  });

  it("lists an event under which two contents arrived", async () => {
    await deliver("evt-1");
    await takeDelivery(givenIntake(db).deps, "aurora", deliveryOf({ other: 1 }, { id: "evt-1" }));
    expect(await listed({ view: "needs-attention" })).toEqual(["evt-1"]);
  });

  it("shows events beside the day's number of refused ones", async () => {
    await record(db, { ...REFUSE, detail: { signature: 12, unreadable: 1 } });
    await record(db, { ...REFUSE, detail: { signature: 3 } });
    await record(db, { ...REFUSE, tenant: "boreal", detail: { signature: 100 } });
    expect((await listReceived()).refused).toEqual({
      ...NONE,
      signature: 15,
      unreadable: 1,
      count: 16,
      lastAt: expect.stringMatching(/Z$/),
    });
  });

  it("dates events by arrival, though audited a minute later", async () => {
    const lastAt = new Date(Date.now() - 90 * 60_000).toISOString();
    await record(db, { ...REFUSE, detail: { signature: 2, lastAt } });
    expect((await listReceived()).refused).toEqual({ ...NONE, signature: 2, count: 2, lastAt });
    expect(await listDeliveryHours()).toEqual([{ from: spanStart("hour", lastAt), taken: 0, failed: 2 }]);
  });

  it("shows events beside refused ones that are not audited yet", async () => {
    await record(db, { ...REFUSE, detail: { signature: 1 } });
    refusals().refuse("aurora", "signature");
    refusals().refuse("aurora", "unreadable");
    refusals().refuse("boreal", "signature");
    expect((await listReceived()).refused).toMatchObject({ signature: 2, unreadable: 1, count: 3 });
    expect(await listDeliveryHours()).toEqual([{ from: thisHour(), taken: 0, failed: 3 }]);
    for (const why of ["unsigned", "too-large", "too-slow", "cut"] as const) refusals().refuse("aurora", why);
    expect((await listReceived()).refused).toMatchObject({ "too-large": 1, cut: 1, count: 7 });
    expect(await listDeliveryHours()).toEqual([{ from: thisHour(), taken: 0, failed: 7 }]);
  });

  it("ignores refusals of an earlier store", async () => {
    refusals().refuse("aurora", "signature");
    await givenStore();
    expect(refusals().gatheredOf("aurora")).toBeNull();
  });
});

describe("what one of them said", () => {
  it("shows an event's content with documents masked, to permitted people", async () => {
    await deliver("evt-1", "onboarding-create", { account: { documentNumber: CPF }, status: "PROCESSING" });
    const [row] = (await listReceived()).rows;
    const body = await getReceived(row?.id ?? "");
    expect(body?.fields).toContainEqual({ path: "status", value: "PROCESSING", isMasked: false });
    expect(JSON.stringify(body)).not.toContain(CPF);
  });

  it.each([randomUUID(), "nothing", ""])("shows nothing for the unknown %s", async (id) => {
    expect(await getReceived(id)).toBeNull();
  });
});

const age = (eventId: string, hours: number) =>
  db.execute(
    sql`update webhook_event set received_at = received_at - ${hours} * interval '1 hour' where event_id = ${eventId}`,
  );

describe("the deliveries of the last day by hour", () => {
  it("counts accepted, refused and attention-needing deliveries apart, each once", async () => {
    for (const id of ["evt-1", "evt-2", "evt-3"]) await deliver(id, "moon-phase");
    await db
      .update(webhookEvent)
      .set({ state: "GIVEN_UP" })
      .where(sql`event_id = 'evt-2'`);
    await age("evt-1", 5.5);
    await age("evt-3", 30);
    const detail = { signature: 2, unreadable: 1 };
    for (const tenant of ["aurora", "boreal"]) {
      await record(db, { tenant, actor: "watch:webhooks", code: "webhooks.refuse", outcome: "REFUSED", detail });
    }
    expect(await listDeliveryHours()).toEqual([
      { from: expect.any(String), taken: 1, failed: 0 },
      { from: thisHour(), taken: 0, failed: 4 },
    ]);
  });

  it("hides deliveries by hour from compliance and approvers", async () => {
    signIn("compliance", "approver");
    await expect(listDeliveryHours()).rejects.toMatchObject({ kind: "forbidden" });
  });
});

describe("the file of received events", () => {
  it("holds the events that the filter fits without their content, and is on record", async () => {
    for (const id of ["evt-1", "evt-2"]) await deliver(id, "moon-phase", { documentNumber: CPF });
    await deliver("evt-3", "onboarding-create");
    const { parts } = await exportReceived({ search: "moon-phase" });
    const written: string[] = [];
    for await (const part of parts) written.push(part);
    const [, ...lines] = written.join("").trim().split("\r\n");
    expect(lines.map((line) => /evt-\d/.exec(line)?.[0])).toEqual(["evt-2", "evt-1"]);
    expect(written.join("")).not.toMatch(/52998224725|529\.982/);
    const exported = await db.select().from(auditEvent).where(eq(auditEvent.code, "webhooks.export"));
    expect(exported).toHaveLength(1);
  });

  it("is refused to compliance and approvers", async () => {
    signIn("compliance", "approver");
    await expect(exportReceived()).rejects.toMatchObject({ kind: "forbidden" });
  });
});
