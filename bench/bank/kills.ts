import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Account, populate } from "@/bench/service/population";
import type { Service } from "@/bench/service/program";
import { type Dice, rollDice } from "@/bench/storm/dice";
import { Refusal, say } from "@/scripts/program.mjs";
import type { Fault, RawAnswer } from "./fault";
import { type FaultProxy, startFaultProxy } from "./fault-proxy";
import { type Fate, fatesOf, reportFates } from "./kill-outcome";
import { type Product, withProduct } from "./product";
import { LABELS, type Label, type Life, OWN_LABELS, launchWorker } from "./worker";

/** A line of console processes over one store, each killed while it orders a transfer, each taking up what was left. */
type KillLine = {
  from: Account;
  /** Every transfer that was ordered, killed or not. */
  ordered: readonly string[];
  kills: Readonly<Record<string, number>>;
};

type Given = {
  service: Service;
  dice: Dice;
  /** Two of its own. */
  accounts: readonly [Account, Account];
  /** Of a console whose provider is at `origin`. */
  environment: (origin: string) => Record<string, string>;
  kills: number;
  onKill: () => void;
};

const ROUTE = "POST /v1/bank-accounts/generateInternalTransferRequest";
const AMOUNTS = ["0.01", "10.10", "999.99"] as const;

const PARTS: Record<string, (answer: RawAnswer) => Buffer> = {
  "half-head": ({ head }) => head.subarray(0, Math.floor(head.byteLength / 2)),
  "half-body": ({ head, body }) => Buffer.concat([head, body.subarray(0, Math.floor(body.byteLength / 2))]),
};

/** Kills whoever asks: before the service hears of it, or after it was carried out and some of the answer left. */
function deadly(label: Label, kill: () => void): Fault {
  const part = PARTS[label];
  return {
    name: label,
    isForwarded: label !== "request-received",
    strike: (socket, answer) => {
      if (part === undefined) kill();
      else socket.write(part(answer), kill);
    },
  };
}

const isOwn = (label: Label): label is (typeof OWN_LABELS)[number] => OWN_LABELS.some((own) => own === label);

type Ending = { environment: Record<string, string>; life: Life; proxy: FaultProxy; label: Label | null };

/** One process from its start to its end; true when it was killed. */
async function liveOnce({ environment, life, proxy, label }: Ending): Promise<boolean> {
  const { child } = launchWorker("die", { ...environment, LIFE: JSON.stringify(life) });
  const kill = () => void child.kill("SIGKILL");
  const arm = () => {
    if (label !== null && !isOwn(label)) proxy.harm(ROUTE, deadly(label, kill), 1);
  };
  if (life.mayDieRecovering) arm();
  child.once("message", () => {
    if (!life.mayDieRecovering) arm();
    child.send("order");
  });
  await once(child, "exit");
  proxy.heal();
  if (child.signalCode === "SIGKILL") return true;
  if (child.exitCode !== 0) throw new Error(`a console process ended with code ${child.exitCode}`);
  return false;
}

/** Lives until so many were killed, then one more, which is left alone. */
async function runKillLine({ service, dice, accounts, environment, kills, onKill }: Given): Promise<KillLine> {
  const [from, to] = accounts;
  const proxy = await startFaultProxy(service.origin);
  const staffId = randomUUID();
  const ordered: string[] = [];
  const counts: Record<string, number> = {};
  const parties = { accountIdFrom: from.accountId, accountIdTo: to.accountId };
  const settings = environment(proxy.origin);
  let killed = 0;
  while (killed < kills) {
    const label = LABELS[(killed + dice.below(2)) % LABELS.length] ?? dice.pick(LABELS);
    const intentId = randomUUID();
    const life: Life = {
      staffId,
      order: { intentId, ...parties, amount: dice.pick(AMOUNTS) },
      diesAt: isOwn(label) ? label : null,
      mayDieRecovering: dice.chance(15),
    };
    ordered.push(intentId);
    if (!(await liveOnce({ environment: settings, life, proxy, label }))) continue;
    counts[label] = (counts[label] ?? 0) + 1;
    killed += 1;
    onKill();
  }
  const last: Life = { staffId, order: null, diesAt: null, mayDieRecovering: false };
  await liveOnce({ environment: settings, life: last, proxy, label: null });
  await proxy.stop();
  return { from, ordered, kills: counts };
}

