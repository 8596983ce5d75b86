import { eq, type SQL, sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { transaction } from "@/service/store/transaction";
import type { Tenant } from "@/service/tenants/load-tenants";
import { AURORA, type Harness, startService } from "@/test/support/service/harness";
import { dueEvents, emit } from "./outbox";
import type { Answer, DeliveryRequest } from "./post";
import { webhookAttempt, webhookEvent } from "@/service/store/schema";
import { startSender } from "./sender";
import { answered } from "@/test/support/service/webhooks";

const tenantAt = (name: string): Tenant => ({
  ...AURORA,
  clientId: name,
  webhook: { url: `https://${name}.example/`, secret: name, events: ["onboarding-create"] },
});
const Plan = z.object({ rows: z.array(z.object({ "QUERY PLAN": z.string() })) });
const TENANTS = Array.from({ length: 30 }, (_, number) => tenantAt(`tenant-${number}`));
const HEALTHY = tenantAt("healthy");

let service: Harness;
beforeEach(async () => {
  service = await startService({ tenants: [...TENANTS, HEALTHY] });
});

const raise = (tenant: Tenant, times: number) =>
  transaction(service.app.service.db, async (tx) => {
    for (let time = 0; time < times; time += 1)
      await emit(service.call(tenant), tx, { event: "onboarding-create", payload: { onBoardingId: String(time) } });
  });

/** Waiting or delivered events, inserted without emitting each. */
const backlog = (clientId: string, events: number, status = "PENDING") =>
  service.app.service.db.execute(sql`
    INSERT INTO webhook_event (id, client_id, event, body, created_at, due_at, status)
    SELECT gen_random_uuid(), ${clientId}::text, 'onboarding-create', '{}', moment.now, moment.now, ${status}::text
    FROM generate_series(1, ${events}::int),
      (SELECT ${new Date(service.clock.now()).toISOString()}::timestamptz AS now) AS moment`);

/** Receivers of which some never answer; counts each one's open requests. */
function receivers(isDead: (request: DeliveryRequest) => boolean) {
  const open = new Map<string, number>();
  let most = 0;
  const count = ({ url }: DeliveryRequest, change: number) => open.set(url, (open.get(url) ?? 0) + change);
  service.receiver.react = (request, signal) => {
    count(request, 1);
    most = Math.max(
      most,
      [...open.values()].reduce((sum, requests) => sum + requests, 0),
    );
    if (!isDead(request)) return Promise.resolve(answered(200)).finally(() => count(request, -1));
    return new Promise<Answer>((resolve) =>
      signal.addEventListener("abort", () => resolve({ httpStatus: null, error: "timeout" })),
    );
  };
  return { openAt: ({ webhook }: Tenant) => open.get(webhook?.url ?? "") ?? 0, most: () => most };
}

const deliveredTo = ({ clientId }: Tenant) =>
  service.app.service.db.$count(webhookEvent, sql`client_id = ${clientId} AND status = 'DELIVERED'`);

describe("a dead receiver", () => {
  test("opens two requests to a dead receiver, which delays nobody else", async () => {
    const { openAt } = receivers(({ url }) => url.includes("tenant"));
    for (const tenant of TENANTS.slice(0, 10)) await raise(tenant, 20);
    await raise(HEALTHY, 20);
    void service.deliver();
    await vi.waitFor(async () => expect(await deliveredTo(HEALTHY)).toBe(20), { timeout: 20_000 });
    expect(TENANTS.slice(0, 10).map(openAt)).toEqual(Array.from({ length: 10 }, () => 2));
  });

  test("takes no place of a live receiver, even as one of thirty", async () => {
    const { openAt, most } = receivers(({ url }) => url.includes("tenant"));
    for (const tenant of TENANTS) await raise(tenant, 3);
    await service.app.sender.begin();
    expect(TENANTS.map(openAt)).toEqual(TENANTS.map(() => 2));
    await raise(HEALTHY, 50);
    void service.deliver();
    await vi.waitFor(async () => expect(await deliveredTo(HEALTHY)).toBe(50), { timeout: 20_000 });
    expect(most()).toBe(62);
  });
});

test("delivers ten thousand events once each to twenty receivers, two at a time", async () => {
  const { most } = receivers(() => false);
  const events = 10_000;
  const busy = TENANTS.slice(0, 20);
  for (const { clientId } of busy) await backlog(clientId, events / busy.length);
  const startedAtMs = performance.now();
  await service.deliver();
  const seconds = (performance.now() - startedAtMs) / 1_000;
  process.stdout.write(`${events} webhooks delivered and saved in ${seconds.toFixed(1)} s\n`);
  const ids = service.receiver.requests.map(({ headers }) => headers["X-Webhook-Event-Id"]);
  expect([ids.length, new Set(ids).size]).toEqual([events, events]);
  expect(await service.app.service.db.$count(webhookAttempt)).toBe(events);
  expect(most()).toBeLessThanOrEqual(40);
});

const planOf = async (query: SQL) => {
  const { rows } = Plan.parse(await service.app.service.db.execute(sql`EXPLAIN ANALYZE ${query}`));
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
};

describe("a hundred thousand events", () => {
  // The embedded engine never gathers statistics by itself, a server does: neither may mislead the planner.
  test.each([
    ["that wait, without statistics", "PENDING", false],
    ["that wait", "PENDING", true],
    ["delivered long ago, without statistics", "DELIVERED", false],
    ["delivered long ago", "DELIVERED", true],
  ])("%s cost no more to search than a few", async (_, status, hasStatistics) => {
    const { db } = service.app.service;
    for (const { clientId } of TENANTS.slice(0, 10)) await backlog(clientId, 10_000, status);
    for (const { clientId } of TENANTS) await backlog(clientId, 2);
    if (hasStatistics) await db.execute(sql`ANALYZE webhook_event`);
    const endpoints = TENANTS.map(({ clientId }) => ({ clientId, busy: 0 }));
    const due = dueEvents(service.app.service, { endpoints, except: [randomUUID()], atEach: 2, limit: 50 });
    expect(await due).toHaveLength(50);
    const plan = await planOf(due.getSQL());
    expect(plan).toContain("Index Scan using webhook_event_waiting");
    expect(plan).not.toMatch(/Seq Scan|Bitmap|Removed|actual time=\S+ rows=\d{3}/);
  });
});

test("starts no attempt twice in two concurrent looks", async () => {
  const { most } = receivers(() => false);
  await raise(HEALTHY, 20);
  const sender = startSender(service.app.service, service.app.sender);
  await Promise.all([service.deliver(), service.deliver(), service.app.sender.begin(), service.deliver()]);
  await sender.stop();
  expect(service.receiver.requests).toHaveLength(20);
  expect(most()).toBeLessThanOrEqual(2);
  const { db } = service.app.service;
  expect(await db.$count(webhookAttempt, eq(webhookAttempt.number, 1))).toBe(20);
});
