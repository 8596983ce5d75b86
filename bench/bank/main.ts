import { Refusal, run, runProgram, say } from "@/scripts/program.mjs";

/** One thing that is promised of the bank's client, and the measurement that holds it to that. */
type Figure = {
  name: string;
  says: string;
  /** Its module; `take` prints what it measured and answers whether the bound holds. */
  load: () => Promise<{ take: (flags: readonly string[]) => Promise<boolean> }>;
};

const figures: readonly Figure[] = [
  {
    name: "cold-cache",
    says: "500 calls at once in 4 processes that hold no token: 1 token request",
    load: async () => ({ take: (await import("./tokens")).coldCache }),
  },
  {
    name: "unauthorised",
    says: "500 calls answered 401 at once in 4 processes: 1 renewal, 500 retries, no third try",
    load: async () => ({ take: (await import("./tokens")).unauthorised }),
  },
  {
    name: "hop",
    says: "a balance through the console beside a bare Next route handler that passes the call on: at most twice its time",
    load: () => import("./hop"),
  },
  {
    name: "front-server",
    says: "a page's first byte behind the front server (headers, nonce, refusals) beside Next alone: at most 1.25 times its time",
    load: () => import("./front-server"),
  },
  {
    name: "kills",
    says: "kill -9 at every point of a transfer: at most one payment per intent, none undecided",
    load: () => import("./kills"),
  },
  {
    name: "lost-answers",
    says: "1,000 transfers whose answers are lost: at most one payment per intent, none undecided",
    load: () => import("./lost-answers"),
  },
  {
    name: "faults",
    says: "every kind of fault × every endpoint: bounded time, a typed error, nothing carried out twice",
    load: () => import("./faults"),
  },
  {
    name: "viewers",
    says: "1,000 people with the KYC queue open for 3 minutes at 2 instances: the provider is asked as for one",
    load: () => import("./viewers"),
  },
  {
    name: "staff-storm",
    says: "300 people clicking at random at 2 instances: at most 180 calls in any 60 s, no 429, money waits less than 250 ms",
    load: () => import("./staff-storm"),
  },
  {
    name: "outage",
    says: "the provider down for a minute under 100 people: at most 60 calls leave, and within 5 s of its end one is answered",
    load: () => import("./outage"),
  },
  {
    name: "lowered",
    says: "the provider lowers its limit to 50 under 100 people: adapted within a minute, at most 1.1 calls for each answered",
    load: () => import("./lowered"),
  },
];

const USAGE = [
  "npm run bench:bank -- [FIGURE [flags]]",
  ...figures.map(({ name, says }) => `  ${name.padEnd(16)}${says}`),
].join("\n");

async function takeOne(name: string, flags: readonly string[]): Promise<boolean> {
  const figure = figures.find((known) => known.name === name);
  if (figure === undefined) throw new Refusal(`There is no figure "${name}".\n${USAGE}`);
  const { take } = await figure.load();
  return take(flags);
}

/** Each in a process of its own: what one leaves in memory is not the next one's. */
async function takeAll(): Promise<boolean> {
  const missed: string[] = [];
  for (const { name, says } of figures) {
    say(`\n${name}: ${says}`);
    const { ok } = await run(process.execPath, ["--import", "tsx", "bench/bank/main.ts", name]);
    if (!ok) missed.push(name);
  }
  say(missed.length === 0 ? `\nAll ${figures.length} figures are met.` : `\nMISSED: ${missed.join(", ")}`);
  return missed.length === 0;
}

async function bench(): Promise<void> {
  const [name, ...flags] = process.argv.slice(2);
  if (name === "help") return say(USAGE);
  const isMet = await (name === undefined ? takeAll() : takeOne(name, flags));
  if (!isMet) process.exitCode = 1;
}

await runProgram(import.meta.url, bench);