const USAGE = "npm run bench:bank -- kills [--kills 200] [--database both|pglite|postgres] [--lines 4] [--seed NUMBER]";

type Wish = { kills: number; lines: number; seed: number };
type Database = "PGlite" | "PostgreSQL";

function readWish(flags: readonly string[]): Wish & { databases: readonly Database[] } {
  const { values } = parseArgs({
    args: [...flags],
    options: {
      kills: { type: "string", default: "200" },
      database: { type: "string", default: "both" },
      lines: { type: "string", default: "4" },
      seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    },
  });
  const databases = ({ both: ["PostgreSQL", "PGlite"], pglite: ["PGlite"], postgres: ["PostgreSQL"] } as const)[
    values.database
  ];
  const [kills, lines, seed] = [Number(values.kills), Number(values.lines), Number(values.seed)];
  const isUsable = [kills, lines].every((count) => Number.isInteger(count) && count > 0) && Number.isInteger(seed);
  if (databases === undefined || !isUsable) throw new Refusal(USAGE);
  return { kills, lines, seed, databases };
}

type Settings = (origin: string) => Record<string, string>;

/** A store of its own: a line is one console after another. */
async function settingsOf({ consoleEnvironment, postgres }: Product, database: Database, line: number) {
  const directory = mkdtempSync(join(tmpdir(), "retaguarda-kills-"));
  const databaseUrl = database === "PostgreSQL" ? await postgres.createDatabase(`line_${line}`) : "";
  // What the console allows itself in a minute is another figure's matter.
  const own = { DATABASE_URL: databaseUrl, DATA_DIR: directory, BANK_CALLS_PER_MINUTE: "100000" };
  const settings: Settings = (origin) => ({ ...consoleEnvironment(origin), ...own });
  return { settings, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

function pairOf(accounts: readonly Account[], line: number): [Account, Account] {
  const [from, to] = accounts.slice(2 * line, 2 * line + 2);
  if (from === undefined || to === undefined) throw new Error("there are too few accounts");
  return [from, to];
}

type Toll = { fates: readonly Fate[]; kills: KillLine["kills"] };

async function runLines(product: Product, database: Database, { kills, lines, seed }: Wish): Promise<Toll[]> {
  const accounts = await populate(product.service, 2 * lines);
  let killed = 0;
  const onKill = () => {
    killed += 1;
    if (process.stdout.isTTY) process.stdout.write(`… kill ${killed} of ${kills}\r`);
  };
  return Promise.all(
    Array.from({ length: lines }, async (_, line) => {
      const { settings, remove } = await settingsOf(product, database, line);
      const share = Math.floor(kills / lines) + (line < kills % lines ? 1 : 0);
      const toll = await runKillLine({
        service: product.service,
        dice: rollDice(seed + line),
        accounts: pairOf(accounts, line),
        environment: settings,
        kills: share,
        onKill,
      });
      const { service } = product;
      const fates = await fatesOf({ service, from: toll.from, ordered: toll.ordered, environment: settings("") });
      remove();
      return { fates, kills: toll.kills };
    }),
  );
}

/** Prints where it was killed and what became of the transfers; true when no promise is broken. */
function report(tolls: readonly Toll[]): boolean {
  const kills = new Map<string, number>();
  for (const [label, times] of tolls.flatMap((toll) => Object.entries(toll.kills))) {
    kills.set(label, (kills.get(label) ?? 0) + times);
  }
  say(`  killed at ${kills.size} points: ${[...kills].map(([label, times]) => `${label} ${times}`).join(", ")}`);
  return reportFates(tolls.flatMap((toll) => toll.fates));
}

export async function take(flags: readonly string[]): Promise<boolean> {
  const { databases, ...wish } = readWish(flags);
  const verdicts: boolean[] = [];
  for (const database of databases) {
    say(`\n${database}: ${wish.kills} × kill -9, seed ${wish.seed}`);
    const startedAtMs = performance.now();
    const tolls = await withProduct({}, (product) => runLines(product, database, wish));
    verdicts.push(report(tolls));
    say(`  took ${((performance.now() - startedAtMs) / 1000).toFixed(0)} s`);
  }
  return verdicts.every(Boolean);
}
