import { beforeEach, describe, expect, it } from "vitest";
import { type Circuit, createCircuit } from "./circuit";
import type { Lane } from "@/lib/db/enums/provider";

let nowMs = 0;
let circuit: Circuit;

beforeEach(() => {
  nowMs = 0;
  circuit = createCircuit({ now: () => nowMs, date: () => new Date(nowMs), sleep: async () => undefined });
});

const dated = (ms: number) => new Date(ms).toISOString();

const fail = (times: number, lane: Lane = "people") => {
  for (let time = 0; time < times; time += 1) circuit.note(lane, false);
};

const isLetThrough = (lane: Lane = "people"): Promise<boolean> =>
  circuit.enter(lane).then(
    () => true,
    () => false,
  );

/** How many callers get through who try ten times a second. */
async function countThrough(lane: Lane, seconds: number): Promise<number> {
  let through = 0;
  for (const endMs = nowMs + seconds * 1_000; nowMs < endMs; nowMs += 100) if (await isLetThrough(lane)) through += 1;
  return through;
}

describe("the circuit of a lane", () => {
  it("lets every call through while the provider answers", async () => {
    for (let call = 0; call < 100; call += 1) circuit.note("people", true);
    fail(4);
    expect(await isLetThrough()).toBe(true);
    expect(circuit.standing().people).toEqual({ isOpen: false });
  });

  it("opens the circuit after five failures in a row, and says when to retry", async () => {
    fail(5);
    nowMs = 1_000;
    const refusal = { code: "circuit-open", retryAfterMs: 2_000, mayHaveExecuted: false };
    await expect(circuit.enter("people")).rejects.toMatchObject({ kind: "unavailable", details: refusal });
    expect(circuit.standing().people).toEqual({ isOpen: true, silentSince: dated(0), untilProbeMs: 2_000 });
  });

  it("dates a silence by the last answer, the same however often it is asked", () => {
    nowMs = 10_000;
    circuit.note("watchers", true);
    for (const atMs of [12_000, 20_000, 28_000, 36_000, 44_000]) {
      nowMs = atMs;
      fail(1, "watchers");
    }
    expect(circuit.standing().watchers).toMatchObject({ isOpen: true, silentSince: dated(10_000) });
    nowMs = 44_999;
    expect(circuit.standing().watchers).toMatchObject({ isOpen: true, silentSince: dated(10_000) });
    circuit.note("people", true);
    nowMs = 50_000;
    fail(1, "watchers");
    expect(circuit.standing().watchers).toMatchObject({ isOpen: true, silentSince: dated(44_999) });
  });

  it("opens the circuit when half of the last twenty calls failed", async () => {
    for (let call = 1; call < 20; call += 1) circuit.note("people", call % 2 === 0);
    expect(await isLetThrough()).toBe(true);
    circuit.note("people", true);
    fail(1);
    expect(await isLetThrough()).toBe(false);
  });

  it("ignores failures of the provider older than a minute", async () => {
    fail(4);
    nowMs = 60_000;
    fail(4);
    expect(await isLetThrough()).toBe(true);
  });

  it("leaves the other lanes' circuits alone", async () => {
    fail(5, "people");
    expect(await Promise.all([isLetThrough("people"), isLetThrough("money"), isLetThrough("watchers")])).toEqual([
      false,
      true,
      true,
    ]);
  });
});

const enterAt = async (atMs: number) => {
  nowMs = atMs;
  return circuit.enter("people");
};

describe("what a caller is told about its turn", () => {
  it("tells a probe from other calls", async () => {
    expect(await enterAt(0)).toBe(false);
    fail(5);
    expect(await enterAt(3_000)).toBe(true);
  });

  it("doubts an answer while another lane is silent, until any lane is answered", async () => {
    fail(5, "watchers");
    expect(await enterAt(1_000)).toBe(true);
    circuit.note("money", true);
    expect(await enterAt(2_000)).toBe(false);
  });
});

const never = () => new Promise<void>(() => undefined);
async function askThree(sleep: () => Promise<void>, then: () => void): Promise<boolean[]> {
  circuit = createCircuit({ now: () => nowMs, date: () => new Date(nowMs), sleep });
  fail(5);
  nowMs = 3_000;
  const asked = Promise.all([isLetThrough(), isLetThrough(), isLetThrough()]);
  then();
  return asked;
}

describe("an open circuit", () => {
  it.each([
    ["money", 20],
    ["people", 20],
    ["watchers", 15],
  ] as const)("lets one call of %s through now and then: %d in a minute", async (lane, probes) => {
    fail(5, lane);
    nowMs = 1;
    expect(await countThrough(lane, 60)).toBeLessThanOrEqual(probes);
    expect(await countThrough(lane, 60)).toBeGreaterThanOrEqual(probes - 1);
  });

  it("keeps the circuit open while probes fail or hang", async () => {
    fail(5);
    nowMs = 3_000;
    expect(await Promise.all([isLetThrough(), isLetThrough()])).toEqual([true, false]);
    nowMs = 6_000;
    expect(await isLetThrough()).toBe(true);
    fail(1);
    expect(await isLetThrough()).toBe(false);
  });

  describe("with a probe under way, for what was asked beside it", () => {
    it("admits waiting calls once the probe is answered", async () => {
      expect(await askThree(never, () => circuit.note("people", true))).toEqual([true, true, true]);
    });

    it("refuses waiting calls when the probe fails", async () => {
      expect(await askThree(never, () => fail(1))).toEqual([true, false, false]);
    });

    it("keeps calls waiting only until the next probe is due", async () => {
      const waited: number[] = [];
      const sleep = async (ms?: number) => void waited.push(ms ?? 0);
      expect(await askThree(sleep, () => undefined)).toEqual([true, false, false]);
      expect(waited).toEqual([3_000, 3_000]);
    });
  });

  it("closes the circuit at the first answer and forgets earlier failures", async () => {
    fail(5);
    nowMs = 3_000;
    await circuit.enter("people");
    circuit.note("people", true);
    expect(await countThrough("people", 1)).toBe(10);
    fail(4);
    expect(await isLetThrough()).toBe(true);
  });
});
