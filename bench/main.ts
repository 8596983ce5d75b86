import { Refusal, runProgram, say } from "@/scripts/program.mjs";

type Measure = (flags: string[]) => Promise<boolean>;

const benches: Record<string, { says: string; load: () => Promise<{ measure: Measure }> }> = {
  "pages [--rounds 5] [--only TEXT]": {
    says: "what a person waits for on each list and record",
    load: () => import("./pages/main"),
  },
  "statement [--entries 100000]": {
    says: "an account of a hundred thousand entries: first rows, rows in the DOM, its files and their memory",
    load: () => import("./statement/main"),
  },
  "transfers [--rounds 3] [--only TEXT]": {
    says: "one transfer in two tabs, fifty times at once and across kill -9: one payment",
    load: () => import("./transfers/main"),
  },
  "kills [--kills 200] [--database both|pglite|postgres] [--seed NUMBER]": {
    says: "consoles killed at every point of a transfer, or whose answers are lost: at most one payment, none undecided",
    load: () => import("@/bench/provider/kills"),
  },
  "coins [--sends 20]": {
    says: "sends of coins of each address family, answers lost, consoles killed, held: each ends once, with its hash",
    load: () => import("./coins/main"),
  },
  "night [--count 2000] [--people 5,40]": {
    says: "one night of as many accounts and wallets on a clock of its own: when what was read, beside people's calls",
    load: () => import("./night/main"),
  },
  "finance [--entries 100000] [--sources 2000] [--rounds 20] [--only TEXT]": {
    says: "what the lists, sums and position of finance take to read, of many accounts, wallets and entries",
    load: () => import("./finance/main"),
  },
  "deliveries [--rate 100] [--seconds 60] [--database both|embedded|postgres]": {
    says: "webhook deliveries at a steady rate: all acknowledged, and how long each took",
    load: () => import("./deliveries/main"),
  },
  "storm [--kills 100] [--database both|pglite|postgres] [--seed NUMBER]": {
    says: "the service killed under the load of 16 clients: nothing acknowledged is lost or doubled",
    load: () => import("./storm/main"),
  },
};

const USAGE = Object.entries(benches).map(([how, { says }]) => `npm run bench -- ${how}\n  ${says}`);

/** Exits with 1 when a bound is missed. */
await runProgram(import.meta.url, async () => {
  const [name = "", ...flags] = process.argv.slice(2);
  const [, bench] = Object.entries(benches).find(([how]) => how.split(" ")[0] === name) ?? [];
  if (bench === undefined) throw new Refusal(USAGE.join("\n"));
  say(`${name}: ${bench.says}\n`);
  if (!(await (await bench.load()).measure(flags))) process.exitCode = 1;
});
