import { expect, it } from "vitest";
import { createThrottle } from "./throttle";

function given() {
  let nowMs = 1_000_000;
  const throttle = createThrottle(() => nowMs);
  const fail = (times: number) => {
    for (let n = 0; n < times; n += 1) throttle.failed("ana");
  };
  return { throttle, fail, wait: (ms: number) => (nowMs += ms) };
}

it("lets five slips pass and makes the sixth wait a second", () => {
  const { throttle, fail, wait } = given();
  fail(4);
  expect(throttle.mayTry("ana")).toBe(true);
  fail(1);
  expect(throttle.mayTry("ana")).toBe(false);
  wait(1_000);
  expect(throttle.mayTry("ana")).toBe(true);
});

it("never keeps anyone out for more than a minute", () => {
  const { throttle, fail, wait } = given();
  fail(500);
  wait(59_999);
  expect(throttle.mayTry("ana")).toBe(false);
  wait(1);
  expect(throttle.mayTry("ana")).toBe(true);
});

it("slows one account and no other, and forgets it once it got in", () => {
  const { throttle, fail } = given();
  fail(9);
  expect(throttle.mayTry("rui")).toBe(true);
  throttle.succeeded("ana");
  expect(throttle.mayTry("ana")).toBe(true);
});

it("gives a guesser at most 64 tries at an account in an hour", () => {
  const { throttle, wait } = given();
  let tries = 0;
  for (let second = 0; second < 3_600; second += 1) {
    if (throttle.mayTry("ana")) {
      tries += 1;
      throttle.failed("ana");
    }
    wait(1_000);
  }
  expect(tries).toBeLessThanOrEqual(72);
});
