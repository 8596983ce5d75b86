import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { say, seconds } from "@/scripts/program.mjs";
import type { Books, Desk, Policy } from "./product";
import { type Answer, HANG_MS, read, signIn } from "./wire";

/** One write, sent many times at once. */
export type Blow = {
  write: string;
  /** Null: no policy applies. */
  policy: Policy | null;
  says: string;
  asked: readonly (() => Promise<Answer>)[];
  /** The most that may leave or be proposed. */
  most: number;
  /** The least that must be accepted: a suite whose orders are all refused proves nothing. */
  least: number;
};

export type Outcome = { answers: readonly Answer[]; proposals: readonly string[] };

const WAITED = ["page", "health", "sign-in"] as const;
export type Waited = Record<(typeof WAITED)[number], number>;

const BYSTANDER = { email: "auditor@retaguarda.demo", password: "retaguarda-demo", page: "/transfers" };

/** A busy product answers 503. */
const isNoAnswer = ({ status }: Answer) => status === 0 || (status >= 500 && status !== 503);

type Look = { waited: Partial<Waited>; faults: string[] };

/** Checking a password costs more than all of somebody else's other requests. */
const SIGN_INS_APART_MS = 3_000;
const LOOKS_APART_MS = 1_000;
const QUIET_LOOKS = 3;

/** How long an uninvolved person waits now. */
async function lookAt({ url, bystander }: Desk, signsIn: boolean): Promise<Look> {
  const asked = {
    page: read(url, bystander, BYSTANDER.page, HANG_MS),
    health: read(url, { ...bystander, cookie: "" }, "/api/health", HANG_MS),
    ...(signsIn && { "sign-in": signIn(url, BYSTANDER) }),
  };
  const waited: Partial<Waited> = {};
  const faults: string[] = [];
  for (const name of WAITED) {
    const answer = await asked[name];
    if (answer === undefined) continue;
    waited[name] = answer.tookMs;
    if (!isNoAnswer(answer) && (name !== "sign-in" || answer.ok)) continue;
    faults.push(`somebody else's ${name}: ${answer.word} after ${seconds(answer.tookMs)}`);
  }
  return { waited, faults };
}

/** The longest wait for each kind of request; 0 when none was made. */
function longestOf(looks: readonly Look[]): Waited {
  const longest = (name: (typeof WAITED)[number]) => Math.max(...looks.map(({ waited }) => waited[name] ?? 0));
  return { page: longest("page"), health: longest("health"), "sign-in": longest("sign-in") };
}

/** An uninvolved person, the same for all desks. */
export async function standBy(desk: Desk) {
  let looking: Promise<Look> | null = null;
  let nextSignInMs = 0;
  const look = () => {
    const signsIn = performance.now() > nextSignInMs;
    looking ??= lookAt(desk, signsIn).finally(() => {
      looking = null;
      if (signsIn) nextSignInMs = performance.now() + SIGN_INS_APART_MS;
    });
    return looking;
  };
  const quiet = [];
  for (let nth = 0; nth < QUIET_LOOKS; nth += 1) quiet.push(await lookAt(desk, true));
  /** Their waiting times until this is over. */
  async function beside(work: Promise<unknown>): Promise<{ longest: Waited; faults: string[] }> {
    const over = new AbortController();
    const end = () => over.abort();
    const done = work.then(end, end);
    const looks = [await look()];
    while (!over.signal.aborted) {
      await Promise.race([done, pause(LOOKS_APART_MS)]);
      if (!over.signal.aborted) looks.push(await look());
    }
    return { longest: longestOf(looks), faults: [...new Set(looks.flatMap(({ faults }) => faults))] };
  }
  return { quiet: longestOf(quiet.slice(1)), beside };
}
export type Bystander = Awaited<ReturnType<typeof standBy>>;

const Waiting = z.object({ rows: z.array(z.object({ id: z.string() })), totalPages: z.int() });

/** This desk's pending requests. */
async function waitingAt({ url, bystander }: Desk): Promise<string[]> {
  const found: string[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data } = await read(url, bystander, `/api/approvals?view=waiting&page=${page}`);
    const { rows, totalPages } = Waiting.parse(JSON.parse(String(data)));
    found.push(...rows.map(({ id }) => id));
    pages = totalPages;
  }
  return found;
}

const isProposed = ({ data }: Answer) =>
  typeof data === "object" && data !== null && "state" in data && data.state === "PROPOSED";

function tally(words: readonly string[]): string {
  const times = new Map<string, number>();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  return [...times].map(([word, count]) => `${count} × ${word}`).join(", ");
}

