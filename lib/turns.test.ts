import { describe, expect, it } from "vitest";
import { turnsOf } from "./turns";

describe("turns", () => {
  it("keeps the order of one queue and frees it when empty", async () => {
    const lines: Parameters<typeof turnsOf>[1] = new Map();
    const inTurn = turnsOf(1, lines);
    const done: string[] = [];
    const work = (name: string) => inTurn("a person", async () => void done.push(name));
    const others = inTurn("another", () => Promise.reject(new Error("it fails")));
    const all = Promise.allSettled([work("first"), work("second"), work("third"), others]);
    expect(lines.size).toBe(2);
    await all;
    expect(done).toEqual(["first", "second", "third"]);
    expect(lines.size).toBe(0);
  });
});
