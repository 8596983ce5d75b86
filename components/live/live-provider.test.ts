import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LiveMessage } from "@/lib/live/view";
import { createRefresher, followLive, followReturn, type Leave, type LiveSignal, untilLoaded } from "./live-provider";

const SCOPE = "ana:aurora";
const CHANGED: LiveMessage = { kind: "changed", topic: "kyc", objects: ["k1"] };

/** A stream that opens at once and sends what the test says. */
class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static all: Stream[] = [];
  readonly url: string;
  readyState = 0;

  constructor(url: string) {
    super();
    this.url = url;
    Stream.all.push(this);
  }

  static get open(): Stream[] {
    return Stream.all.filter(({ readyState }) => readyState !== Stream.CLOSED);
  }

  says(message: LiveMessage): void {
    this.readyState = 1;
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }

  fails(readyState: number): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event("error"));
  }

  close(): void {
    this.readyState = Stream.CLOSED;
  }
}

/** A browser's locks: the next in line gets one when its holder lets go. */
function createLocks() {
  const queues = new Map<string, Promise<unknown>>();
  return {
    request: (name: string, { signal }: { signal: AbortSignal }, hold: () => Promise<void>) => {
      const turn = (queues.get(name) ?? Promise.resolve()).then(() => (signal.aborted ? undefined : hold()));
      queues.set(name, turn);
      return turn;
    },
  };
}

let ends: (() => void)[] = [];

beforeEach(() => {
  Stream.all = [];
  ends = [];
  vi.stubGlobal("EventSource", Stream);
  vi.stubGlobal("navigator", { locks: createLocks() });
});

afterEach(() => {
  for (const end of ends) end();
  vi.useRealTimers();
});

function opensTab(scope = SCOPE) {
  const signals: LiveSignal[] = [];
  const close = followLive(scope, (one) => signals.push(one));
  ends.push(close);
  return { signals, close };
}

const opened = (count: number) => vi.waitFor(() => expect(Stream.all).toHaveLength(count));
const stands: LiveMessage = { kind: "open" };

describe("the tabs of one browser", () => {
  it("shares one stream among a browser's tabs", async () => {
    const tabs = [opensTab(), opensTab(), opensTab()];
    await opened(1);
    Stream.all[0]?.says(stands);
    Stream.all[0]?.says(CHANGED);
    for (const { signals } of tabs) await vi.waitFor(() => expect(signals.at(-1)).toEqual(CHANGED));
    for (const { signals } of tabs) expect(signals.filter(({ kind }) => kind === "changed")).toHaveLength(1);
    expect(Stream.all.map(({ url }) => url)).toEqual([
      expect.stringMatching(/^\/api\/live\?scope=ana%3Aaurora&age=\d+$/),
    ]);
  });

  it("hands the stream over when its tab closes", async () => {
    const first = opensTab();
    await opened(1);
    const second = opensTab();
    first.close();
    await opened(2);
    Stream.all[1]?.says(stands);
    Stream.all[1]?.says(CHANGED);
    expect(second.signals).toContainEqual(CHANGED);
    expect(Stream.open).toHaveLength(1);
  });

  it("tells a new tab to read again after a very recent change", async () => {
    opensTab();
    await opened(1);
    Stream.all[0]?.says(stands);
    Stream.all[0]?.says(CHANGED);
    const late = opensTab();
    await vi.waitFor(() => expect(late.signals).toEqual([{ kind: "reset" }]));
  });

  it("tells a new tab nothing that its page already read", async () => {
    opensTab();
    await opened(1);
    Stream.all[0]?.says(stands);
    const now = vi.spyOn(Date, "now").mockReturnValue(Date.now() - 10_000);
    Stream.all[0]?.says(CHANGED);
    now.mockRestore();
    const age = vi.spyOn(performance, "now").mockReturnValue(3_000);
    const young = opensTab();
    age.mockReturnValue(9_000);
    const old = opensTab();
    await vi.waitFor(() => expect(old.signals).toEqual([{ kind: "reset" }]));
    expect(young.signals).toEqual([]);
  });

  it("keeps two session scopes apart", async () => {
    const ana = opensTab();
    const bruno = opensTab("bruno:aurora");
    await opened(2);
    Stream.all.find(({ url }) => url.includes("ana"))?.says(CHANGED);
    expect(ana.signals).toEqual([CHANGED]);
    expect(bruno.signals).toEqual([]);
  });

  it("opens one stream per tab when the browser has no locks", async () => {
    vi.stubGlobal("navigator", {});
    const tabs = [opensTab(), opensTab()];
    await opened(2);
    for (const stream of Stream.all) stream.says(CHANGED);
    expect(tabs.map(({ signals }) => signals)).toEqual([[CHANGED], [CHANGED]]);
  });
});

