import { beforeEach, describe, expect, it, vi } from "vitest";
import { Presence, type PresenceAnswer } from "./scope-guard";

const MINUTE = 60_000;

let nowMs = 0;
let timers: { atMs: number; run: () => void }[] = [];
const renew = vi.fn<() => Promise<PresenceAnswer>>();
const share = vi.fn<(endsInMs: number) => void>();
const onOver = vi.fn<() => void>();
const onEnded = vi.fn<() => void>();

function after(ms: number, run: () => void): () => void {
  const timer = { atMs: nowMs + ms, run };
  timers.push(timer);
  return () => {
    timers = timers.filter((other) => other !== timer);
  };
}

function pass(ms: number): void {
  const endMs = nowMs + ms;
  for (;;) {
    const [next] = timers.filter(({ atMs }) => atMs <= endMs).toSorted((a, b) => a.atMs - b.atMs);
    if (next === undefined) break;
    timers = timers.filter((timer) => timer !== next);
    nowMs = next.atMs;
    next.run();
  }
  nowMs = endMs;
}

function given(idleMs = 30 * MINUTE): Presence {
  const presence = new Presence(idleMs, { now: () => nowMs, after, renew, share, onOver, onEnded });
  presence.extendTo(idleMs);
  return presence;
}

beforeEach(() => {
  nowMs = 1_000_000;
  timers = [];
  for (const mock of [renew, share, onOver, onEnded]) mock.mockReset();
  renew.mockResolvedValue({ endsInMs: 30 * MINUTE });
});

describe("a person at a tab", () => {
  it("reports activity to the server once a minute at most", () => {
    const presence = given();
    for (let second = 0; second < 180; second += 1) {
      presence.active();
      pass(1000);
    }
    expect(renew).toHaveBeenCalledTimes(3);
  });

  it("extends the session in all tabs on activity", async () => {
    const presence = given();
    pass(27 * MINUTE);
    presence.active();
    await vi.waitFor(() => expect(share).toHaveBeenCalledWith(30 * MINUTE));
    pass(27 * MINUTE);
    expect(presence.warnsOf()).toBeNull();
    expect(onOver).not.toHaveBeenCalled();
  });

  it("skips a report of activity that another tab already made", () => {
    const presence = given();
    presence.renewed(30 * MINUTE);
    presence.active();
    expect(renew).not.toHaveBeenCalled();
  });
});

describe("a tab without a sign of its person", () => {
  it("warns two minutes before a session's end, and says when it has come", () => {
    const presence = given();
    const warned = vi.fn<() => void>();
    presence.follow(warned);
    pass(28 * MINUTE - 1);
    expect(presence.warnsOf()).toBeNull();
    pass(1);
    expect(presence.warnsOf()).toBe(nowMs + 2 * MINUTE);
    expect(warned).toHaveBeenCalledTimes(1);
    pass(2 * MINUTE - 1);
    expect(onOver).not.toHaveBeenCalled();
    pass(1);
    expect(onOver).toHaveBeenCalledTimes(1);
  });

  it("keeps the idle warning until it is answered; typing does not count", async () => {
    const presence = given();
    pass(28 * MINUTE);
    presence.active();
    expect(renew).not.toHaveBeenCalled();
    await presence.stay();
    expect(presence.warnsOf()).toBeNull();
    pass(28 * MINUTE - 1);
    expect(onOver).not.toHaveBeenCalled();
  });

  it("closes the idle warning after an answer in another tab", () => {
    const presence = given();
    pass(29 * MINUTE);
    presence.renewed(30 * MINUTE);
    expect(presence.warnsOf()).toBeNull();
  });

  it("closes the idle warning on an answer, even if the server refuses to extend", async () => {
    const presence = given();
    pass(29 * MINUTE);
    renew.mockResolvedValue({ endsInMs: MINUTE });
    await presence.stay();
    expect(presence.warnsOf()).toBeNull();
    pass(MINUTE - 1);
    expect(onOver).not.toHaveBeenCalled();
    pass(1);
    expect(presence.warnsOf()).toBeNull();
    expect(onOver).toHaveBeenCalledTimes(1);
  });

  it("warns at once when little of a session is left", () => {
    const presence = given();
    presence.extendTo(MINUTE);
    expect(presence.warnsOf()).toBe(nowMs + MINUTE);
  });

  it("warns for a third of the time in a session under six minutes", () => {
    const presence = given(3 * MINUTE);
    pass(2 * MINUTE - 1);
    expect(presence.warnsOf()).toBeNull();
    pass(1);
    expect(presence.warnsOf()).not.toBeNull();
  });
});

describe("the server's answer", () => {
  it("announces the end of the session", async () => {
    renew.mockResolvedValue("ended");
    await given().stay();
    expect(onEnded).toHaveBeenCalledTimes(1);
  });

  it("keeps the planned end of a session when no answer comes", async () => {
    renew.mockResolvedValue("unknown");
    const presence = given();
    pass(29 * MINUTE);
    await presence.stay();
    pass(MINUTE);
    expect(onOver).toHaveBeenCalledTimes(1);
  });
});
