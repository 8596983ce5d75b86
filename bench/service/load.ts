import { randomInt, randomUUID } from "node:crypto";
import { z } from "zod";
import { type Connection, openConnection } from "./connection";

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
export const Measured = z.object({
  answers: z.number(),
  perSecond: z.number(),
  p50Ms: z.number(),
  p99Ms: z.number(),
  refused: z.string().optional(),
});
export type Measured = z.infer<typeof Measured>;

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
