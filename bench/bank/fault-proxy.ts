import { once } from "node:events";
import { Agent, type IncomingMessage, type ServerResponse, createServer, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@/scripts/checks/temporary-product.mjs";
import { type Fault, rawAnswer } from "./fault";

/**
 * "GET /v1/kyc/list", the query left out, `{address}` for any one part of the path; "*" is every route but the token's,
 * which must be named.
 */
export type Route = string;

/** What befalls whom. */
type Script = {
  /** From now on, or so many `times`, the route meets this fault. What is told last comes first. */
  harm: (route: Route, fault: Fault, times?: number) => void;
  /** Holds every request of the route back this long, on its way in. */
  delay: (route: Route, delayMs: number) => void;
  /** Everything passes again, or what was told of this route. */
  heal: (route?: Route) => void;
  /** What befalls the next request of this name, "GET /v1/kyc/list". */
  draw: (name: string) => Fault | undefined;
  pause: (name: string) => Promise<void>;
};

type Matches = (name: string) => boolean;

export const TOKEN_ROUTE: Route = "POST /v1/authentication/oauth/access-token";

function matcher(route: Route): Matches {
  if (route === "*") return (name) => name !== TOKEN_ROUTE;
  const parts = route.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pattern = new RegExp(`^${parts.join("[^/]+")}$`);
  return (name) => pattern.test(name);
}

/** An empty one: everything passes. */
function writeScript(): Script {
  let harms: { route: Route; matches: Matches; fault: Fault; times: number }[] = [];
  let delays: { route: Route; matches: Matches; delayMs: number }[] = [];
  return {
    harm: (route, fault, times = Infinity) => void harms.unshift({ route, matches: matcher(route), fault, times }),
    delay: (route, delayMs) => void delays.unshift({ route, matches: matcher(route), delayMs }),
    heal: (route) => {
      harms = harms.filter((told) => route !== undefined && told.route !== route);
      delays = delays.filter((told) => route !== undefined && told.route !== route);
    },
    draw: (name) => {
      const next = harms.find(({ matches, times }) => times > 0 && matches(name));
      if (next !== undefined) next.times -= 1;
      return next?.fault;
    },
    pause: async (name) => {
      const delay = delays.find(({ matches }) => matches(name));
      if (delay !== undefined) await sleep(delay.delayMs);
    },
  };
}

const MINUTE_MS = 60_000;

/** A gateway before the service that lets only so many calls pass in any 60 s; token requests do not count. */
type Limiter = {
  origin: string;
  /** From now on; what passed in the last minute counts. */
  allow: (callsPerMinute: number) => void;
  stop: () => Promise<void>;
};

function pass(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers, url } = incoming;
  const onward = request(new URL(url ?? "/", target), { method, headers });
  onward.once("response", (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  onward.once("error", () => outgoing.destroy());
  incoming.pipe(onward);
}

/** As the service does it: refused calls count for nothing, and `Retry-After` is when the oldest is a minute old. */
export async function startLimiter(target: string): Promise<Limiter> {
  let limit = Infinity;
  let passedAtMs: readonly number[] = [];

  const server = createServer((incoming, outgoing) => {
    const nowMs = performance.now();
    passedAtMs = passedAtMs.filter((ms) => ms > nowMs - MINUTE_MS);
    if (`${incoming.method} ${incoming.url}` === TOKEN_ROUTE) return pass(target, incoming, outgoing);
    const [oldestMs = nowMs] = passedAtMs;
    if (passedAtMs.length < limit) {
      passedAtMs = [...passedAtMs, nowMs];
      return pass(target, incoming, outgoing);
    }
    const retryAfter = Math.ceil((oldestMs + MINUTE_MS - nowMs) / 1_000);
    outgoing
      .writeHead(429, { "content-type": "application/json", "retry-after": `${retryAfter}` })
      .end('{"message":"Rate limit exceeded"}');
  });
  const port = await freePort();
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    origin: `http://127.0.0.1:${port}`,
    allow: (callsPerMinute) => {
      limit = callsPerMinute;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** One request that came; `status` is what the service answered, null when it never got it. */
export type Seen = {
  method: string;
  path: string;
  /** Tells calls of one path apart: "?page=2". */
  query: string;
  key: string | null;
  /** Its `x-bench-label`, by which its sender finds it again. */
  label: string | null;
  bearer: string | null;
  atMs: number;
  body: string;
  fault: string | null;
  status: number | null;
};

/** A proxy on loopback between the console's code and the service that does harm as it is told, and counts. */
export type FaultProxy = Pick<Script, "harm" | "delay" | "heal"> & {
  origin: string;
  /** Refuses connections until `open`; those that stand are reset. */
  close: () => Promise<void>;
  open: () => Promise<void>;
  seen: (route?: Route) => readonly Seen[];
  /** How many requests came. */
  requests: (route?: Route) => number;
  /** How many the service carried out: it got them and answered 2xx. */
  executions: (route?: Route) => number;
  /** How many connections stand. */
  connections: () => number;
  forget: () => void;
  stop: () => Promise<void>;
};

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

const NOTHING = { head: Buffer.alloc(0), body: Buffer.alloc(0) };

const addressOf = (url: string) => new URL(url, "http://proxy");
const pathOf = (url: string) => addressOf(url).pathname;
const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300;

type Answer = { status: number; headers: Record<string, string>; body: string };

/** Asks the service what was asked here. */
async function forward(
  target: { origin: string; agent: Agent },
  incoming: IncomingMessage,
  body: string,
): Promise<Answer> {
  const { method, headers, url } = incoming;
  const onward = request(new URL(url ?? "/", target.origin), { method, headers, agent: target.agent });
  const answered = once(onward, "response");
  onward.end(body);
  const [answer]: IncomingMessage[] = await answered;
  if (answer === undefined) throw new Error(`${method} ${url} was never answered`);
  const stored = Object.entries(answer.headers).filter(
    ([name]) => !["connection", "content-length", "transfer-encoding"].includes(name),
  );
  return {
    status: answer.statusCode ?? 502,
    headers: Object.fromEntries(stored.map(([name, value]) => [name, String(value)])),
    body: await textOf(answer),
  };
}

type Front = Pick<FaultProxy, "origin" | "open" | "close" | "connections">;

/** Serves on one port of loopback, which it comes back to after each `close`. */
async function openFront(
  serve: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
): Promise<Front> {
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  let connections = 0;
  server.on("connection", (socket) => {
    connections += 1;
    // Whoever is struck may be gone already.
    socket.on("error", () => {}).once("close", () => (connections -= 1));
  });
  const port = await freePort();
  const open = async () => void (await once(server.listen(port, "127.0.0.1"), "listening"));
  await open();
  return {
    origin: `http://127.0.0.1:${port}`,
    open,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
    connections: () => connections,
  };
}

/** Starts one in front of the service at `target`; everything passes until it is told otherwise. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const script = writeScript();
  const agent = new Agent({ keepAlive: true });
  let seen: Seen[] = [];

  const record = ({ method = "", url = "/", headers }: IncomingMessage, fault: Fault | undefined): Seen => {
    const named = (name: string) => (headers[name] === undefined ? null : String(headers[name]));
    const entry: Seen = {
      method,
      path: pathOf(url),
      query: addressOf(url).search,
      key: named("idempotency-key"),
      label: named("x-bench-label"),
      bearer: /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? null,
      atMs: performance.now(),
      body: "",
      fault: fault?.name ?? null,
      status: null,
    };
    seen.push(entry);
    return entry;
  };

  const front = await openFront(async (incoming, outgoing) => {
    const name = `${incoming.method} ${pathOf(incoming.url ?? "/")}`;
    const fault = script.draw(name);
    const entry = record(incoming, fault);
    entry.body = await textOf(incoming);
    await script.pause(name);
    if (fault?.isForwarded === false) return fault.strike(incoming.socket, NOTHING);
    const answer = await forward({ origin: target, agent }, incoming, entry.body);
    entry.status = answer.status;
    if (fault === undefined) outgoing.writeHead(answer.status, answer.headers).end(answer.body);
    else fault.strike(incoming.socket, rawAnswer(answer));
  });

  const seenOf = (route?: Route): readonly Seen[] => {
    if (route === undefined) return seen;
    const matches = matcher(route);
    return seen.filter(({ method, path }) => matches(`${method} ${path}`));
  };
  const { harm, delay, heal } = script;
  return {
    ...front,
    harm,
    delay,
    heal,
    seen: seenOf,
    requests: (route) => seenOf(route).length,
    executions: (route) => seenOf(route).filter(({ status }) => isSuccess(status)).length,
    forget: () => {
      seen = [];
    },
    stop: async () => {
      await front.close();
      agent.destroy();
    },
  };
}
