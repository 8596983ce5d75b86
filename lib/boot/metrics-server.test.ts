import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { Db } from "@/lib/db/connection";
import { StoreUnavailable } from "@/lib/db/error";
import { instanceId } from "@/lib/db/lease";
import { intentClaim } from "@/lib/db/tables/intent-claim";
import { providerIntent } from "@/lib/db/tables/provider";
import { watchState } from "@/lib/db/tables/watch";
import { remember } from "@/lib/db/watch-state";
import { readHealth } from "@/lib/health/read";
import { receiveDelivery } from "@/lib/webhooks/intake";
import { takeFromBudget } from "@/lib/provider/budget";
import { provider } from "@/lib/provider/client";
import { listKyc } from "@/lib/provider/operations";
import { findInPath } from "@/scripts/program.mjs";
import { certify } from "@/service/webhooks/test-certificates";
import { givenRows } from "@/test/support/audit";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { freePort } from "@/test/support/temporary-product.mjs";
import { deliveryOf } from "@/test/support/webhooks";
import { serveMetrics } from "./metrics-server";

const CPF = "52998224725";
const HOUR_MS = 3_600_000;
const watch = { name: "kyc", sweep: async () => undefined } as const;
const ops = (path: string) => join(import.meta.dirname, "../../ops", path);

let db: Db;
const ends: (() => unknown)[] = [];
beforeEach(async () => {
  globalThis.retaguardaInstruments = undefined;
  globalThis.retaguardaFollowed = undefined;
  globalThis.retaguardaBanks = undefined;
  globalThis.retaguardaBudgets = undefined;
  globalThis.retaguardaIntake = undefined;
  givenEnv();
  db = await givenStore();
});
afterEach(async () => {
  vi.useRealTimers();
  for (const end of ends.splice(0)) await end();
});

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => server.close());
  return z.object({ port: z.number() }).parse(server.address()).port;
}

async function served(changes: Parameters<typeof givenEnv>[0] = {}) {
  const port = await freePort();
  givenEnv({ metrics: { host: "127.0.0.1", port }, auditHeadsDir: mkdtempSync(join(tmpdir(), "heads-")), ...changes });
  ends.push(await serveMetrics([watch]));
  const ask = (path: string, method = "GET") => fetch(`http://127.0.0.1:${port}${path}`, { method });
  return { ask, scrape: async () => (await ask("/metrics")).text() };
}

const sampleOf = (text: string, series: string) =>
  text
    .split("\n")
    .find((line) => line.startsWith(`${series} `))
    ?.split(" ")
    .at(-1);

const NAME = /\b(?:retaguarda|http_client|db_client|process|nodejs)_\w+/g;

