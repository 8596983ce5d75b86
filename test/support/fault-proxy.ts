import { once } from "node:events";
import { Agent, type IncomingMessage, type ServerResponse, createServer, request } from "node:http";
import { text } from "node:stream/consumers";
import { freePort } from "@/test/support/temporary-product.mjs";
import { type Fault, rawAnswer } from "./fault";

/** "GET /v1/kyc/list", without the query; "*" is every route. */
export type Route = string;

/** One received request; `status` is the service's answer, null when it never got the request. */
type Seen = { name: string; key: string | null; fault: string | null; status: number | null };

/** A loopback proxy between the console's code and the service that injects faults on command, and counts. */
export type FaultProxy = {
  origin: string;
  /** From now on, or that many `times`, the route meets this fault. The latest command comes first. */
  harm: (route: Route, fault: Fault, times?: number) => void;
  /** Everything passes again. */
  heal: () => void;
  /** Refuses connections until `open`, and resets existing ones. */
  close: () => Promise<void>;
  open: () => Promise<void>;
  seen: (route?: Route) => readonly Seen[];
  /** The number of requests received. */
  requests: (route?: Route) => number;
  /** The number of open connections. */
  connections: () => number;
  forget: () => void;
  stop: () => Promise<void>;
};

type Answer = { status: number; headers: Record<string, string>; body: string };

/** Forwards the request to the service. */
async function forward(target: { origin: string; agent: Agent }, incoming: IncomingMessage): Promise<Answer> {
  const { method, headers, url } = incoming;
  const body = await text(incoming);
  const onward = request(new URL(url ?? "/", target.origin), { method, headers, agent: target.agent });
  const answered = once(onward, "response");
  onward.end(body);
  const [answer]: IncomingMessage[] = await answered;
  if (answer === undefined) throw new Error(`${method} ${url} was never answered`);
  const own = new Set(["connection", "content-length", "transfer-encoding"]);
  const stored = Object.entries(answer.headers).filter(([name]) => !own.has(name));
  return {
    status: answer.statusCode ?? 502,
    headers: Object.fromEntries(stored.map(([name, value]) => [name, String(value)])),
    body: await text(answer),
  };
}

const NOTHING = { head: Buffer.alloc(0), body: Buffer.alloc(0) };
const isOf = (route: Route) => (name: string) => route === "*" || route === name;

/** Starts one in front of the service at `target`; everything passes until commanded otherwise. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true });
  let harms: { matches: (name: string) => boolean; fault: Fault; times: number }[] = [];
  let seen: Seen[] = [];
  let connections = 0;

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const name = `${incoming.method} ${new URL(incoming.url ?? "/", target).pathname}`;
    const harm = harms.find(({ matches, times }) => times > 0 && matches(name));
    if (harm !== undefined) harm.times -= 1;
    const fault = harm?.fault;
    const key = incoming.headers["idempotency-key"];
    const entry: Seen = { name, key: key === undefined ? null : String(key), fault: fault?.name ?? null, status: null };
    seen.push(entry);
    if (fault?.isForwarded === false) {
      await text(incoming);
      return fault.strike(incoming.socket, NOTHING);
    }
    const answer = await forward({ origin: target, agent }, incoming);
    entry.status = answer.status;
    if (fault === undefined) outgoing.writeHead(answer.status, answer.headers).end(answer.body);
    else fault.strike(incoming.socket, rawAnswer(answer));
  };
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  server.on("connection", (socket) => {
    connections += 1;
    // The other side may be gone already.
    socket.on("error", () => {}).once("close", () => (connections -= 1));
  });
  const port = await freePort();
  const open = async () => void (await once(server.listen(port, "127.0.0.1"), "listening"));
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  await open();

  const seenOf = (route: Route = "*") => seen.filter(({ name }) => isOf(route)(name));
  return {
    origin: `http://127.0.0.1:${port}`,
    harm: (route, fault, times = Infinity) => void harms.unshift({ matches: isOf(route), fault, times }),
    heal: () => {
      harms = [];
    },
    close,
    open,
    seen: seenOf,
    requests: (route) => seenOf(route).length,
    connections: () => connections,
    forget: () => {
      seen = [];
    },
    stop: async () => {
      await close();
      agent.destroy();
    },
  };
}
