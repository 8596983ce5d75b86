import { Hono } from "hono";
import type { Logger } from "pino";
import { eq } from "drizzle-orm";
import { type Clock, shiftedClock } from "@/service/clock";
import type { Service } from "@/service/context";
import { notFound } from "@/service/error";
import type { Gateway } from "@/service/gateway/admit";
import { createRateLimit } from "@/service/gateway/rate-limit";
import { AUTHENTICATION_PATHS, mountAuthentication } from "@/service/http/authentication";
import { type Entry, enter } from "@/service/http/entry";
import { onError } from "@/service/http/error";
import { mountRoutes, refuseOtherMethods } from "@/service/http/mount";
import { routes } from "@/service/http/routes";
import { createAlarm } from "@/service/jobs/alarm";
import { jobKinds } from "@/service/jobs/kinds";
import { runDue } from "@/service/jobs/run-due";
import { openLedger } from "@/service/ledger/open";
import type { Random } from "@/service/random";
import type { Settings } from "@/service/settings";
import type { Db } from "@/service/store/db";
import { clockOffset } from "@/service/store/schema";
import { openBilling } from "@/service/tenants/billing";
import { createDirectory } from "@/service/tenants/directory";
import type { Tenant } from "@/service/tenants/tenant";
import { openTokens } from "@/service/tokens/tokens";

/** Everything that is not deterministic, and everything that is kept. */
export type Doors = {
  db: Db;
  clock: Clock;
  random: Random;
  fetch: typeof fetch;
  settings: Settings;
  tenants: readonly Tenant[];
  log: Logger;
};

export type App = {
  service: Service;
  /** Answers one request, as a server hands it in. */
  request: Hono<Entry>["request"];
  fetch: Hono<Entry>["fetch"];
  /** Does what has fallen due by the service's clock. */
  runDue: () => Promise<void>;
};

async function openService({ db, clock, tenants, ...doors }: Doors): Promise<Service> {
  const [row] = await db.select().from(clockOffset).where(eq(clockOffset.id, "clock"));
  const serviceClock = shiftedClock(clock, row?.offsetMs ?? 0);
  return { ...doors, db, clock: serviceClock, tenants: createDirectory(tenants), alarm: createAlarm() };
}

function methodsByPath(): Map<string, string[]> {
  const methods = new Map(AUTHENTICATION_PATHS.map((path) => [path, ["POST"]]));
  for (const { operation } of routes) {
    methods.set(operation.path, [...(methods.get(operation.path) ?? []), operation.method]);
  }
  return methods;
}

/** The whole service over one database; opening it reads what the last process left there. */
export async function createApp(doors: Doors): Promise<App> {
  const service = await openService(doors);
  await openLedger(service.db);
  const gateway: Gateway = {
    service,
    tokens: await openTokens(service),
    billing: await openBilling(service),
    rateLimit: createRateLimit(service.clock, service.settings.rateLimitPerMinute),
  };
  const kinds = new Map(jobKinds.map((kind) => [kind.kind, kind]));

  const app = new Hono<Entry>();
  app.use(enter(service));
  app.onError(onError);
  app.notFound(() => {
    throw notFound("There is nothing at this path");
  });
  mountAuthentication(app, service, gateway.tokens);
  mountRoutes(app, gateway, routes);
  refuseOtherMethods(app, methodsByPath());
  return { service, request: app.request, fetch: app.fetch, runDue: () => runDue(service, kinds) };
}
