import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createTally } from "./guard.mjs";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("logs once a minute how many were refused and why, if any", () => {
  const told: object[] = [];
  const refused = createTally((counts) => void told.push(counts));
  for (let flood = 0; flood < 10_000; flood += 1) refused(flood % 2 === 0 ? 403 : 413);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(600_000);
  expect(told).toEqual([{ 403: 5_000, 413: 5_000 }]);
  refused(405);
  vi.advanceTimersByTime(60_000);
  expect(told.slice(1)).toEqual([{ 405: 1 }]);
});
