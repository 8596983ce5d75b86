// Kills the built product's console by kill -9 between any two steps of a send of coins and starts it again on its
// data, then restores older
// copies of its store. Exits with 1 when something left twice, or when chain, record and screens disagree for two
// minutes.
import { parseArgs } from "node:util";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { INTENT_STEPS } from "@/lib/provider/intents/intent";
import { openTestServer } from "@/scripts/checks/checks.mjs";
import { say, seconds } from "@/scripts/program.mjs";
import { agreedAs, type Chain, lookAt, openChain, requestsAt, saysSeen, type Send } from "./agreement";
import { type Mortal, startMortalProduct, strikeWithin } from "./mortal";
import { type Database, DATABASES } from "./product";
import { act, type Answer, newId, type Person } from "./wire";
import { byTurns, coins, offerOf, seen } from "./writes";

const { values } = parseArgs({
  options: {
    database: { type: "string" },
    /** Kills at a random moment, for each. */
    rounds: { type: "string", default: "3" },
    /** Only those whose title contains one of these, separated by commas. */
    only: { type: "string" },
  },
});

const STEPS = INTENT_STEPS.flatMap((step) => (step === "send-noted" ? [step, "on-the-wire"] : [step]));
const AGREE_WITHIN_MS = 120_000;
const SHORTLY_MS = 400;
/** A sweep of the wallets and one of the approvals. */
const SWEEPS_MS = 7_000;
const AT_ONCE = 4;

type Playing = { mortal: Mortal; chain: Chain; send: Send };
type Life = Pick<Send, "says" | "policy"> & {
  isHeld?: boolean;
  /** Runs until the console is dead. */
  play: (playing: Playing) => Promise<void>;
};

const Proposed = z.object({ state: z.literal("PROPOSED"), approvalId: z.string() });

const order = (mortal: Mortal, send: Send, { by, intentId }: { by: Person; intentId: string }): Promise<Answer> => {
  const input = { ...coins({ walletId: send.walletId, amount: send.typed }), intentId };
  return act(mortal.desk(send.policy).url, by, { ...offerOf(mortal.offers, "wallets.sendCoins"), input });
};

const maker = (mortal: Mortal, { policy }: Send, place = 0) => byTurns(mortal.desk(policy).makers, 3, place);

const orderFirst = (mortal: Mortal, send: Send) =>
  order(mortal, send, { by: maker(mortal, send), intentId: send.intentId });

async function propose({ mortal, send }: Playing): Promise<string> {
  const { data, word } = await orderFirst(mortal, send);
  const proposed = Proposed.safeParse(data);
  if (!proposed.success) throw new Error(`${send.says} was not proposed: ${word}`);
  return proposed.data.approvalId;
}

async function authorise(mortal: Mortal, { policy }: Pick<Send, "policy">, approvalId: string): Promise<Answer> {
  const { url, approvers } = mortal.desk(policy);
  const offer = offerOf(mortal.offers, "writes.authoriseApproval");
  return act(url, byTurns(approvers, 1, 0), { ...offer, input: { approvalId } });
}

async function release({ mortal, chain, send }: Playing): Promise<void> {
  const { held_id: antifraudId } = await chain.count(send);
  if (antifraudId === null) throw new Error(`${send.says} is not held`);
  await mortal.desk(send.policy).provider.decideHeld(antifraudId, "RELEASE");
}

const atStep = (step: string, way: "alone" | "authorised", isHeld = false): Life => ({
  says: `${way}, ${isHeld ? "held, " : ""}${step}`,
  policy: way === "alone" ? "never" : "always",
  isHeld,
  play: async (playing) => {
    const { mortal, send } = playing;
    const approvalId = way === "alone" ? null : await propose(playing);
    mortal.dieAt({ step, intentId: send.intentId });
    await (approvalId === null ? orderFirst(mortal, send) : authorise(mortal, send, approvalId));
    if (!(await mortal.isDead())) send.faults.push(`it never came to ${step}`);
  },
});

