import { describe, expect, it } from "vitest";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { assembleDeposits, type Entry, type Expected, type Facts, type Notice } from "./assemble";
import type { Arrival, Sweep } from "./sweeps";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOON = Date.parse("2026-11-02T15:00:00Z");
const at = (day: number, minute = 0) => new Date(NOON + day * DAY_MS + minute * 60_000);

const place = { addressKey: "0xa", network: "ETHEREUM", asset: "USDT", token: "0xc" } as const;

const entry = (id: string, amount: string, changes: Partial<Entry> = {}): Entry => ({
  ...place,
  id,
  txHash: `0x${id}`,
  amount,
  at: at(0),
  isDated: true,
  state: "confirmed",
  ...changes,
});

const notice = (id: string, amount: string | null, changes: Partial<Notice> = {}): Notice => ({
  ...place,
  id,
  txHash: null,
  amount,
  at: null,
  receivedAt: at(0, 1),
  ...changes,
});

const sweep = (id: string, amount: string, changes: Partial<Sweep> = {}): Sweep => ({
  ...place,
  id,
  amount,
  at: at(0, 5),
  isDated: true,
  isRead: true,
  ...changes,
});

const expected = (id: string, amount: string, changes: Partial<Expected> = {}): Expected => ({
  id,
  amount,
  network: null,
  asset: null,
  dueAt: at(1),
  typedAt: at(-1),
  ...changes,
});

const facts = (changes: Partial<Facts> = {}): Facts => ({
  reference: "known",
  notices: [],
  entries: [],
  sweeps: [],
  expected: [],
  ...changes,
});

const shown = (given: Partial<Facts>) =>
  assembleDeposits(facts(given)).arrivals.map(({ amount, standing, stage, cause }) => ({
    amount,
    standing,
    stage,
    ...(cause !== null && { cause }),
  }));

describe("the class of a deposit", () => {
  it("is arrived, late or twice by what was expected", () => {
    const entries = [entry("1", "10"), entry("2", "10", { at: at(0, 1) }), entry("3", "7", { at: at(2) })];
    expect(shown({ entries, expected: [expected("a", "10.00"), expected("b", "7")] })).toEqual([
      { amount: "10", standing: "arrived", stage: "confirmed" },
      { amount: "10", standing: "twice", stage: "confirmed" },
      { amount: "7", standing: "late", stage: "confirmed" },
    ]);
  });

  it("is unattributed without a reference, and with another amount than expected", () => {
    expect(shown({ reference: "none", entries: [entry("1", "10")] })).toMatchObject([
      { standing: "unattributed", cause: "no-reference" },
    ]);
    expect(shown({ entries: [entry("1", "9")], expected: [expected("a", "10")] })).toMatchObject([
      { standing: "unattributed", cause: "other-amount" },
    ]);
  });

  it("says that the asset is not told where it is asked for", () => {
    const entries = [entry("1", "10", { asset: null, token: null })];
    expect(shown({ entries, expected: [expected("a", "10", { asset: "USDT" })] })).toMatchObject([
      { standing: "untold" },
    ]);
    expect(shown({ entries, expected: [expected("a", "10")] })).toMatchObject([{ standing: "arrived" }]);
    expect(shown({ entries })).toMatchObject([{ standing: "untold", cause: "unexpected" }]);
  });

  it("takes the asset from its sweep, where neither event nor entry tells it", () => {
    const entries = [entry("1", "10", { asset: null, token: null })];
    const sweeps = [sweep("s", "10")];
    expect(shown({ entries, sweeps, expected: [expected("a", "10", { asset: "usdt" })] })).toMatchObject([
      { standing: "arrived", stage: "swept" },
    ]);
  });

  it("expects a contract as well as a symbol, and no other asset", () => {
    const entries = [entry("1", "10")];
    const given = (asset: string) => shown({ entries, expected: [expected("a", "10", { asset })] })[0]?.standing;
    expect(["USDT", "0xC", "ETH"].map(given)).toEqual(["arrived", "arrived", "unattributed"]);
  });

  it("gives the most precise expectation its arrival first", () => {
    const entries = [entry("1", "10"), entry("2", "10", { asset: "USDC", token: "0xd", at: at(0, 1) })];
    const wanted = [expected("a", "10", { dueAt: at(0, 30) }), expected("b", "10", { asset: "USDT" })];
    expect(shown({ entries, expected: wanted }).map(({ standing }) => standing)).toEqual(["arrived", "arrived"]);
  });
});

