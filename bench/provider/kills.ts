import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Account, populate, statementOf } from "@/bench/service/population";
import { type Database, type Dice, onEach, rollDice } from "@/bench/storm/dice";
import { inArray } from "drizzle-orm";
import { openStore } from "@/lib/db/connection";
import { type IntentState, providerIntent } from "@/lib/db/tables/provider";
import { say } from "@/scripts/program.mjs";
import {
  afterExecution,
  answerWith,
  closedAtStart,
  cutAtStart,
  cutInBody,
  cutInHead,
  type Fault,
  firstHalf,
  lostAnswer,
  type RawAnswer,
} from "@/test/support/fault";
import { type FaultProxy, startFaultProxy } from "@/test/support/fault-proxy";
import { bound, printBounds } from "./bound";
import { type Product, withProduct } from "./product";
import { type Life, OWN_LABELS, launchWorker } from "./worker";

const ROUTE = "POST /v1/bank-accounts/generateInternalTransferRequest";
const AMOUNTS = ["0.01", "10.10", "999.99"] as const;

/** How much of the answer has left when the proxy kills its caller; null: the service was never asked. */
const PROXY_KILLS: Record<string, ((answer: RawAnswer) => Buffer) | null> = {
  "request-received": null,
  "answer-lost": () => Buffer.alloc(0),
  "half-head": ({ head }) => firstHalf(head),
  "half-body": ({ head, body }) => Buffer.concat([head, firstHalf(body)]),
};

/** Faults in the answers to a process that survives. */
const LOSSES: readonly Fault[] = [
  lostAnswer,
  lostAnswer,
  afterExecution(closedAtStart),
  afterExecution(cutInHead),
  afterExecution(cutInBody),
  cutAtStart,
  answerWith("500", { status: 500 }),
  answerWith("503", { status: 503 }),
];
/** With this many in a row the outcome stays unknown. */
const TOO_MANY = 20;

const LABELS = [...OWN_LABELS, ...Object.keys(PROXY_KILLS)];

function deadly(label: string, kill: () => void): Fault {
  const part = PROXY_KILLS[label] ?? null;
  const strike: Fault["strike"] = (socket, answer) => (part === null ? kill() : void socket.write(part(answer), kill));
  return { name: label, isForwarded: part !== null, strike };
}

type Environment = Record<string, string>;
type Arm = (kill: () => void) => void;

/** Runs one process to its end; true when it was killed. */
async function liveOnce(environment: Environment, life: Life, arm: Arm): Promise<boolean> {
  const child = launchWorker(life, environment);
  const kill = () => void child.kill("SIGKILL");
  if (life.mayDieRecovering) arm(kill);
  child.once("message", () => {
    if (!life.mayDieRecovering) arm(kill);
    child.send("order");
  });
  await once(child, "exit");
  if (child.signalCode === "SIGKILL") return true;
  if (child.exitCode !== 0) throw new Error(`a console process ended with code ${child.exitCode}`);
  return false;
}

/** Kills one life at the label, or loses some of its answers. */
function harmAt(proxy: FaultProxy, dice: Dice, label: string | null): Arm {
  return (kill) => {
    if (label !== null) return label in PROXY_KILLS ? proxy.harm(ROUTE, deadly(label, kill), 1) : undefined;
    if (dice.chance(10)) return proxy.harm(ROUTE, dice.pick(LOSSES), TOO_MANY);
    for (let left = 1 + dice.below(3); left > 0; left -= 1) proxy.harm(ROUTE, dice.pick(LOSSES), 1);
  };
}

const LOST = "answers lost, and it lived";

/** The intent's state in the store, and how often the service paid it. */
type Fate = { state: IntentState | null; payments: number };

type Ordered = { service: Product["service"]; from: Account; ordered: readonly string[]; environment: Environment };

/** The outcome of every transfer on both sides, matched by the intent in its description. */
async function fatesOf({ service, from, ordered, environment }: Ordered): Promise<readonly Fate[]> {
  const entries = await statementOf(service.read, from);
  const place = { databaseUrl: environment["DATABASE_URL"] || null, dataDir: environment["DATA_DIR"] ?? "" };
  const store = await openStore(place);
  const kept = await store.db
    .select()
    .from(providerIntent)
    .where(inArray(providerIntent.id, [...ordered]));
  await store.close();
  return ordered.map((intentId) => ({
    state: kept.find(({ id }) => id === intentId)?.state ?? null,
    payments: entries.filter(({ description }) => description === intentId).length,
  }));
}

/** Prints the outcomes; true when every promise holds. */
function reportFates(fates: readonly Fate[]): boolean {
  const of = (state: IntentState | null) => fates.filter((fate) => fate.state === state).length;
  const none = (what: string, isSuch: (fate: Fate) => boolean) =>
    bound(what, fates.filter(isSuch).length, { exactly: 0 });
  say(`  of ${fates.length} transfers: ${of("DONE")} done, ${of("REFUSED")} refused, ${of(null)} never on record`);
  return printBounds([
    none("intents paid more than once", ({ payments }) => payments > 1),
    none("intents shown as done and not paid once", ({ state, payments }) => state === "DONE" && payments !== 1),
    none("intents paid and not shown as done", ({ state, payments }) => state !== "DONE" && payments > 0),
    none("intents undecided", ({ state }) => state === "SENDING" || state === "UNKNOWN" || state === "HELD"),
  ]);
}

