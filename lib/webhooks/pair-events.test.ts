import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pairEvents } from "./pair-events";

const at = (second: number) => new Date(second * 1_000);
const change = (key: string, second: number) => ({ key, at: at(second) });
const delivery = (ref: string, second: number) => ({ ref, at: at(second) });
const always = () => 0;

const byStatus = ({ key }: { key: string }, { ref }: { ref: string }) =>
  (key === "accepted") === (ref === "PROCESSING") ? 0 : null;

const refsOf = (pairs: Map<string, { ref: string }>) =>
  Object.fromEntries([...pairs].map(([key, { ref }]) => [key, ref]));

describe("changes and their events", () => {
  it("pairs each change with the event nearest in time", () => {
    const changes = [change("first", 0), change("second", 3_600)];
    expect(refsOf(pairEvents(changes, [delivery("event", 3_599)], always))).toEqual({ second: "event" });
  });

  it("pairs what fits best before what is nearest", () => {
    const changes = [change("accepted", 0), change("confirmed", 10)];
    const told = [delivery("CONFIRMED", 0), delivery("PROCESSING", 10)];
    expect(refsOf(pairEvents(changes, told, byStatus))).toEqual({ accepted: "PROCESSING", confirmed: "CONFIRMED" });
  });

  it("is the same in whatever order they are read", () => {
    const Moments = fc.uniqueArray(fc.integer({ min: 0, max: 600 }), { maxLength: 6 });
    fc.assert(
      fc.property(Moments, Moments, fc.infiniteStream(fc.integer()), (seen, came, chance) => {
        const shuffled = <Row>(rows: readonly Row[]) =>
          rows
            .map((row) => ({ row, turn: chance.next().value }))
            .toSorted((one, other) => one.turn - other.turn)
            .map(({ row }) => row);
        const changes = seen.map((second, nth) => change(`c${nth}`, second));
        const told = came.map((second, nth) => delivery(`d${nth}`, second));
        const pairs = refsOf(pairEvents(changes, told, always));
        expect(refsOf(pairEvents(shuffled(changes), shuffled(told), always))).toEqual(pairs);
        expect(new Set(Object.values(pairs)).size).toBe(Math.min(seen.length, came.length));
      }),
    );
  });
});