const byChance = (says: string, play: (playing: Playing) => Promise<unknown>, isHeld = false): Life[] =>
  Array.from({ length: Number(values.rounds) }, (_, round) => ({
    says: `${says} (${round + 1})`,
    policy: says.startsWith("alone") ? "never" : "always",
    isHeld,
    play: async (playing) => void (await play(playing)),
  }));

const LIVES: readonly Life[] = [
  ...STEPS.map((step) => atStep(step, "alone")),
  ...byChance("authorised, as it is proposed", ({ mortal, send }) =>
    Promise.all([orderFirst(mortal, send), strikeWithin(mortal, SHORTLY_MS)]),
  ),
  {
    says: "authorised, after it was proposed",
    policy: "always",
    play: async (playing) => void (await propose(playing)),
  },
  ...byChance("authorised, as it is authorised", async (playing) => {
    const { mortal, send } = playing;
    const approvalId = await propose(playing);
    await Promise.all([authorise(mortal, send, approvalId), strikeWithin(mortal, SHORTLY_MS)]);
  }),
  ...STEPS.map((step) => atStep(step, "authorised")),
  ...["answered", "in-save", "saved"].map((step) => atStep(step, "authorised", true)),
  {
    says: "alone, held",
    policy: "never",
    isHeld: true,
    play: async ({ mortal, send }) => void (await orderFirst(mortal, send)),
  },
  ...byChance(
    "alone, released",
    async (playing) => {
      await orderFirst(playing.mortal, playing.send);
      await release(playing);
      await strikeWithin(playing.mortal, SWEEPS_MS);
    },
    true,
  ),
];

/** Older copies of the store are restored from before and within these. */
const COPIED = [
  "alone, send-noted",
  "alone, saved",
  "authorised, after it was proposed",
  "authorised, row-committed",
  "authorised, on-the-wire",
  "authorised, held, saved",
];
const FIRST = "first";
const copyOf = (says: string) => `copy_${LIVES.findIndex((life) => life.says === says)}`;

async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const takeTurns = async () => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
}

async function furnish(mortal: Mortal, lives: readonly Life[]): Promise<Map<Life, Send>> {
  const sends = new Map<Life, Send>();
  for (const [place, life] of lives.entries()) {
    const { policy, says, isHeld = false } = life;
    const { provider } = mortal.desk(policy);
    const { walletId, address } = await provider.createWallet("EVM");
    await provider.deposit({ network: "ETHEREUM", amount: "100", address });
    const whole = isHeld ? "12" : "0";
    const fraction = `50${String(place + 1).padStart(3, "0")}1`;
    const sum = { typed: `${whole},${fraction}`, amount: `${whole}.${fraction}` };
    sends.set(life, { says, policy, walletId, ...sum, intentId: newId(), faults: [] });
  }
  for (const { policy, walletId } of sends.values())
    await seen(mortal.desk(policy), `/api/wallets?search=${walletId}`, walletId);
  return sends;
}

const report: { tried: string; came: string; faults: readonly string[] }[] = [];

function put(tried: string, came: string, faults: readonly string[]): void {
  report.push({ tried, came, faults });
  say(`${faults.length === 0 ? "✓" : "✗"} ${tried}: ${[came, ...faults].join("; ")}`);
}

type Watched = { sends: readonly Send[]; title: string; sinceMs: number };

/** Until chain, record and screens agree on each, or two minutes are over. */
async function untilAgreed(mortal: Mortal, chain: Chain, { sends, title, sinceMs }: Watched): Promise<void> {
  const open = new Set(sends);
  const tookMs = () => performance.now() - sinceMs;
  const look = async (send: Send, isLast: boolean) => {
    const found = await lookAt(chain, mortal.desk(send.policy), send);
    const word = agreedAs(found);
    if (word === null && !isLast) return;
    open.delete(send);
    const faults = [...send.faults, ...(word === null ? ["chain, record and screens disagree"] : [])];
    put(`${title} │ ${send.says}`, `${word ?? saysSeen(found)}, ${seconds(tookMs())} later`, faults);
  };
  while (open.size > 0 && tookMs() < AGREE_WITHIN_MS) {
    await inTurns([...open], (send) => look(send, false));
    if (open.size > 0) await pause(3_000);
  }
  await inTurns([...open], (send) => look(send, true));
}

