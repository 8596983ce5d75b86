import type { Field, Populated } from "./field";
import type { Figure, Row } from "./figures";
import type { Load } from "./load";
import { runPgbench, SCALE } from "./pgbench";

const CLIENTS = 16;
const WARM_UP_MS = 1_000;

/** One thing to measure in every round. */
export type Measurement = Row & { take: () => Promise<Figure> };

const TPC_B = `pgbench TPC-B, scale ${SCALE}`;

/** What is measured, in the order of a round. Rates that make a ratio are taken one after the other. */
export function measurementsOf(field: Field, seconds: number): Measurement[] {
  const { generator, onPostgres, onEmbedded } = field;
  const timing = { warmUpMs: WARM_UP_MS, measureMs: seconds * 1_000 };
  const { headers } = onPostgres.service;
  const question: Load["question"] = { kind: "read", paths: [...onPostgres.balancePaths] };

  const transfers =
    ({ service, accounts }: Populated) =>
    () => {
      const accountIds = accounts.map((account) => account.accountId);
      const { origin, headers: own } = service;
      return generator.put({
        ...timing,
        origin,
        headers: own,
        clients: CLIENTS,
        question: { kind: "transfer", accountIds },
      });
    };
  const reads = (origin: string, clients: number) => () =>
    generator.put({ ...timing, origin, headers, question, clients });
  const besideHono = (clients: number): Measurement[] => {
    const who = clients === 1 ? "1 client" : `${clients} clients`;
    const bare = `bare Hono, ${who}`;
    const goal = clients === CLIENTS ? { goal: 0.6 } : {};
    return [
      { name: bare, take: reads(field.bareHono.origin, clients) },
      { name: `balance, ${who}`, of: bare, ...goal, take: reads(onPostgres.service.origin, clients) },
    ];
  };
  const pgbench = { folder: field.postgres.folder, url: field.pgbenchUrl };
  return [
    { name: TPC_B, take: async () => ({ perSecond: await runPgbench(pgbench, CLIENTS, seconds) }) },
    { name: "transfers on PostgreSQL", of: TPC_B, goal: 0.5, take: transfers(onPostgres) },
    { name: "transfers on PGlite", of: TPC_B, take: transfers(onEmbedded) },
    ...besideHono(CLIENTS),
    ...besideHono(1),
    { name: "the generator's ceiling", take: reads(field.bareSocket.origin, CLIENTS) },
  ];
}
