/** So that a thousand screens do not ask at once. */
const SPREAD_MS = 1_000;
const REST_MS = 3_000;
/** Without any change. */
export const POLL_INTERVAL_MS = 60_000;

/** `later`: tried again; `never`: dropped. */
export type Leave = "now" | "later" | "never";

type Refresher = { ask: () => void; wakers: () => void; end: () => void };

/** At most every few seconds, only in a visible window, and when `mayBegin` allows. */
export function createRefresher(refresh: () => void, mayBegin: () => Promise<Leave> = async () => "now"): Refresher {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let restUntilMs = 0;
  let isDue = false;
  let isAsking = false;
  let hasEnded = false;

  const wait = (ms: number) => {
    timer ??= setTimeout(() => void begin(), ms + Math.random() * SPREAD_MS);
  };
  const stopWaiting = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  async function begin(): Promise<void> {
    timer = undefined;
    if (isAsking || document.visibilityState === "hidden") return;
    isAsking = true;
    const leave = await mayBegin();
    isAsking = false;
    if (hasEnded) return;
    if (leave === "later") return wait(REST_MS);
    stopWaiting();
    isDue = false;
    restUntilMs = Date.now() + REST_MS;
    if (leave === "now") refresh();
  }
  const ask = () => {
    isDue = true;
    wait(Math.max(0, restUntilMs - Date.now()));
  };
  const wakers = () => {
    if (!isDue) return;
    stopWaiting();
    ask();
  };
  document.addEventListener("visibilitychange", wakers);
  window.addEventListener("online", wakers);
  const end = () => {
    hasEnded = true;
    stopWaiting();
    document.removeEventListener("visibilitychange", wakers);
    window.removeEventListener("online", wakers);
  };
  return { ask, wakers, end };
}

/** The router drops a refresh of a page that still streams, and what it waits for never comes. */
export const hasLoaded = () => document.readyState === "complete";

export const untilLoaded = () =>
  new Promise<void>((resolve) => {
    if (hasLoaded()) resolve();
    else window.addEventListener("load", () => resolve(), { once: true });
  });