describe("a stream that breaks", () => {
  it("rereads the page once the browser reconnects", async () => {
    const { signals } = opensTab();
    await opened(1);
    Stream.all[0]?.says(stands);
    Stream.all[0]?.fails(0);
    Stream.all[0]?.says(stands);
    expect(signals).toEqual([{ kind: "reset" }]);
  });

  it("reopens a refused stream and rereads what was missed", async () => {
    vi.useFakeTimers();
    const { signals } = opensTab();
    await vi.advanceTimersByTimeAsync(0);
    Stream.all[0]?.says(stands);
    Stream.all[0]?.fails(Stream.CLOSED);
    await vi.advanceTimersByTimeAsync(25_000);
    expect(Stream.all).toHaveLength(2);
    Stream.all[1]?.says(stands);
    expect(signals.map(({ kind }) => kind)).toEqual(["reset"]);
  });

  it("rereads the page when the stream never connected", async () => {
    const { signals } = opensTab();
    await opened(1);
    Stream.all[0]?.fails(0);
    Stream.all[0]?.says(stands);
    expect(signals).toEqual([{ kind: "reset" }]);
  });

  it("resumes a stream after the person signs in again", async () => {
    vi.useFakeTimers();
    const { signals } = opensTab();
    await vi.advanceTimersByTimeAsync(0);
    Stream.all[0]?.says(stands);
    Stream.all[0]?.says({ kind: "ended", reason: "signed-out" });
    expect(Stream.open).toEqual([]);
    await vi.advanceTimersByTimeAsync(25_000);
    Stream.all[1]?.fails(Stream.CLOSED);
    await vi.advanceTimersByTimeAsync(25_000);
    Stream.all[2]?.says(stands);
    expect(signals.map(({ kind }) => kind)).toEqual(["ended", "reset"]);
  });
});

/** The parts of a window and document that are used. */
class Seen extends EventTarget {
  visibilityState = "visible";
  readyState = "complete";
}

const MINUTE = 60_000;

describe("a page that is to be rendered anew", () => {
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

  it("refreshes a page soon after the first of many changes, once for all", async () => {
    const refresh = vi.fn<() => void>();
    const { ask } = createRefresher(refresh);
    for (let change = 0; change < 100; change += 1) ask();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(refresh).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it("postpones a page's refresh while rendering is not allowed", async () => {
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

  it("drops a refresh that is never allowed, until the next change", async () => {
    const refresh = vi.fn<() => void>();
    const mayBegin = vi.fn<() => Promise<Leave>>().mockResolvedValue("never");
    const { ask, retryNow } = createRefresher(refresh, mayBegin);
    ask();
    await vi.advanceTimersByTimeAsync(MINUTE);
    retryNow();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(mayBegin).toHaveBeenCalledTimes(1);
    mayBegin.mockResolvedValue("now");
    ask();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it.each(["hurry", "online", "visibilitychange"])("refreshes a postponed page within a second of %s", async (what) => {
    const refresh = vi.fn<() => void>();
    const mayBegin = vi.fn<() => Promise<Leave>>().mockResolvedValue("later");
    const { ask, retryNow } = createRefresher(refresh, mayBegin);
    ask();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(mayBegin).toHaveBeenCalledTimes(1);
    mayBegin.mockResolvedValue("now");
    if (what === "hurry") retryNow();
    else (what === "online" ? frame : page).dispatchEvent(new Event(what));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it("asks whether a page may refresh only while it is visible", async () => {
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

  it.each(["focus", "visibilitychange"])("refreshes on %s once a visible page's data is old", (what) => {
    const ask = vi.fn<() => void>();
    const readAtMs = Date.now();
    const end = followReturn(() => readAtMs, ask);
    const returns = () => (what === "focus" ? frame : page).dispatchEvent(new Event(what));
    vi.advanceTimersByTime(30_000);
    returns();
    expect(ask).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    page.visibilityState = "hidden";
    returns();
    expect(ask).not.toHaveBeenCalled();
    page.visibilityState = "visible";
    returns();
    expect(ask).toHaveBeenCalledTimes(1);
    end();
    returns();
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it("skips the refresh of a page that closed meanwhile", async () => {
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

  it("defers a refresh until the streaming page has loaded", async () => {
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
});
