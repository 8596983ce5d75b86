import { z } from "zod";
import { type DurablePostgres, preparePgbench, startDurablePostgres } from "./durable-postgres";
import { type Generator, startGenerator } from "./load";
import { type Account, populate } from "./population";
import { type Server, type Service, answerOf, startServer, startService } from "./program";

/** A service with money in it. */
export type Populated = { service: Service; accounts: readonly Account[]; balancePaths: readonly string[] };

/** Everything that is measured, running side by side; only one is under load at a time. */
export type Field = {
  generator: Generator;
  postgres: DurablePostgres;
  pgbenchUrl: string;
  onPostgres: Populated;
  onEmbedded: Populated;
  bareHono: Server;
  bareSocket: Server;
};

export type Wish = { accounts: number; profileDirectory: string | undefined };

const Books = z.object({ data: z.object({ balanced: z.boolean(), entries: z.number() }) });

/** Throws unless the books balance after all that was done to them; answers how many entries they hold. */
export async function provenEntries({ service }: Populated): Promise<number> {
  const { balanced, entries } = Books.parse(await service.control("GET", "/sandbox/ledger/check")).data;
  if (!balanced) throw new Error("the books do not balance");
  return entries;
}

async function startPopulated({ accounts, profileDirectory }: Wish, databaseUrl?: string): Promise<Populated> {
  const nodeOptions = profileDirectory === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileDirectory}`];
  const service = await startService({ nodeOptions, databaseUrl });
  const opened = await populate(service, accounts);
  const balancePaths = opened.map(
    ({ accountId, documentNumber }) =>
      `/v1/bank-accounts/balance?accountId=${accountId}&documentNumber=${documentNumber}`,
  );
  return { service, accounts: opened, balancePaths };
}

/** The text of one balance, so that the bare servers answer with as many bytes. */
async function balanceText({ service, balancePaths }: Populated): Promise<string> {
  const [path = ""] = balancePaths;
  return JSON.stringify(await answerOf(await fetch(service.origin + path, { headers: service.headers })));
}

/** Starts all of it; what is started is handed to `onClose` at once, so that a failure leaves nothing behind. */
export async function openField(wish: Wish, onClose: (close: () => Promise<void>) => void): Promise<Field> {
  const stored = <Thing extends { stop: () => Promise<void> }>(thing: Thing): Thing => {
    onClose(thing.stop);
    return thing;
  };
  const postgres = stored(await startDurablePostgres());
  const pgbenchUrl = await postgres.createDatabase("pgbench");
  await preparePgbench({ folder: postgres.folder, url: pgbenchUrl });
  const onPostgres = await startPopulated(wish, await postgres.createDatabase("service"));
  onClose(onPostgres.service.stop);
  const onEmbedded = await startPopulated(wish);
  onClose(onEmbedded.service.stop);
  const answer = await balanceText(onPostgres);
  const startBare = (kind: "hono" | "socket") =>
    startServer({ file: "bench/service/bare.ts", environment: { BENCH_ANSWER: answer, BENCH_SERVER: kind } });
  return {
    generator: stored(startGenerator()),
    postgres,
    pgbenchUrl,
    onPostgres,
    onEmbedded,
    bareHono: stored(await startBare("hono")),
    bareSocket: stored(await startBare("socket")),
  };
}
