import { describe, expect, it } from "vitest";
import { createSpare } from "./budget";

/** So many calls in each of these seconds, and what would be taken ahead right after. */
function afterSeconds(...calls: number[]) {
  let nowMs = 0;
  const spare = createSpare(() => nowMs);
  for (const each of calls) {
    spare.noteAdmitted(each);
    nowMs += 1_000;
  }
  const wait = (ms: number) => {
    nowMs += ms;
  };
  return { spare, wait };
}

describe("places taken ahead", () => {
  it.each([
    [0, 0],
    [3, 0],
    [4, 1],
    [400, 100],
  ])("after a second of %i calls are %i", (calls, ahead) => {
    expect(afterSeconds(calls).spare.wanted()).toBe(ahead);
  });

  it("are none after a pause", () => {
    expect(afterSeconds(400, 0).spare.wanted()).toBe(0);
  });

  it("serve those who come within a quarter of a second, and no more of them than there are", () => {
    const { spare, wait } = afterSeconds(400);
    spare.put(2);
    expect([spare.take(), spare.take(), spare.take()]).toEqual([true, true, false]);
    spare.put(2);
    wait(250);
    expect(spare.take()).toBe(false);
  });

  it("are given up when the provider asks for a pause", () => {
    const { spare } = afterSeconds(400);
    spare.put(2);
    spare.drop();
    expect(spare.take()).toBe(false);
  });
});
