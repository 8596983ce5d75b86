import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** From a fast read to a write's longest patience. */
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const SWEEP_SECONDS = [0.1, 0.5, 1, 5, 15, 30, 60, 300];

type Maker = ReturnType<typeof makerOf>;

function makerOf(registry: Registry) {
  const registers = [registry];
  return {
    gauge: <Label extends string>(name: string, labelNames: readonly Label[], help: string) =>
      new Gauge({ name, help, labelNames, registers }),
    counter: <Label extends string>(name: string, labelNames: readonly Label[], help: string) =>
      new Counter({ name, help, labelNames, registers }),
    histogram: <Label extends string>(name: string, labelNames: readonly Label[], help: string, buckets: number[]) =>
      new Histogram({ name, help, labelNames, buckets, registers }),
  };
}

const budgetInstruments = ({ gauge }: Maker) => ({
  used: gauge(
    "retaguarda_provider_budget_used",
    ["server_address", "lane"],
    "Calls of all instances in the last 60 seconds, by lane",
  ),
  limit: gauge(
    "retaguarda_provider_budget_limit",
    ["server_address"],
    "Calls allowed in 60 seconds now: fewer after a 429",
  ),
  paused: gauge(
    "retaguarda_provider_budget_paused",
    ["server_address"],
    "1 while the provider asked everybody to wait",
  ),
  waiting: gauge(
    "retaguarda_provider_budget_waiting",
    ["server_address", "lane"],
    "Calls of this instance that wait for their turn, by lane",
  ),
});

const providerInstruments = (make: Maker) => ({
  calls: make.histogram(
    "http_client_request_duration_seconds",
    ["tenant", "http_request_method", "url_template", "outcome"],
    "Calls to the provider, from connecting to the last byte; outcome is ok or the kind of error",
    CALL_SECONDS,
  ),
  waits: make.histogram(
    "retaguarda_provider_wait_duration_seconds",
    ["tenant", "lane"],
    "How long calls waited for their turn",
    CALL_SECONDS,
  ),
  turnedAway: make.counter(
    "retaguarda_provider_turned_away_total",
    ["tenant", "lane", "reason"],
    "Calls that did not leave",
  ),
  renewals: make.counter(
    "retaguarda_provider_token_renewals_total",
    ["tenant", "outcome"],
    "Requests of an access token",
  ),
  circuit: make.gauge(
    "retaguarda_provider_circuit_open",
    ["tenant", "lane"],
    "1 while the provider counts as silent for a lane",
  ),
  budget: budgetInstruments(make),
});

const watchInstruments = (make: Maker) => ({
  sweeps: make.histogram(
    "retaguarda_watch_sweep_duration_seconds",
    ["tenant", "watch", "outcome"],
    "Sweeps of this instance's watches; outcome is ok or the kind of error",
    SWEEP_SECONDS,
  ),
  lag: make.gauge(
    "retaguarda_watch_lag_seconds",
    ["tenant", "watch"],
    "How much later than its interval a watch's last complete sweep is",
  ),
  failing: make.gauge("retaguarda_watch_failing", ["tenant", "watch"], "1 while a watch's last sweep failed"),
});

const recordInstruments = ({ gauge }: Maker) => ({
  writes: gauge(
    "retaguarda_writes",
    ["tenant", "state"],
    "Writes that are being sent, held by the provider, or of unknown outcome",
  ),
  oldestWrite: gauge(
    "retaguarda_writes_oldest_age_seconds",
    ["tenant", "state"],
    "Age of the oldest of those, 0 without one",
  ),
  auditHead: gauge(
    "retaguarda_audit_head_age_seconds",
    ["tenant"],
    "Age of the last signed head, as the process that signs noted it",
  ),
  auditUnsigned: gauge(
    "retaguarda_audit_unsigned_age_seconds",
    ["tenant"],
    "Age of the oldest row without a signed head, 0 if none",
  ),
});

const deskInstruments = ({ gauge, counter }: Maker) => ({
  deliveries: counter(
    "retaguarda_webhook_deliveries_total",
    ["tenant", "outcome"],
    "Webhook deliveries: accepted, failed, or why refused",
  ),
  sessions: gauge("retaguarda_sessions", ["tenant"], "Sessions that are signed in, by the company they are at"),
  streams: gauge("retaguarda_live_streams", ["tenant"], "Open streams of live events at this instance"),
  certificate: gauge(
    "retaguarda_certificate_remaining_seconds",
    ["server_address"],
    "Until the certificate of PUBLIC_URL ends, negative afterwards",
  ),
  readErrors: counter(
    "retaguarda_metrics_read_errors_total",
    ["reading"],
    "Figures that could not be read, and are left out",
  ),
});

const POOL = "db_client_connection_pool_name";

const poolInstruments = ({ gauge }: Maker) => ({
  count: gauge(
    "db_client_connection_count",
    [POOL, "db_client_connection_state"],
    "Connections to PostgreSQL, by pool and state",
  ),
  most: gauge("db_client_connection_max", [POOL], "Connections that a pool may open"),
  pending: gauge("db_client_connection_pending_requests", [POOL], "Queries that wait for a connection"),
});

/** What `/metrics` has. Labels are names of a closed list: never a document, an id, or what somebody wrote. */
function createInstruments() {
  const registry = new Registry();
  const make = makerOf(registry);
  return {
    registry,
    ...providerInstruments(make),
    ...recordInstruments(make),
    ...deskInstruments(make),
    watches: watchInstruments(make),
    pool: poolInstruments(make),
  };
}

declare global {
  var retaguardaInstruments: ReturnType<typeof createInstruments> | undefined;
}

/** One per process, though Next loads modules several times. */
export const instruments = () => (globalThis.retaguardaInstruments ??= createInstruments());
