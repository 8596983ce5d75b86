import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRefresher, type Leave, untilLoaded } from "./refresher";

/** A window with its document, as far as it is used. */
class Seen extends EventTarget {
  visibilityState = "visible";
  readyState = "complete";
}

let page: Seen;
let frame: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  page = new Seen();
  frame = new EventTarget();
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", frame);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const MINUTE = 60_000;

describe("a page that is to be rendered anew", () => {
  it("is so soon after the first of many changes, and only once for all of them", async () => {
    const refresh = vi.fn<() => void>();
    const { ask } = createRefresher(refresh);
    for (let change = 0; change < 100; change += 1) ask();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(refresh).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it("waits while it may not begin, and is rendered once it may", async () => {
    const refresh = vi.fn<() => void>();
    const mayBegin = vi.fn<() => Promise<Leave>>().mockResolvedValue("later");
    const { ask } = createRefresher(refresh, mayBegin);
    ask();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(refresh).not.toHaveBeenCalled();
    expect(mayBegin.mock.calls.length).toBeGreaterThan(10);
    mayBegin.mockResolvedValue("now");
    await vi.advanceTimersByTimeAsync(4_000);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it("is forgotten when it may not begin at all, until the next change", async () => {
    const refresh = vi.fn<() => void>();
    const mayBegin = vi.fn<() => Promise<Leave>>().mockResolvedValue("never");
    const { ask, wakers } = createRefresher(refresh, mayBegin);
    ask();
    await vi.advanceTimersByTimeAsync(MINUTE);
    wakers();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(mayBegin).toHaveBeenCalledTimes(1);
    mayBegin.mockResolvedValue("now");
    ask();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it.each(["hurry", "online", "visibilitychange"])(
    "begins within a second of %s when it was held back",
    async (what) => {
      const refresh = vi.fn<() => void>();
      const mayBegin = vi.fn<() => Promise<Leave>>().mockResolvedValue("later");
      const { ask, wakers } = createRefresher(refresh, mayBegin);
      ask();
      await vi.advanceTimersByTimeAsync(1_000);
      expect(mayBegin).toHaveBeenCalledTimes(1);
      mayBegin.mockResolvedValue("now");
      if (what === "hurry") wakers();
      else (what === "online" ? frame : page).dispatchEvent(new Event(what));
      await vi.advanceTimersByTimeAsync(1_000);
      expect(refresh).toHaveBeenCalledTimes(1);
    },
  );

  it("asks whether it may begin only while somebody can see it", async () => {
    const mayBegin = vi.fn<() => Promise<Leave>>().mockResolvedValue("now");
    const refresh = vi.fn<() => void>();
    const { ask } = createRefresher(refresh, mayBegin);
    page.visibilityState = "hidden";
    ask();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(mayBegin).not.toHaveBeenCalled();
    page.visibilityState = "visible";
    page.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it("is left alone when it was closed while the answer was awaited", async () => {
    const refresh = vi.fn<() => void>();
    const answers: ((leave: Leave) => void)[] = [];
    const { ask, end } = createRefresher(refresh, () => new Promise((resolve) => void answers.push(resolve)));
    ask();
    await vi.advanceTimersByTimeAsync(1_000);
    end();
    expect(answers).toHaveLength(1);
    for (const answer of answers) answer("now");
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(refresh).not.toHaveBeenCalled();
  });
});

it("a refresh asked for while the page streams waits until it has loaded", async () => {
  const begin = vi.fn<() => void>();
  page.readyState = "interactive";
  void untilLoaded().then(begin);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(begin).not.toHaveBeenCalled();
  frame.dispatchEvent(new Event("load"));
  await vi.advanceTimersByTimeAsync(0);
  expect(begin).toHaveBeenCalledTimes(1);
  page.readyState = "complete";
  await untilLoaded();
});
