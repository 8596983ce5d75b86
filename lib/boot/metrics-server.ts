import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { collectDefaultMetrics } from "prom-client";
import { instruments } from "@/lib/metrics/instruments";
import { env } from "@/lib/settings/env";
import { SettingError } from "@/lib/settings/setting";
import type { Watch } from "@/lib/watch/watch";
import { REFUSALS } from "@/lib/webhooks/view";
import { followReadings } from "./readings";

/** A counter that appears with its first event shows no increase. */
function beginAtZero(tenants: readonly string[]): void {
  const { deliveries, renewals } = instruments();
  for (const tenant of tenants) {
    for (const outcome of ["accepted", "failed", ...REFUSALS]) deliveries.inc({ tenant, outcome }, 0);
    renewals.inc({ tenant, outcome: "ok" }, 0);
  }
}

function collectOfProcess(): void {
  const { registry } = instruments();
  if (registry.getSingleMetric("process_cpu_seconds_total") === undefined)
    collectDefaultMetrics({ register: registry });
}

type Answering = { refresh: () => Promise<void>; request: IncomingMessage; answer: ServerResponse };

async function answerScrape({ refresh, request, answer }: Answering): Promise<void> {
  const { registry } = instruments();
  const isAsked = request.method === "GET" && new URL(request.url ?? "/", "http://metrics").pathname === "/metrics";
  if (!isAsked) return void answer.writeHead(404).end();
  await refresh();
  const text = await registry.metrics();
  answer.writeHead(200, { "content-type": registry.contentType, "cache-control": "no-store" }).end(text);
}

const CLOSED_WITHIN_MS = 15_000;

/**
 * Serves `/metrics` in Prometheus' format on `METRICS_HOST:METRICS_PORT`, without a sign-in; nothing without a port.
 * Returns how to stop. Throws `SettingError` when the port is taken.
 */
export async function serveMetrics(watches: readonly Watch[]): Promise<() => Promise<void>> {
  const { metrics, tenants } = env();
  if (metrics === null) return async () => undefined;
  beginAtZero(tenants.map(({ clientId }) => clientId));
  collectOfProcess();
  const refresh = followReadings(watches);
  const server = createServer(
    { requestTimeout: CLOSED_WITHIN_MS, headersTimeout: CLOSED_WITHIN_MS },
    (request, answer) => {
      answerScrape({ refresh, request, answer }).catch(() => answer.destroy());
    },
  );
  server.listen(metrics.port, metrics.host);
  await once(server, "listening").catch((error: unknown) => {
    throw new SettingError(`METRICS_PORT: cannot listen on ${metrics.host}:${metrics.port} (${String(error)})`);
  });
  return async () => {
    server.close();
    server.closeAllConnections();
  };
}
