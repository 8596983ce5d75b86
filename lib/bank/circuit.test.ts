import { beforeEach, describe, expect, it } from "vitest";
import { type Circuit, createCircuit } from "./circuit";
import type { Lane } from "./budget";

let nowMs = 0;
let circuit: Circuit;

beforeEach(() => {
  nowMs = 0;
  circuit = createCircuit({ now: () => nowMs });
});

const fail = (times: number, lane: Lane = "people") => {
  for (let time = 0; time < times; time += 1) circuit.note(lane, false);
};

function isLetThrough(lane: Lane = "people"): boolean {
  try {
    circuit.enter(lane);
    return true;
  } catch {
    return false;
  }
}

/** How many of those who try ten times a second get through. */
function countThrough(lane: Lane, seconds: number): number {
  let through = 0;
  for (const endMs = nowMs + seconds * 1_000; nowMs < endMs; nowMs += 100) if (isLetThrough(lane)) through += 1;
  return through;
}

describe("the circuit of a lane", () => {
  it("lets everything through while the provider answers", () => {
    for (let call = 0; call < 100; call += 1) circuit.note("people", true);
    fail(4);
    expect(isLetThrough()).toBe(true);
    expect(circuit.standing().people).toEqual({ isOpen: false });
  });

  it("opens after five failures in a row, and tells when it is worth another try", () => {
    fail(5);
    nowMs = 1_000;
    const refusal = { code: "circuit-open", retryAfterMs: 2_000, mayHaveExecuted: false };
    expect(() => circuit.enter("people")).toThrow(expect.objectContaining({ kind: "unavailable", details: refusal }));
    expect(circuit.standing().people).toEqual({ isOpen: true, openForMs: 1_000, untilProbeMs: 2_000 });
  });

  it("opens when half of the last twenty calls failed, however they alternate", () => {
    for (let call = 1; call < 20; call += 1) circuit.note("people", call % 2 === 0);
    expect(isLetThrough()).toBe(true);
    circuit.note("people", true);
    fail(1);
    expect(isLetThrough()).toBe(false);
  });

  it("holds no failure of more than a minute ago against the provider", () => {
    fail(4);
    nowMs = 60_000;
    fail(4);
    expect(isLetThrough()).toBe(true);
  });

  it("leaves the other lanes alone", () => {
    fail(5, "people");
    expect([isLetThrough("people"), isLetThrough("money"), isLetThrough("watchers")]).toEqual([false, true, true]);
  });
});

describe("an open circuit", () => {
  it.each([
    ["money", 20],
    ["people", 20],
    ["watchers", 15],
  ] as const)("lets one call of %s through now and then: %d in a minute", (lane, probes) => {
    fail(5, lane);
    nowMs = 1;
    expect(countThrough(lane, 60)).toBeLessThanOrEqual(probes);
    expect(countThrough(lane, 60)).toBeGreaterThanOrEqual(probes - 1);
  });

  it("stays open while probes fail, even when one never comes to an end", () => {
    fail(5);
    nowMs = 3_000;
    expect([isLetThrough(), isLetThrough()]).toEqual([true, false]);
    nowMs = 6_000;
    expect(isLetThrough()).toBe(true);
    fail(1);
    expect(isLetThrough()).toBe(false);
  });

  it("closes with the first answer, and remembers nothing of before", () => {
    fail(5);
    nowMs = 3_000;
    circuit.enter("people");
    circuit.note("people", true);
    expect(countThrough("people", 1)).toBe(10);
    fail(4);
    expect(isLetThrough()).toBe(true);
  });
});