describe("the evidence of a deposit", () => {
  it("counts an event and its entry once, with or without a hash", () => {
    const entries = [entry("1", "10"), entry("2", "10", { at: at(0, 2) })];
    const notices = [notice("n", "10", { txHash: "1" }), notice("m", "10.0")];
    expect(shown({ entries, notices })).toHaveLength(2);
  });

  it("keeps an event that no entry bears out yet, and none without an amount", () => {
    expect(shown({ notices: [notice("n", "10"), notice("m", null)] })).toMatchObject([{ stage: "told" }]);
  });

  it("gives a dropped entry no class, and expects its amount again", () => {
    const given = facts({
      entries: [entry("1", "10", { state: "dropped" })],
      notices: [notice("n", "10", { txHash: "0x1" })],
      expected: [expected("a", "10")],
    });
    const { arrivals, fulfilled } = assembleDeposits(given);
    expect(arrivals).toMatchObject([{ stage: "dropped", standing: null }]);
    expect([...fulfilled]).toEqual([]);
  });

  it("tells an unconfirmed entry apart", () => {
    expect(shown({ entries: [entry("1", "10", { state: "unconfirmed" })] })).toMatchObject([{ stage: "unconfirmed" }]);
  });
});

describe("the sweep witness", () => {
  it("finds one deposit, and each part of a sum", () => {
    const entries = [entry("1", "3"), entry("2", "4", { at: at(0, 1) })];
    expect(shown({ entries, sweeps: [sweep("s", "7")] }).map(({ stage }) => stage)).toEqual(["swept", "swept"]);
  });

  it("settles by a later sweep what one alone leaves open", () => {
    const entries = [entry("1", "3"), entry("2", "4"), entry("3", "7")];
    const one = shown({ entries, sweeps: [sweep("s", "7")] });
    expect(one.map(({ stage }) => stage)).toEqual(["confirmed", "confirmed", "confirmed"]);
    const all = shown({ entries, sweeps: [sweep("s", "7"), sweep("t", "3"), sweep("u", "4", { at: at(0, 6) })] });
    expect(all.map(({ stage }) => stage)).toEqual(["swept", "swept", "swept"]);
  });

  it("waits until the address was read, and then says what is missing of a sum", () => {
    const notices = [notice("n", "3")];
    expect(shown({ notices, sweeps: [sweep("s", "7", { isRead: false })] })).toHaveLength(1);
    expect(shown({ notices, sweeps: [sweep("s", "7")] })).toMatchObject([
      { amount: "3", stage: "swept" },
      { amount: "4", stage: "summed" },
    ]);
  });

  it("invents nothing of a sweep that is smaller than what arrived", () => {
    expect(shown({ entries: [entry("1", "10")], sweeps: [sweep("s", "9.9")] })).toMatchObject([
      { amount: "10", stage: "confirmed" },
    ]);
  });

  it("takes an entry with a time before a second report without one", () => {
    const given = { entries: [entry("1", "7")], notices: [notice("n", "7", { receivedAt: at(2) })] };
    expect(shown({ ...given, sweeps: [sweep("s", "7")], expected: [expected("a", "7")] })).toEqual([
      { amount: "7", standing: "arrived", stage: "swept" },
      { amount: "7", standing: "twice", stage: "told" },
    ]);
  });

  it("leaves what arrived later or in another asset to another sweep", () => {
    const entries = [entry("1", "7", { at: at(1) }), entry("2", "7", { token: "0xd", asset: "USDC" })];
    const found = shown({ entries, sweeps: [sweep("s", "7", { isRead: false })] });
    expect(found.map(({ stage }) => stage)).toEqual(["confirmed", "confirmed"]);
  });
});

