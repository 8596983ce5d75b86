import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { freePort } from "@/scripts/checks/temporary-product.mjs";
import { type Fault, rawAnswer } from "./fault";
import { matcher, type Route, type Script, writeScript } from "./fault-script";

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
  const kept = Object.entries(answer.headers).filter(
    ([name]) => !["connection", "content-length", "transfer-encoding"].includes(name),
  );
  return {
    status: answer.statusCode ?? 502,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
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