describe("the metrics of a running console", () => {
  it("has every metric that the alert rules and the dashboard name", async () => {
    const text = await (await served()).scrape();
    const types = Array.from(text.matchAll(/^# TYPE (\w+) (\w+)$/gm), ([, name = "", type = ""]) => ({ name, type }));
    const known = new Set(
      types.flatMap(({ name, type }) =>
        type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    );
    const named = ["prometheus/rules.yaml", "prometheus/rules-test.yaml", "grafana/retaguarda.json"].flatMap(
      (path) => readFileSync(ops(path), "utf8").match(NAME) ?? [],
    );
    const labels = /^(?:http_request_method|db_client_connection_(?:pool_name|state))$/;
    expect(named.length).toBeGreaterThan(50);
    expect([...new Set(named)].filter((name) => !known.has(name) && !labels.test(name))).toEqual([]);
  });

  it("answers a scrape alone, and only at its path", async () => {
    const { ask } = await served();
    const [scraped, other, written] = [await ask("/metrics"), await ask("/"), await ask("/metrics", "POST")];
    expect([scraped.status, other.status, written.status]).toEqual([200, 404, 404]);
    expect(scraped.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  });

  it("leaves a figure out when the store is silent, and counts that", async () => {
    const { scrape } = await served();
    const writes = 'retaguarda_writes{tenant="aurora",state="unknown"}';
    const errors = 'retaguarda_metrics_read_errors_total{reading="writes"}';
    vi.spyOn(db, "select").mockImplementation(() => {
      throw new StoreUnavailable("silent");
    });
    const silent = await scrape();
    expect([sampleOf(silent, writes), sampleOf(silent, errors)]).toEqual([undefined, "1"]);
    vi.restoreAllMocks();
    const well = await scrape();
    expect([sampleOf(well, writes), sampleOf(well, errors)]).toEqual(["0", "1"]);
  });

  it("counts unknown writes and the signed head's age as the health screen does", async () => {
    const { scrape } = await served();
    await unknownWrite();
    await unknownWrite({ state: "HELD", pendingExpiresAt: new Date(Date.now() - HOUR_MS / 2) });
    await unknownWrite({ state: "HELD", pendingExpiresAt: new Date(Date.now() + HOUR_MS) });
    const at = new Date(Date.now() - HOUR_MS).toISOString();
    await remember(db, { tenant: "aurora", name: "audit-heads" }, { seq: 1, signed: { seq: 1, at } });
    const { reading } = await readHealth(db, "aurora");
    const text = await scrape();
    const writes = (state: string) => sampleOf(text, `retaguarda_writes{tenant="aurora",state="${state}"}`);
    expect([reading.writes.open, writes("unknown"), writes("held")]).toEqual([2, "2", "1"]);
    expect(reading.auditHead.signedAt).toBe(at);
    expect(Number(sampleOf(text, 'retaguarda_audit_head_age_seconds{tenant="aurora"}'))).toBeGreaterThan(3_500);
  });

  it("is nowhere without a port", async () => {
    await (
      await serveMetrics([watch])
    )();
    expect(globalThis.retaguardaInstruments).toBeUndefined();
  });

  it("refuses the start when its port is taken", async () => {
    const port = await listening(createServer());
    givenEnv({ metrics: { host: "127.0.0.1", port } });
    await expect(serveMetrics([watch])).rejects.toThrow(`METRICS_PORT: cannot listen on 127.0.0.1:${port}`);
  });

  it("names no document and no id in a label", async () => {
    const { scrape } = await served();
    const sent = [`/api/hooks/${CPF}`, `/api/hooks/${randomUUID()}`];
    for (const path of sent) await receiveDelivery(path.split("/").at(-1) ?? "", deliveryOf({ documentNumber: CPF }));
    const text = await scrape();
    expect(sampleOf(text, 'retaguarda_webhook_deliveries_total{tenant="",outcome="signature"}')).toBe("2");
    expect(text).not.toMatch(/\d{11}"|[\da-f]{8}-[\da-f]{4}-/);
  });
});

const PROVIDER_SILENT = 503;

/** Gives tokens, and no other answer. */
async function silentProvider(): Promise<string> {
  const token = JSON.stringify({ access_token: "t", expires_in: 3_600 });
  const server = createServer((request, answer) => {
    const isToken = request.url?.endsWith("access-token") === true;
    answer.writeHead(isToken ? 200 : PROVIDER_SILENT, { "content-type": "application/json" }).end(isToken ? token : "");
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

async function endingCertificate(): Promise<URL> {
  const { cert, key } = certify({ hosts: ["localhost"] });
  return new URL(`https://localhost:${await listening(createSecureServer({ cert, key }))}`);
}

async function unknownWrite(changes: Partial<typeof providerIntent.$inferInsert> = {}): Promise<void> {
  const own = { tenant: "aurora", id: randomUUID() };
  const createdAt = new Date(Date.now() - HOUR_MS);
  await db.insert(intentClaim).values({ ...own, kind: "/v1/kyc/decision", actor: "ana", isProposed: false, createdAt });
  await db.insert(providerIntent).values({
    ...own,
    operation: "/v1/kyc/decision",
    object: "kyc:1",
    isExclusive: false,
    actor: "ana",
    bodyHash: "hash",
    key: randomUUID(),
    state: "UNKNOWN",
    attempts: 1,
    mayHaveExecuted: true,
    owner: instanceId(),
    sendingUntil: createdAt,
    createdAt,
    ...changes,
  });
}

/** One file of unit tests whose series are what was scraped: 0 for a minute, where it counts, then that. */
function firingOn(before: string, scraped: string, alerts: readonly string[]) {
  const counters = new Set(Array.from(scraped.matchAll(/^# TYPE (\w+) (?:counter|histogram)$/gm), ([, name]) => name));
  const isCounter = (series: string) => counters.has(series.replace(/(?:_count|_sum|_bucket)?\{.*$/, ""));
  const series = scraped
    .split("\n")
    .filter((line) => /^(?:retaguarda|http_client)_/.test(line))
    .map((line) => line.split(/ (?=\S+$)/))
    .map(([name = "", value = "0"]) => ({
      series: name,
      values: isCounter(name) ? `${sampleOf(before, name) ?? 0} ${value}x30` : `${value}x30`,
    }));
  const samples = alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 }));
  const expr = 'group by (alertname) (ALERTS{alertstate="firing"})';
  return {
    rule_files: [resolve(ops("prometheus/rules.yaml"))],
    evaluation_interval: "1m",
    tests: [
      {
        interval: "1m",
        input_series: series,
        promql_expr_test: [{ expr, eval_time: "9m", exp_samples: samples }],
      },
    ],
  };
}

const promtool = findInPath("promtool");

function tryRules(unit: object): string {
  const file = join(mkdtempSync(join(tmpdir(), "rules-")), "scraped.json");
  writeFileSync(file, JSON.stringify(unit));
  return execFileSync(promtool ?? "", ["test", "rules", file], { encoding: "utf8", stdio: "pipe" });
}

describe.skipIf(promtool === undefined)(
  `the alerts${promtool === undefined ? " (not tried: no promtool)" : ""}`,
  () => {
    it("have unit tests that pass", () => {
      const said = execFileSync(promtool ?? "", ["test", "rules", ops("prometheus/rules-test.yaml")], {
        encoding: "utf8",
      });
      expect(said).toContain("SUCCESS");
    });

    it("are silent on what a well console tells", async () => {
      await db.insert(watchState).values({ tenant: "aurora", name: "kyc", asOf: new Date(), begunAt: new Date() });
      const text = await (await served()).scrape();
      expect(tryRules(firingOn(text, text, []))).toContain("SUCCESS");
    });

    it("fire on what a console in trouble tells", async () => {
      const baseUrl = await silentProvider();
      const publicUrl = await endingCertificate();
      const tenant = { clientId: "aurora", name: "Aurora", environment: "SANDBOX", baseUrl } as const;
      const changes = { tenants: [tenant], publicUrl, callsPerMinute: 18 } as const;
      const before = await (await served(changes)).scrape();
      const asOf = new Date(Date.now() - HOUR_MS);
      await db.insert(watchState).values({ tenant: "aurora", name: "kyc", asOf, begunAt: asOf });
      await givenRows(db, 1);
      await unknownWrite();
      for (let n = 0; n < 6; n += 1) await receiveDelivery("aurora", deliveryOf({ n }, { signature: "forged" }));
      const actor = actorOf("compliance", await givenStaff(db, "compliance"), "kyc:read");
      const asked = [0, 1, 2, 3, 4].map((n) => provider.get(actor, listKyc, { query: { n } }));
      await Promise.allSettled(asked);
      // The embedded store's clock is this one.
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR_MS });
      const { origin } = new URL(baseUrl);
      await takeFromBudget({ store: async () => db, origin, limit: 18 }, { money: 18, people: 18, watchers: 18 });
      const text = await (await served(changes)).scrape();
      vi.useRealTimers();
      const alerts = [
        "AuditHeadOld",
        "BudgetUsedUp",
        "CertificateEnding",
        "ProviderDown",
        "UnknownWrites",
        "WatchStalled",
        "WebhookSignatureFailures",
      ];
      expect(tryRules(firingOn(before, text, alerts))).toContain("SUCCESS");
    });
  },
);
