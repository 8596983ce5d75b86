import { afterEach, expect, it, vi } from "vitest";
import { inSteps } from "./in-steps";

afterEach(() => vi.useRealTimers());

it("shows how far a sweep is once five seconds have passed", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 0 });
  const show = vi.fn<() => Promise<void>>();
  const step = inSteps(show);
  for (const atMs of [0, 4_999, 5_000, 9_999, 10_000]) {
    vi.setSystemTime(atMs);
    await step();
  }
  expect(show).toHaveBeenCalledTimes(2);
});
