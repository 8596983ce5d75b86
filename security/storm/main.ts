// Sends every write of the interface many times at once to the built product on PostgreSQL, and reports each result.
// Exits with 1 when more left than was ordered, when an answer was missing, or when somebody else had to wait.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openTestServer } from "@/scripts/checks/checks.mjs";
import { say, seconds } from "@/scripts/program.mjs";
import { type Database, DATABASES, type Desk, startStormProduct } from "./product";
import { sendRest } from "./rest";
import { type Result, standBy, type Waited, watchDesk } from "./stir";
import { type Form, importFiles, type Part, PARTS, reveal } from "./writes";

type Extent = {
  databases: readonly Database[];
  times: number;
  /** For writes that send nothing. */
  restTimes: number;
  rows: number;
  forms: readonly Form[];
  fewForms: readonly Form[];
  /** Somebody else's waiting time is judged, so each desk is stormed by itself. */
  isLong: boolean;
};

const ONE: Form = { oneId: true, people: 1 };
const ONE_BY_THREE: Form = { oneId: true, people: 3 };
const EACH_BY_ONE: Form = { oneId: false, people: 1 };
const EACH: Form = { oneId: false, people: 3 };

const SHORT: Extent = {
  databases: ["postgres"],
  times: 10,
  restTimes: 2,
  rows: 1_000,
  forms: [ONE, EACH],
  fewForms: [EACH],
  isLong: false,
};
const EVERY = [ONE, ONE_BY_THREE, EACH_BY_ONE, EACH];
const LONG: Extent = {
  databases: DATABASES,
  times: 20,
  restTimes: 10,
  rows: 5_000,
  forms: EVERY,
  fewForms: EVERY,
  isLong: true,
};

/** What may hold the store for long comes when nothing else is asked. */
const HEAVY: readonly Part[] = [reveal, importFiles];

const { values } = parseArgs({
  options: {
    long: { type: "boolean", default: false },
    database: { type: "string" },
    only: { type: "string" },
    report: { type: "string" },
  },
});
const extent = values.long ? LONG : SHORT;
const results: Result[] = [];

/** A part that breaks off is a failure, and the others still run. */
async function run(policy: Desk["policy"], part: { name: string; play: () => Promise<void> }): Promise<void> {
  if (values.only !== undefined && !values.only.split(",").includes(part.name)) return;
  const startedAtMs = performance.now();
  await part.play().catch((error: unknown) => {
    results.push({ tried: `${policy} │ ${part.name}`, came: String(error), isRepelled: false });
    say(`✗ ${policy} │ ${part.name}: ${error instanceof Error ? error.stack : String(error)}`);
  });
  say(`  ${policy} │ ${part.name} took ${seconds(performance.now() - startedAtMs)}`);
}

const WITHIN_MS = 1_000;
const WORSE = 4;

/** A second at most, or four times what it takes on this machine at rest. */
const boundOf = (quiet: Waited): Waited => ({
  page: Math.max(WITHIN_MS, WORSE * quiet.page),
  health: Math.max(WITHIN_MS, WORSE * quiet.health),
  "sign-in": Math.max(WITHIN_MS, WORSE * quiet["sign-in"]),
});

async function storm(database: Database): Promise<void> {
  const startedAtMs = performance.now();
  const { desks, offers, books, stop } = await startStormProduct(database, { wallets: extent.rows });
  const [first] = desks;
  if (first === undefined) throw new Error("there is no desk");
  const bystander = await standBy(first);
  const { quiet } = bystander;
  const within = extent.isLong ? boundOf(quiet) : null;
  const waited = Object.entries(quiet).map(([name, ms]) => `${name} ${Math.round(ms)} ms`);
  say(
    `\n${database}: ready in ${seconds(performance.now() - startedAtMs)}; while nothing happens ${waited.join(", ")}`,
  );
  const sent = new Set<string>();
  const stirrings = await Promise.all(
    desks.map(async (desk) => {
      const watch = await watchDesk({ desk, bystander, count: () => books.count(desk.policy), within, results });
      return { ...watch, ...extent, desk, offers, sent };
    }),
  );
  const playAll = async (stirring: (typeof stirrings)[number], parts: readonly Part[]) => {
    for (const part of parts) await run(stirring.desk.policy, { name: part.name, play: () => part(stirring) });
  };
  const playDesk = (stirring: (typeof stirrings)[number]) => playAll(stirring, PARTS[stirring.desk.policy]);
  if (extent.isLong) for (const stirring of stirrings) await playDesk(stirring);
  else await Promise.all(stirrings.map(playDesk));
  const [hit] = stirrings;
  if (hit !== undefined) {
    await run("never", { name: "sendRest", play: () => sendRest(hit) });
    await playAll(hit, HEAVY);
  }
  for (const { settle, desk } of stirrings) await run(desk.policy, { name: "settle", play: settle });
  await stop();
}

const startedAtMs = performance.now();
const server = await openTestServer();
process.env["E2E_DATABASE_URL"] = server.url;
const databases = extent.databases.filter((one) => values.database === undefined || values.database === one);
for (const database of databases) await storm(database);
await server.stop();
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify({ results }));
const failed = results.filter(({ isRepelled }) => !isRepelled);
say(
  `\n${results.length - failed.length} of ${results.length} withstood, in ${seconds(performance.now() - startedAtMs)}`,
);
for (const { tried, came } of failed) say(`✗ ${tried}: ${came}`);
process.exit(failed.length === 0 ? 0 : 1);
