import { assert, json, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { isTooDeep } from "./depth";

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe("the depth of an answer", () => {
  test("refuses nesting beyond the limit, and not at it", () => {
    expect([isTooDeep(nested(64), 64), isTooDeep(nested(65), 64)]).toEqual([false, true]);
    expect(isTooDeep('{"a":'.repeat(65), 64)).toBe(true);
    expect(isTooDeep("", 64)).toBe(false);
  });

  test("counts nesting, not siblings", () => {
    expect(isTooDeep(`[${Array.from({ length: 1_000 }, () => "[{}]").join(",")}]`, 3)).toBe(false);
  });

  test("ignores brackets in text, escaped or not", () => {
    const texts = ["[[[[", String.raw`\[[[`, '"[[[', String.raw`\"[[[[`, "[[\\", '{{{{"\\\\"'];
    for (const text of texts) expect([text, isTooDeep(JSON.stringify([{ text }, text]), 2)]).toEqual([text, false]);
    expect(isTooDeep('["never closed [[[[[', 1)).toBe(false);
  });

  test("measures the same depth as in the parsed value", () => {
    assert(
      property(json({ maxDepth: 6 }), (text) => {
        const depth = depthOf(JSON.parse(text));
        expect([isTooDeep(text, depth), depth > 0 && isTooDeep(text, depth - 1)]).toEqual([false, depth > 0]);
      }),
    );
  });

  test("measures the largest, fully escaped answer in one pass", () => {
    const sizeBytes = 10 * 1024 * 1024;
    expect(isTooDeep("[".repeat(sizeBytes), 64)).toBe(true);
    expect(isTooDeep(`"${"\\".repeat(sizeBytes)}"`, 64)).toBe(false);
    expect(isTooDeep(`["${String.raw`\"`.repeat(sizeBytes / 2)}"]`, 64)).toBe(false);
    expect(isTooDeep("[]".repeat(sizeBytes / 2), 64)).toBe(false);
  });
});