/** The results in words. */
export function told(answers: readonly Answer[]): string {
  const refused = answers.filter((answer) => !answer.ok && !isNoAnswer(answer)).map(({ word }) => word);
  const lost = answers.filter(isNoAnswer).map(({ word }) => word);
  return [
    `taken ${answers.filter(({ ok }) => ok).length}`,
    ...(refused.length === 0 ? [] : [`refused ${tally(refused)}`]),
    ...(lost.length === 0 ? [] : [`NO ANSWER ${tally(lost)}`]),
  ].join("; ");
}

const sum = (books: Books) => [...books.values()].reduce((total, count) => total + count, 0);

/** Only a write changes these. */
const MOVED = ["coins on chain", "transfers in the ledger", "held or blocked", "KYC decisions", "closed accounts"];

function since(before: Books, after: Books): Books {
  const more = [...after].map(([name, count]): [string, number] => [name, count - (before.get(name) ?? 0)]);
  return new Map(more.filter(([, count]) => count !== 0));
}

const listed = (books: Books) => [...books].map(([name, count]) => `${count} ${name}`).join(", ");

function judge({ most, least }: Blow, answers: readonly Answer[], came: number): string[] {
  const lost = answers.filter(isNoAnswer).length;
  const taken = answers.filter(({ ok }) => ok).length;
  return [
    ...(lost === 0 ? [] : [`${lost} got no answer`]),
    ...(came <= most ? [] : [`${came} left or wait for approval, ${most} at most may`]),
    ...(taken >= least ? [] : [`${taken} were taken, ${least} should be at least`]),
  ];
}

export type Result = { tried: string; came: string; isRepelled: boolean };

/** `within` null: somebody else's waiting time is printed but not judged, except a hang. */
type Watch = {
  desk: Desk;
  bystander: Bystander;
  count: () => Promise<Books>;
  within: Waited | null;
  results: Result[];
};

/** For one desk, one write after another. */
export async function watchDesk({ desk, bystander, count, within, results }: Watch) {
  const first = await count();
  let counted: Books = new Map();
  const waiting = new Set<string>();

  const put = (tried: string, came: string, faults: readonly string[]) => {
    results.push({ tried, came: [came, ...faults].join("; "), isRepelled: faults.length === 0 });
    say(`${faults.length === 0 ? "✓" : "✗"} ${tried}: ${came}${faults.map((fault) => `\n    ✗ ${fault}`).join("")}`);
  };

  async function proposedBy(answers: readonly Answer[]): Promise<string[]> {
    if (!answers.some(isProposed)) return [];
    const fresh = (await waitingAt(desk)).filter((id) => !waiting.has(id));
    for (const id of fresh) waiting.add(id);
    return fresh;
  }

  /** Sends it, waits for all of it, counts what left, and prints a line. */
  async function stir(blow: Blow): Promise<Outcome> {
    const before = await count();
    const startedAtMs = performance.now();
    const sending = Promise.all(blow.asked.map((send) => send()));
    const { longest, faults } = await bystander.beside(sending);
    const answers = await sending;
    const left = since(before, await count());
    counted = new Map(MOVED.map((name) => [name, (counted.get(name) ?? 0) + (left.get(name) ?? 0)]));
    const proposals = await proposedBy(answers);
    const came = sum(left) + proposals.length;
    const slow = WAITED.filter((name) => within !== null && longest[name] > within[name]);
    const all = [
      ...judge(blow, answers, came),
      ...faults,
      ...slow.map((name) => `somebody else's ${name} took ${seconds(longest[name])}`),
    ];
    const parts = [
      told(answers),
      ...(proposals.length === 0 ? [] : [`proposed ${proposals.length}`]),
      `left ${sum(left)}${left.size === 0 ? "" : ` (${listed(left)})`}`,
      `${seconds(performance.now() - startedAtMs)}, while somebody else waited ${WAITED.filter(
        (name) => longest[name] > 0,
      )
        .map((name) => `${Math.round(longest[name])} ms for ${name}`)
        .join(", ")}`,
    ];
    put(`${blow.policy ?? "any policy"} │ ${blow.write} │ ${blow.says}`, parts.join("; "), all);
    if (longest.health >= HANG_MS && longest.page >= HANG_MS) throw new Error("the product answers nobody any more");
    return { answers, proposals };
  }

  /** Counts what queues and watches sent after the answers. */
  async function settle(): Promise<void> {
    const late = since(counted, since(first, await count()));
    const moved = new Map([...late].filter(([name]) => MOVED.includes(name)));
    put(
      `${desk.policy} │ what left later than it was answered`,
      listed(moved) || "nothing",
      moved.size === 0 ? [] : ["more left than was counted"],
    );
  }

  return { stir, settle };
}