const COINS_ROUTE = "POST /v1/crypto/transfer";

type Killed = { staffId: string; coins: Life["coins"]; nth: number };

/** Runs a console that orders these coins all at once, and is killed at the nth of all points. */
export async function ordersKilled({ service, consoleEnvironment }: Product, { nth, ...given }: Killed): Promise<void> {
  const label = LABELS[nth % LABELS.length] ?? "saved";
  const proxy = await startFaultProxy(service.origin);
  const environment = { ...consoleEnvironment(proxy.origin), BANK_CALLS_PER_MINUTE: "100000" };
  const diesAt = OWN_LABELS.find((mine) => mine === label) ?? null;
  const arm: Arm = (kill) => (diesAt === null ? proxy.harm(COINS_ROUTE, deadly(label, kill), 1) : undefined);
  const wasKilled = await liveOnce(environment, { ...given, order: null, diesAt, mayDieRecovering: false }, arm);
  await proxy.stop();
  if (!wasKilled) throw new Error(`no send of coins came to ${label}`);
}

type Line = { dice: Dice; from: Account; to: Account; databaseUrl: string; kills: number; onKill: () => void };
type Toll = { fates: readonly Fate[]; ends: readonly string[] };

/** Runs consoles over one store, each recovering the last one's work, until enough were killed; the last one survives. */
async function runLine({ service, consoleEnvironment }: Product, line: Line): Promise<Toll> {
  const { dice, from, to, databaseUrl, kills, onKill } = line;
  const proxy = await startFaultProxy(service.origin);
  const directory = mkdtempSync(join(tmpdir(), "retaguarda-kills-"));
  // The call budget is measured elsewhere.
  const own = { DATABASE_URL: databaseUrl, DATA_DIR: directory, BANK_CALLS_PER_MINUTE: "100000" };
  const environment: Environment = { ...consoleEnvironment(proxy.origin), ...own };
  const parties = { accountIdFrom: from.accountId, accountIdTo: to.accountId };
  const staffId = randomUUID();
  const ordered: string[] = [];
  const ends: string[] = [];
  for (let killed = 0; killed < kills;) {
    const next = LABELS[(killed + dice.below(2)) % LABELS.length] ?? dice.pick(LABELS);
    const label = dice.chance(25) ? null : next;
    const intentId = randomUUID();
    ordered.push(intentId);
    const life: Life = {
      staffId,
      order: { intentId, ...parties, amount: dice.pick(AMOUNTS) },
      coins: [],
      diesAt: OWN_LABELS.find((mine) => mine === label) ?? null,
      mayDieRecovering: dice.chance(15),
    };
    const wasKilled = await liveOnce(environment, life, harmAt(proxy, dice, label));
    proxy.heal();
    if (wasKilled || label === null) ends.push(label ?? LOST);
    if (!wasKilled) continue;
    killed += 1;
    onKill();
  }
  await liveOnce(environment, { staffId, order: null, coins: [], diesAt: null, mayDieRecovering: false }, () => {});
  const fates = await fatesOf({ service, from, ordered, environment });
  await proxy.stop();
  rmSync(directory, { recursive: true, force: true });
  return { fates, ends };
}

/** Run in parallel, each over its own store. */
const LINES = 4;

async function runLines(product: Product, database: Database, kills: number, seed: number): Promise<Toll[]> {
  const accounts = await populate(product.service, 2 * LINES);
  let killed = 0;
  const onKill = () => {
    killed += 1;
    if (process.stdout.isTTY) process.stdout.write(`… kill ${killed} of ${kills}\r`);
  };
  const takeLine = async (line: number): Promise<Toll> => {
    const [from, to] = accounts.slice(2 * line);
    if (from === undefined || to === undefined) throw new Error("there are too few accounts");
    const databaseUrl = database === "PostgreSQL" ? await product.postgres.createDatabase(`line_${line}`) : "";
    const share = Math.floor(kills / LINES) + (line < kills % LINES ? 1 : 0);
    return runLine(product, { dice: rollDice(seed + line), from, to, databaseUrl, kills: share, onKill });
  };
  return Promise.all(Array.from({ length: LINES }, (_, line) => takeLine(line)));
}

/** Prints the kills and the outcomes; true when every promise holds. */
function report(tolls: readonly Toll[]): boolean {
  const times = new Map<string, number>();
  for (const end of tolls.flatMap(({ ends }) => ends)) times.set(end, (times.get(end) ?? 0) + 1);
  say(`  killed at ${[...times].map(([label, count]) => `${label} ${count}`).join(", ")}`);
  return reportFates(tolls.flatMap((toll) => toll.fates));
}

export const measure = (flags: string[]): Promise<boolean> =>
  onEach(flags, { most: "200", says: "" }, async ({ database, kills, seed }) =>
    report(await withProduct((product) => runLines(product, database, kills, seed))),
  );
