import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createAdaptorServer } from "@hono/node-server";
import { type Logger, destination, pino } from "pino";
import { startDemo } from "@/service/demo/demo";
import { nextJobDueAt, startScheduler } from "@/service/jobs/run-due";
import { openEmbeddedDatabase, openServerDatabase } from "@/service/store/open";
import { type Database, sqlState } from "@/service/store/transaction";
import { loadTenants } from "@/service/tenants/load-tenants";
import { createPost } from "@/service/webhooks/post";
import { startSender } from "@/service/webhooks/sender";
import { type App, createApp } from "./app";
import { machineClock } from "./clock";
import { machineRandom } from "./random";
import { type Settings, originOf, readEnvironment } from "./settings";

const ACCEPTED_WITHIN_MS = 200;
const REQUESTS_WITHIN_MS = 30_000;
const BODIES_WITHIN_MS = 5_000;

type Draining = EventEmitter & { close: (done: () => void) => unknown };

/** To be called before listening. In-flight requests finish within 30 s; a body must be complete within 5 s. */
function drainable(server: Draining): () => Promise<void> {
  // Pipelined requests are answered in order, so the last answer ends them all.
  const lastOn = new Map<Socket, ServerResponse | null>();
  let isDraining = false;

  const inFlight = (): [Socket, ServerResponse][] =>
    [...lastOn].flatMap(([socket, last]) => (last && !last.closed ? [[socket, last]] : []));
  const closeWithoutRequest = (): void => {
    for (const [socket, last] of lastOn) if (!last || last.closed) socket.destroySoon();
  };
  const cutOffBodies = (): void => {
    for (const [socket, { req }] of inFlight()) if (!req.complete) socket.destroy();
  };
  const cutOffAll = (): void => {
    for (const socket of lastOn.keys()) socket.destroy();
  };

  server.on("connection", (socket: Socket) => {
    lastOn.set(socket, null);
    socket.once("close", () => lastOn.delete(socket));
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (lastOn.has(socket)) lastOn.set(socket, response);
    if (isDraining) response.once("close", closeWithoutRequest);
  });

  return async () => {
    // A connection from before the signal may not be accepted yet.
    await pause(ACCEPTED_WITHIN_MS);
    isDraining = true;
    const closed = new Promise<void>((resolve) => server.close(resolve));
    // Requests that came with the signal are read first.
    await pause(0);
    closeWithoutRequest();
    for (const [, last] of inFlight()) last.once("close", closeWithoutRequest);
    const bodies = setTimeout(cutOffBodies, BODIES_WITHIN_MS);
    const all = setTimeout(cutOffAll, REQUESTS_WITHIN_MS);
    await closed;
    clearTimeout(bodies);
    clearTimeout(all);
  };
}

const STANDARD_ERROR = 2;

/** A database's messages quote values, so only code and place are logged. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const frames = (error.stack ?? "").split("\n").filter((line) => line.startsWith("    at "));
  const state = sqlState(error);
  if (state !== undefined) return { type: error.name, sqlState: state, stack: frames };
  const isQuery = "query" in error && "params" in error;
  return { type: error.name, message: isQuery ? "a query failed" : error.message, stack: frames };
}

/** Never a secret, a token or a document. */
function createLog(level: string): Logger {
  return pino({ level, base: null, serializers: { err: describeError } }, destination(STANDARD_ERROR));
}

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
