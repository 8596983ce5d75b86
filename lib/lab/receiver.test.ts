import { beforeEach, describe, expect, it } from "vitest";
import { asleepUntil, fallAsleep, wakeUp } from "./receiver";

beforeEach(() => {
  globalThis.retaguardaSleepers = undefined;
});

describe("a receiver that sleeps", () => {
  it("wakes by itself at its time, and sleeps for one company alone", () => {
    expect(fallAsleep("aurora", 60_000, 0)).toBe(true);
    expect([0, 59_999, 60_000].map((now) => asleepUntil("aurora", now))).toEqual([60_000, 60_000, null]);
    expect(asleepUntil("boreal", 1)).toBeNull();
  });

  it("is not put to sleep twice, and again once it is awake", () => {
    fallAsleep("aurora", 60_000, 0);
    expect(fallAsleep("aurora", 90_000, 59_999)).toBe(false);
    expect(asleepUntil("aurora", 60_000)).toBeNull();
    expect(fallAsleep("aurora", 90_000, 60_000)).toBe(true);
  });

  it("is woken", () => {
    fallAsleep("aurora", 60_000, 0);
    wakeUp("aurora");
    expect(asleepUntil("aurora", 1)).toBeNull();
  });
});
