import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { followWaits, reportSlowCalls } from "./use-read";

const listener = vi.fn<() => void>();
let unfollow: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  listener.mockReset();
  unfollow = followWaits(listener);
});

afterEach(() => {
  unfollow();
  vi.useRealTimers();
});

const after = <Answer>(ms: number, answer: Answer) =>
  new Promise<Answer>((resolve) => void setTimeout(() => resolve(answer), ms));
const isNo = (outcome: PromiseSettledResult<string>) => outcome.status === "fulfilled" && outcome.value === "no";

describe("somebody who waits", () => {
  it("reports no wait while a read is quick", async () => {
    const answer = reportSlowCalls(after(1_000, "yes"), isNo);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await answer).toBe("yes");
    expect(listener).not.toHaveBeenCalled();
  });

  it("reports a long read once", async () => {
    void reportSlowCalls(after(13_000, "yes"), isNo);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(listener).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it("reports a refused read at once", async () => {
    expect(await reportSlowCalls(Promise.resolve("no"), isNo)).toBe("no");
    await vi.advanceTimersByTimeAsync(0);
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
