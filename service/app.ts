import { eq } from "drizzle-orm";
import { Hono } from "hono";
import type { Logger } from "pino";
import { openAccountDirectory } from "@/service/accounts/directory";
import { onboardingCheck } from "@/service/accounts/provider";
import { createHolds } from "@/service/antifraud/holds";
import { caseExpiry } from "@/service/control/decide-case";
import { applyFaults, controlRoutes, createFaults, createOutage, mountControl } from "@/service/control/routes";
import { applyTroubles, createTroubles } from "@/service/control/trouble";
import { createRateLimit } from "@/service/gateway/admit";
import { type Connection, type Entry, enter, ok, onError, pathOf, respond } from "@/service/http/answer";
import { AUTHENTICATION_PATHS, mountAuthentication } from "@/service/http/authentication";
import { mountRoutes, refuseOthers } from "@/service/http/mount";
import { DESCRIPTION_PATH, allPages, mountDescription, mountPages } from "@/service/http/page";
import { routes } from "@/service/http/routes";
import { createAlarm } from "@/service/jobs/alarm";
import { type JobKind, runDueJobs } from "@/service/jobs/run-due";
import { kycCheck } from "@/service/kyc/start-kyc";
import { openLedger } from "@/service/ledger/account";
import { clockOffset } from "@/service/store/schema";
import type { Db } from "@/service/store/transaction";
import { type Tenant, createDirectory, openBilling } from "@/service/tenants/load-tenants";
import { openTokens } from "@/service/tokens/tokens";
import { createTransfers } from "@/service/transfers/carry-out";
import { giveUpOrphans } from "@/service/webhooks/outbox";
import type { Post } from "@/service/webhooks/post";
import { type Sender, createSender } from "@/service/webhooks/sender";
import { type Clock, shiftedClock } from "./clock";
import type { Service } from "./context";
import type { Random } from "./random";
import type { Settings } from "./settings";

const jobKinds: readonly JobKind[] = [onboardingCheck, kycCheck, caseExpiry];

/** Everything that is not deterministic, and the database. */
export type Deps = {
  db: Db;
  clock: Clock;
  random: Random;
  post: Post;
  settings: Settings;
  tenants: readonly Tenant[];
  log: Logger;
};

export type App = {
  service: Service;
  fetch: (request: Request, connection?: Connection) => Promise<Response>;
  request: (input: Request | string, init?: RequestInit) => Promise<Response>;
  runDue: () => Promise<void>;
  sender: Sender;
};

async function openService({ db, clock, tenants, ...deps }: Deps): Promise<Service> {
  const [row] = await db.select().from(clockOffset).where(eq(clockOffset.id, "clock"));
  const serviceClock = shiftedClock(clock, row?.offsetMs ?? 0);
  await openLedger(db);
  const ground = { ...deps, db, clock: serviceClock, accounts: await openAccountDirectory(db) };
  const carryOut = createTransfers(ground);
  return {
    ...ground,
    carryOut,
    holds: createHolds(),
    tenants: createDirectory(tenants),
    alarm: createAlarm(),
    outbox: createAlarm(),
  };
}

const HEALTH_PATH = "/healthz";

function methodsByPath({ controlToken }: Settings): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  const note = ({ path, method }: { path: string; method: string }) =>
    methods.set(path, [...(methods.get(path) ?? []), method]);
  for (const path of [HEALTH_PATH, DESCRIPTION_PATH]) note({ path, method: "GET" });
  for (const path of AUTHENTICATION_PATHS) note({ path, method: "POST" });
  for (const { operation } of routes) note(operation);
  for (const page of allPages) note(page);
  if (controlToken !== undefined) for (const route of controlRoutes) note(route);
  return methods;
}

/** Each caller waits for the previous one, so work due at its call is done when it returns. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.catch(() => undefined).then(work);
    return last;
  };
}

/** Reads what the last process left. */
export async function createApp(deps: Deps): Promise<App> {
  const service = await openService(deps);
  const billing = await openBilling(service);
  const tokens = await openTokens(service);
  await giveUpOrphans(service);
  const rateLimit = createRateLimit(service.clock, service.settings.rateLimitPerMinute);
  const kinds = new Map(jobKinds.map((kind) => [kind.kind, kind]));
  const runDueInTurn = oneAtATime(() => runDueJobs(service, kinds));
  const faults = createFaults();
  const outage = createOutage();
  const troubles = createTroubles(service.clock);

  const app = new Hono<Entry>({ getPath: pathOf });
  app.onError(onError);
  app.get(HEALTH_PATH, (c) => respond(c, ok({ status: "ok" })));
  mountDescription(app, service);
  mountAuthentication(app, service, tokens);
  mountRoutes(app, { service, tokens, billing, rateLimit }, routes);
  mountControl(app, { ...service, billing, faults, outage, troubles, runDue: runDueInTurn }, controlRoutes);
  mountPages(app, service, allPages);
  refuseOthers(app, methodsByPath(service.settings));
  const fetch = enter(service, applyFaults(faults, applyTroubles(troubles, app.fetch)));
  const request: App["request"] = async (input, init) =>
    fetch(typeof input === "string" ? new Request(new URL(input, "http://localhost"), init) : input);
  const sender = createSender({ ...service, post: outage.over(service.post, service.clock) });
  return { service, fetch, request, runDue: runDueInTurn, sender };
}