/** The person orders it once more, somebody else a similar one, and all pending requests are authorised twice. */
async function repeatAll(mortal: Mortal, sends: readonly Send[]): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) {
    await inTurns(sends, async (send) => {
      await orderFirst(mortal, send);
      await order(mortal, send, { by: maker(mortal, send, 1), intentId: newId() });
    });
    const waiting = (await requestsAt(mortal.desk("always"))).filter(({ state }) => state === "PENDING");
    await inTurns(waiting, async ({ id }) => void (await authorise(mortal, { policy: "always" }, id)));
  }
}

async function requireOnce(chain: Chain, sends: readonly Send[], title: string): Promise<void> {
  const counts = new Map<number, number>();
  const twice: string[] = [];
  for (const send of sends) {
    const { left, held } = await chain.count(send);
    counts.set(left + held, (counts.get(left + held) ?? 0) + 1);
    if (left + held > 1) twice.push(`${send.says} left ${left} times, ${held} held`);
  }
  const came = [...counts].toSorted(([one], [other]) => one - other).map(([times, n]) => `${n} left ${times} times`);
  put(title, came.join(", "), twice);
}

async function releaseAll(mortal: Mortal, chain: Chain, sends: readonly Send[]): Promise<Send[]> {
  const held = [];
  for (const send of sends) if ((await chain.count(send)).held > 0) held.push(send);
  for (const send of held) await release({ mortal, chain, send });
  return held;
}

async function kill(database: Database): Promise<void> {
  const only = values.only?.split(",");
  const lives = LIVES.filter(({ says }) => only === undefined || only.some((part) => says.includes(part.trim())));
  const mortal = await startMortalProduct(database);
  const chain = openChain(mortal.booksUrl);
  const sends = await furnish(mortal, lives);
  const all = [...sends.values()];
  await mortal.startAgain(() => mortal.shelf.copy(FIRST));
  for (const [life, send] of sends) {
    await life.play({ mortal, chain, send });
    const isCopied = COPIED.includes(life.says);
    await mortal.startAgain(async () => (isCopied ? mortal.shelf.copy(copyOf(life.says)) : undefined));
    say(`  ${database} │ ${life.says}: killed, and started again`);
  }
  await untilAgreed(mortal, chain, { sends: all, title: database, sinceMs: mortal.startedAtMs() });
  const sinceMs = performance.now();
  const released = await releaseAll(mortal, chain, all);
  await untilAgreed(mortal, chain, { sends: released, title: `${database} │ then released`, sinceMs });
  await repeatAll(mortal, all);
  await requireOnce(chain, all, `${database} │ everything ordered again`);
  for (const says of [FIRST, ...COPIED.filter((one) => lives.some((life) => life.says === one))]) {
    await mortal.startAgain(() => mortal.shelf.putBack(says === FIRST ? FIRST : copyOf(says)));
    await repeatAll(mortal, all);
    await releaseAll(mortal, chain, all);
    const copied = says === FIRST ? "before any was ordered" : `with ${says}`;
    await requireOnce(chain, all, `${database} │ everything ordered again on the store ${copied}`);
  }
  await chain.close();
  await mortal.stop();
}

const startedAtMs = performance.now();
const server = await openTestServer();
process.env["E2E_DATABASE_URL"] = server.url;
for (const database of DATABASES)
  if (values.database === undefined || values.database === database) await kill(database);
await server.stop();
const failed = report.filter(({ faults }) => faults.length > 0);
say(`\n${report.length - failed.length} of ${report.length} held, in ${seconds(performance.now() - startedAtMs)}`);
for (const { tried, came, faults } of failed) say(`✗ ${tried}: ${[came, ...faults].join("; ")}`);
process.exit(failed.length === 0 ? 0 : 1);
