import { randomInt, randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { z } from "zod";
import { launch, whenEnded } from "./program";

const HEAD_END = "\r\n\r\n";

type Reply = { status: number; body: string };

/** One keep-alive HTTP/1.1 connection that asks one question at a time; `request` is the whole of it, head and body. */
type Connection = { ask: (request: string) => Promise<Reply>; close: () => void };

/** The first reply in `bytes` (one byte a character), and where it ends; null while it is not all there. */
function readReply(bytes: string): { reply: Reply; end: number } | null {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  const head = bytes.slice(0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`a reply without a Content-Length cannot be told from the next: ${head}`);
  const bodyStart = headEnd + HEAD_END.length;
  const end = bodyStart + Number(length);
  if (bytes.length < end) return null;
  return { reply: { status: Number(head.slice(9, 12)), body: bytes.slice(bodyStart, end) }, end };
}

/** Connects over a bare socket: an HTTP library would cost more than what it is to measure. */
async function openConnection(origin: string): Promise<Connection> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let arrived = "";
  let waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | undefined;
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve).once("error", reject);
  });
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    arrived += chunk;
    const read = readReply(arrived);
    if (!read) return;
    arrived = arrived.slice(read.end);
    waiting?.resolve(read.reply);
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
  warmUpMs: z.number(),
  measureMs: z.number(),
});
export type Load = z.infer<typeof Load>;

/** What the load saw after its warm-up, times in milliseconds. `refused`: the first answer other than 200. */
const Measured = z.object({
  answers: z.number(),
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

function pair(accountIds: readonly string[]): [string, string] {
  const [from, to] = [pick(accountIds), pick(accountIds)];
  return from === to ? pair(accountIds) : [from, to];
}

/** The requests of a load, each written out whole. */
function requests({ origin, headers, question }: Load): () => string {
  const shared = Object.entries({ Host: new URL(origin).host, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = shared.join("");
  if (question.kind === "read") {
    const texts = question.paths.map((path) => `GET ${path} HTTP/1.1\r\n${head}\r\n`);
    return () => pick(texts);
  }
  return () => {
    const [accountIdFrom, accountIdTo] = pair(question.accountIds);
    const body = JSON.stringify({ userId: "bench", accountIdFrom, accountIdTo, amount: 0.01 });
    const own = `Idempotency-Key: ${randomUUID()}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    return `POST ${TRANSFER} HTTP/1.1\r\n${head}${own}\r\n\r\n${body}`;
  };
}

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
function stayAwake(): () => void {
  let isNeeded = true;
  const turn = () => {
    if (isNeeded) setImmediate(turn);
  };
  turn();
  return () => {
    isNeeded = false;
  };
}

/** Puts the load on its server and counts the answers that arrive after the warm-up. */
export async function measure(load: Load): Promise<Measured> {
  const next = requests(load);
  const connections = await Promise.all(Array.from({ length: load.clients }, () => openConnection(load.origin)));
  const fromMs = performance.now() + load.warmUpMs;
  const tally: Tally = { fromMs, untilMs: fromMs + load.measureMs, tookMs: [], refused: undefined };
  const sleepAgain = load.question.kind === "read" ? stayAwake() : undefined;
  await Promise.all(connections.map((connection) => askUntilTheEnd(connection, next, tally)));
  sleepAgain?.();
  for (const connection of connections) connection.close();
  const sorted = tally.tookMs.toSorted((one, other) => one - other);
  const percentile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    answers: sorted.length,
    perSecond: sorted.length / (load.measureMs / 1_000),
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    refused: tally.refused,
  };
}

/** The load generator at work, one load at a time. */
export type Generator = { put: (load: Load) => Promise<Measured>; stop: () => Promise<void> };

/** As many as pgbench is given threads. */
const PROCESSES = 2;

function startProcess(): Generator {
  const program = launch({ file: "bench/service/generator.ts" });
  const ended = whenEnded(program);
  return {
    put: async (load) => {
      program.child.send(load);
      const [message]: unknown[] = await Promise.race([once(program.child, "message"), ended]);
      const measured = Measured.parse(message);
      if (measured.refused !== undefined) throw new Error(`the load was refused: ${measured.refused}`);
      return measured;
    },
    stop: program.stop,
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Rates add up; of the latencies the worse ones stand. */
function together(parts: readonly Measured[]): Measured {
  return {
    answers: sum(parts.map((part) => part.answers)),
    perSecond: sum(parts.map((part) => part.perSecond)),
    p50Ms: Math.max(...parts.map((part) => part.p50Ms)),
    p99Ms: Math.max(...parts.map((part) => part.p99Ms)),
  };
}

/**
 * Starts the processes of the load generator, which share a load's clients. `put` rejects when an answer was not 200: what
 * was measured then means nothing.
 */
export function startGenerator(): Generator {
  const processes = Array.from({ length: PROCESSES }, startProcess);
  return {
    put: async (load) => {
      const shares = processes.map((_, index) => Math.floor((load.clients + index) / PROCESSES));
      const parts = processes.flatMap((each, index) => {
        const clients = shares[index] ?? 0;
        return clients > 0 ? [each.put({ ...load, clients })] : [];
      });
      return together(await Promise.all(parts));
    },
    stop: async () => {
      await Promise.all(processes.map((each) => each.stop()));
    },
  };
}
