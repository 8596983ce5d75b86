import { randomInt, randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { z } from "zod";

/** One keep-alive HTTP/1.1 connection that asks one question at a time; `request` is the whole of it, head and body. */
type Connection = { ask: (request: string) => Promise<Reply>; close: () => void };
type Reply = { status: number; body: string };

/** The first reply in `bytes` (one byte a character), and where it ends; null while it is not all there. */
function readReply(bytes: string) {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const head = bytes.slice(0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`a reply without a Content-Length cannot be told from the next: ${head}`);
  const end = headEnd + 4 + Number(length);
  return bytes.length < end ? null : { status: Number(head.slice(9, 12)), body: bytes.slice(headEnd + 4, end), end };
}

/** Connects over a bare socket: an HTTP library would cost more than what it is to measure. */
async function openConnection(origin: string): Promise<Connection> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  let arrived = "";
  let waiting:
    | { resolve: (reply: { status: number; body: string }) => void; reject: (error: Error) => void }
    | undefined;
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    arrived += chunk;
    const reply = readReply(arrived);
    if (!reply) return;
    arrived = arrived.slice(reply.end);
    waiting?.resolve(reply);
  });
  socket.on("error", (error) => waiting?.reject(error));
  socket.on("close", () => waiting?.reject(new Error(`${origin} closed the connection`)));
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request, "latin1");
      }),
    close: () => socket.destroy(),
  };
}

/** What each client asks again and again: one of the paths, or a transfer of one cent between two of the accounts. */
const Question = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("read"), paths: z.array(z.string()) }),
  z.object({ kind: z.literal("transfer"), accountIds: z.array(z.string()) }),
]);

/** A load on a server: that many clients, each with a connection of its own, each asking as soon as it was answered. */
export const Load = z.object({
  origin: z.url(),
  headers: z.record(z.string(), z.string()),
  question: Question,
  clients: z.number(),
  measureMs: z.number(),
});
export type Load = z.infer<typeof Load>;

/** What the load saw after its warm-up, times in milliseconds. `refused`: the first answer other than 200. */
export const Measured = z.object({
  perSecond: z.number(),
  p50Ms: z.number(),
  p99Ms: z.number(),
  refused: z.string().optional(),
});
type Measured = z.infer<typeof Measured>;

const TRANSFER = "/v1/bank-accounts/generateInternalTransferRequest";

function pick<Item>(items: readonly Item[]): Item {
  const item = items[randomInt(items.length)];
  if (item === undefined) throw new Error("there is nothing to pick from");
  return item;
}

/** The requests of a load, each written out whole. */
function requests({ origin, headers, question }: Load): () => string {
  const shared = Object.entries({ Host: new URL(origin).host, ...headers });
  const head = shared.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  if (question.kind === "read") {
    const texts = question.paths.map((path) => `GET ${path} HTTP/1.1\r\n${head}\r\n`);
    return () => pick(texts);
  }
  return () => {
    const accountIdFrom = pick(question.accountIds);
    const accountIdTo = pick(question.accountIds.filter((id) => id !== accountIdFrom));
    const body = JSON.stringify({ userId: "bench", accountIdFrom, accountIdTo, amount: 0.01 });
    const own = `Idempotency-Key: ${randomUUID()}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    return `POST ${TRANSFER} HTTP/1.1\r\n${head}${own}\r\n\r\n${body}`;
  };
}

const WARM_UP_MS = 1_000;
type Tally = { fromMs: number; untilMs: number; tookMs: number[]; refused: string | undefined };

async function askUntilTheEnd(connection: Connection, next: () => string, tally: Tally): Promise<void> {
  let startedAtMs = performance.now();
  while (startedAtMs < tally.untilMs) {
    const { status, body } = await connection.ask(next());
    const answeredAtMs = performance.now();
    if (status !== 200) tally.refused ??= `${status} ${body}`;
    if (answeredAtMs >= tally.fromMs && answeredAtMs < tally.untilMs) tally.tookMs.push(answeredAtMs - startedAtMs);
    startedAtMs = answeredAtMs;
  }
}

/** Keeps the process from sleeping while it waits for answers: see the README. */
function stayAwake(untilMs: number): void {
  if (performance.now() < untilMs) setImmediate(stayAwake, untilMs);
}

/** Puts the load on its server and counts the answers that arrive after the warm-up. */
export async function measureLoad(load: Load): Promise<Measured> {
  const next = requests(load);
  const connections = await Promise.all(Array.from({ length: load.clients }, () => openConnection(load.origin)));
  const fromMs = performance.now() + WARM_UP_MS;
  const tally: Tally = { fromMs, untilMs: fromMs + load.measureMs, tookMs: [], refused: undefined };
  if (load.question.kind === "read") stayAwake(tally.untilMs);
  await Promise.all(connections.map((connection) => askUntilTheEnd(connection, next, tally)));
  for (const connection of connections) connection.close();
  const sorted = tally.tookMs.toSorted((one, other) => one - other);
  const percentile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    perSecond: sorted.length / (load.measureMs / 1_000),
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    refused: tally.refused,
  };
}
