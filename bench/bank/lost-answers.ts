import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Client } from "pg";
import { z } from "zod";
import { populate } from "@/bench/service/population";
import { type Dice, rollDice } from "@/bench/storm/dice";
import { Refusal, say } from "@/scripts/program.mjs";
import { bound, printBounds } from "./bound";
import {
  type Fault,
  afterExecution,
  closedAtStart,
  cutAtStart,
  cutInBody,
  cutInHead,
  lostAnswer,
  status,
} from "./fault";
import { type FaultProxy, startFaultProxy } from "./fault-proxy";
import { fatesOf, reportFates } from "./kill-outcome";
import { withProduct } from "./product";
import { type Ordering, type Worker, startWorker } from "./worker";

/** Looks, over a connection of its own, whether an intent is on record while its request is at the service. */
type Witness = {
  /** Passes the answer on after a look at the intent. */
  watching: (intentId: string) => Fault;
  looks: () => number;
  found: () => number;
  close: () => Promise<void>;
};

async function openWitness(databaseUrl: string): Promise<Witness> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  let [looks, found] = [0, 0];
  const look = async (intentId: string) => {
    looks += 1;
    const { rowCount } = await client.query(
      "select 1 from bank_intent where id = $1 and state = 'SENDING' and attempts > 0",
      [intentId],
    );
    found += rowCount ?? 0;
  };
  return {
    watching: (intentId) => ({
      name: "witness",
      isForwarded: true,
      strike: (socket, { head, body }) => {
        void look(intentId).then(() => socket.end(Buffer.concat([head, body])));
      },
    }),
    looks: () => looks,
    found: () => found,
    close: () => client.end(),
  };
}

const USAGE = "npm run bench:bank -- lost-answers [--transfers 1000] [--seed NUMBER]";

const ROUTE = "POST /v1/bank-accounts/generateInternalTransferRequest";
const FAULTS: readonly Fault[] = [
  lostAnswer,
  lostAnswer,
  afterExecution(closedAtStart),
  afterExecution(cutInHead),
  afterExecution(cutInBody),
  cutAtStart,
  status(500),
  status(503),
];
/** So many in a row, and nobody is told what became of it. */
const TOO_MANY = 20;
/** A lane that was closed for the provider's silence is tried again within this. */
const LANE_CLOSED_MS = 4_000;
const ROUNDS = 30;

const Said = z.string().nullable();

/** What befalls one transfer: a few faults, or nothing but a look, so often that the lane stays open. */
function arm({ proxy, dice, witness }: Run, intentId: string): void {
  proxy.heal();
  if (dice.chance(80)) return proxy.harm(ROUTE, witness.watching(intentId), 1);
  if (dice.chance(2)) return proxy.harm(ROUTE, dice.pick(FAULTS), TOO_MANY);
  const faults = 1 + dice.below(3);
  for (let nth = 0; nth < faults; nth += 1) proxy.harm(ROUTE, dice.pick(FAULTS), 1);
}

const ask = async (worker: Worker, asked: Ordering) => Said.parse(await worker.ask(asked));

type Parties = { accountIdFrom: string; accountIdTo: string };
type Run = {
  worker: Worker;
  proxy: FaultProxy;
  dice: Dice;
  witness: Witness;
  transfers: number;
  parties: Parties;
};

async function orderAll(run: Run): Promise<string[]> {
  const { worker, proxy, dice, transfers, parties } = run;
  const staffId = randomUUID();
  const ordered: string[] = [];
  const said: Record<string, number> = {};
  while (ordered.length < transfers) {
    const order = { intentId: randomUUID(), ...parties, amount: `${dice.below(9)}.0${1 + dice.below(9)}` };
    ordered.push(order.intentId);
    arm(run, order.intentId);
    const outcome = (await ask(worker, { kind: "order", staffId, order })) ?? "nothing";
    said[outcome] = (said[outcome] ?? 0) + 1;
    if (outcome !== "DONE") await pause(LANE_CLOSED_MS);
  }
  const outcomes = Object.entries(said).map(([outcome, times]) => `${outcome} ${times}`);
  say(`  ${proxy.requests(ROUTE)} requests for ${transfers} transfers; people were told: ${outcomes.join(", ")}`);
  return ordered;
}

export async function take(flags: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...flags],
    options: {
      transfers: { type: "string", default: "1000" },
      seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    },
  });
  const [transfers, seed] = [Number(values.transfers), Number(values.seed)];
  if (!Number.isInteger(transfers) || transfers < 1 || !Number.isInteger(seed)) throw new Refusal(USAGE);
  say(`\n${transfers} transfers whose answers are lost, seed ${seed}`);
  return withProduct({}, async ({ service, consoleEnvironment }, onClose) => {
    const [from, to] = await populate(service, 2);
    if (from === undefined || to === undefined) throw new Error("there are too few accounts");
    const proxy = await startFaultProxy(service.origin);
    onClose(proxy.stop);
    // What the console allows itself in a minute is another figure's matter.
    const environment: Record<string, string> = {
      ...consoleEnvironment(proxy.origin),
      BANK_CALLS_PER_MINUTE: "100000",
    };
    const worker = startWorker("order", environment);
    onClose(worker.stop);
    const parties = { accountIdFrom: from.accountId, accountIdTo: to.accountId };
    // Its answer says that the store is there, migrated.
    await ask(worker, { kind: "take-up" });
    const witness = await openWitness(environment["DATABASE_URL"] ?? "");
    onClose(witness.close);
    const ordered = await orderAll({ worker, proxy, dice: rollDice(seed), witness, transfers, parties });
    proxy.heal();
    for (let round = 0; round < ROUNDS; round += 1) await ask(worker, { kind: "take-up" });
    const isWitnessed = printBounds([
      bound(`intents on record while the service had them, of ${witness.looks()} looks`, witness.found(), {
        exactly: witness.looks(),
      }),
    ]);
    return reportFates(await fatesOf({ service, from, ordered, environment })) && isWitnessed;
  });
}