/** The same numbers for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Truth = { standing: string; amount: string };
type World = { facts: Facts; truth: Truth[]; faults: Set<string> };

const DEPOSITS = 1_000;
const FAULTY = 0.05;

/** One reference with what was paid to it, and what a faulty provider tells of that. */
function worldOf(nth: number, random: () => number): World {
  const isFaulty = () => random() < FAULTY;
  const faults = new Set<string>();
  const happens = (fault: string) => {
    const does = isFaulty();
    if (does) faults.add(fault);
    return does;
  };
  const addressKey = `0x${nth}`;
  const tellsAsset = nth % 2 === 0;
  const asset = tellsAsset ? { asset: "USDT", token: "0xc" } : { asset: null, token: null };
  const amount = `${1 + Math.floor(random() * 9_000)}.${1 + Math.floor(random() * 9)}`;
  const isLate = happens("late");
  const isTwice = happens("twice");
  const isPlain = nth % 10 !== 9;
  const day = isLate ? 3 : 0;
  const paid = [{ id: `${nth}-1`, amount, at: at(day), standing: isLate ? "late" : "arrived" }];
  if (isTwice) paid.push({ id: `${nth}-2`, amount, at: at(day, 7), standing: "twice" });
  const truth = paid.map(({ standing, ...one }) => ({
    standing: isPlain ? standing : "unattributed",
    amount: one.amount,
  }));
  const isSum = isTwice || happens("sum");
  const notices: Notice[] = [];
  const entries: Entry[] = [];
  for (const one of paid) {
    const isLost = happens("lost");
    const told = { addressKey, network: tellsAsset ? ("ETHEREUM" as const) : null, ...asset, amount: one.amount };
    const tx = tellsAsset ? { txHash: `0x${one.id}`, at: one.at } : { txHash: null, at: null };
    const receivedAt = new Date(one.at.getTime() + (happens("reordered") ? 90 : 1) * 60_000);
    if (!isLost) notices.push({ id: `n${one.id}`, ...told, ...tx, receivedAt });
    const tooSpelt = { addressKey, network: "ETHEREUM" as const, ...asset, amount: `${one.amount}0` };
    // Lost events' addresses are read when their sweep is seen, others when their event comes: some never answer.
    if (!happens("unread"))
      entries.push({ id: `e${one.id}`, ...tooSpelt, txHash: one.id, at: one.at, isDated: true, state: "confirmed" });
  }
  const sweepOf = (id: string, sum: string): Sweep => ({
    id,
    addressKey,
    network: "ETHEREUM",
    token: "0xc",
    asset: "USDT",
    amount: sum,
    at: at(day, 60),
    isDated: true,
    isRead: true,
  });
  const total = decimalOf(paid.reduce((sum, one) => sum + unitsOf(one.amount), 0n));
  const sweeps = isSum ? [sweepOf(`s${nth}`, total)] : paid.map((one) => sweepOf(`s${one.id}`, one.amount));
  const wanted = isPlain ? [expected(`x${nth}`, amount, { dueAt: at(1) })] : [];
  return {
    facts: { reference: isPlain ? "known" : "none", notices, entries, sweeps, expected: wanted },
    truth,
    faults,
  };
}

const reversed = (given: Facts): Facts => ({
  ...given,
  notices: given.notices.toReversed(),
  entries: given.entries.toReversed(),
  sweeps: given.sweeps.toReversed(),
});

const doubled = (given: Facts): Facts => ({
  ...given,
  notices: [...given.notices, ...given.notices.filter(({ txHash }) => txHash !== null)],
});

const totalOf = (rows: readonly { amount: string }[]) => rows.reduce((sum, { amount }) => sum + unitsOf(amount), 0n);
const classesOf = (rows: readonly Pick<Arrival, "standing">[]) =>
  rows.map(({ standing }) => String(standing)).toSorted();

describe("a thousand deposits, one in twenty faulty in each way", () => {
  it.each([1, 2, 3])("puts each in its class and invents none, seed %i", (seed) => {
    const random = seeded(seed);
    const worlds = Array.from({ length: DEPOSITS }, (_, nth) => worldOf(nth, random));
    const told = new Set(worlds.flatMap(({ faults }) => [...faults]));
    expect([...told].toSorted()).toEqual(["late", "lost", "reordered", "sum", "twice", "unread"]);
    const classes = worlds.map(({ facts: given }) => classesOf(assembleDeposits(given).arrivals));
    const truths = worlds.map(({ truth }) => truth.map(({ standing }) => standing).toSorted());
    const isWhole = (nth: number) => classes[nth]?.length === truths[nth]?.length;
    expect(classes.filter((_, nth) => isWhole(nth))).toEqual(truths.filter((_, nth) => isWhole(nth)));
    const sums = worlds.map(({ facts: given }) => totalOf(assembleDeposits(given).arrivals));
    expect(sums).toEqual(worlds.map(({ truth }) => totalOf(truth)));
    for (const as of [reversed, doubled])
      expect(worlds.map(({ facts: given }) => classesOf(assembleDeposits(as(given)).arrivals))).toEqual(classes);
    // Both deposits of a sum lost and unread: the sum says so in one row.
    expect(worlds.filter((_, nth) => !isWhole(nth)).length).toBeLessThanOrEqual(1);
  });
});

const standings = ({ arrivals }: ReturnType<typeof assembleDeposits>) => arrivals.map(({ standing }) => standing);

describe("a deposit whose entry tells its asset in a word alone", () => {
  const coin = { token: "", asset: "ETH" };
  const word = { token: null, asset: "\u0415TH" };

  it("fits what is expected of that word, and nothing that looks like it", () => {
    const wanted = [expected("e", "1", { asset: "ETH" })];
    expect(standings(assembleDeposits(facts({ entries: [entry("a", "1", coin)], expected: wanted })))).toEqual([
      "arrived",
    ]);
    expect(standings(assembleDeposits(facts({ entries: [entry("a", "1", word)], expected: wanted })))).toEqual([
      "unattributed",
    ]);
  });

  it("is not taken along by a sweep of another word", () => {
    const swept = (of: Partial<Sweep>) =>
      assembleDeposits(facts({ entries: [entry("a", "1", word)], sweeps: [sweep("s", "1", of)] })).arrivals[0]?.stage;
    expect([swept(coin), swept(word), swept({ token: null, asset: null })]).toEqual(["confirmed", "swept", "swept"]);
  });
});
