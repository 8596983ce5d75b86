import { createAdaptorServer } from "@hono/node-server";
import { type App, createApp } from "@/service/app";
import { machineClock } from "@/service/clock";
import { startDemo } from "@/service/demo/demo";
import { drainable } from "@/service/drain";
import { nextJobDueAt } from "@/service/jobs/run-due";
import { startScheduler } from "@/service/jobs/run-due";
import { createLog } from "@/service/log";
import { machineRandom } from "@/service/random";
import { originOf, readEnvironment, type Settings } from "@/service/settings";
import type { Database } from "@/service/store/transaction";
import { openEmbeddedDatabase } from "@/service/store/embedded";
import { openServerDatabase } from "@/service/store/server";
import { loadTenants } from "@/service/tenants/load-tenants";
import { createPost } from "@/service/webhooks/post";
import { startSender } from "@/service/webhooks/sender";

const REQUEST_WITHIN_MS = 30_000;
const HEADERS_WITHIN_MS = 10_000;

type Server = ReturnType<typeof createAdaptorServer>;

/** One line on standard error. */
function giveUp(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`service: ${message.replaceAll(/\s+/g, " ")}\n`);
  process.exit(1);
}

async function openDatabase({ databaseUrl, dataDir }: Settings): Promise<Database> {
  return databaseUrl === undefined ? openEmbeddedDatabase(dataDir) : openServerDatabase(databaseUrl, giveUp);
}

async function listen(app: App, { host, port }: Settings): Promise<{ server: Server; drain: () => Promise<void> }> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: { requestTimeout: REQUEST_WITHIN_MS, headersTimeout: HEADERS_WITHIN_MS },
  });
  const drain = drainable(server);
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new Error(`port ${port} on ${host} is in use; set SERVICE_PORT to another one`)
          : error,
      );
    server.once("error", refuse).listen(port, host, () => {
      server.off("error", refuse);
      resolve();
    });
  });
  return { server, drain };
}

async function start(): Promise<void> {
  const settings = readEnvironment();
  const tenants = loadTenants(settings, machineRandom);
  const log = createLog(settings.logLevel);
  const database = await openDatabase(settings);
  const deps = {
    db: database.db,
    clock: machineClock,
    random: machineRandom,
    post: createPost(settings),
    settings,
    tenants,
    log,
  };
  const app = await createApp(deps);
  const { server, drain } = await listen(app, settings);
  const { service, runDue } = app;
  const scheduler = startScheduler(service, { alarm: service.alarm, runDue, nextDueAt: () => nextJobDueAt(service) });
  const sender = startSender(service, app.sender);
  const demo = settings.demoData ? await startDemo(app.service) : undefined;

  const stop = async (): Promise<void> => {
    await drain();
    await demo?.stop();
    await scheduler.stop();
    await sender.stop();
    await database.close();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop().catch(giveUp));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : settings.port;
  process.stdout.write(`service ready ${originOf(settings.host, port)}\n`);
}

await start().catch(giveUp);
