/** A thousand screens learn of a change in the same moment, and are not to ask for it in the same moment. */
const SPREAD_MS = 1_000;
/** What changes all the time is read again only so often; what may not begin yet is tried again as often. */
const REST_MS = 3_000;

/** Whether a refresh may begin: another time, or not at all, then it is as if none had been asked for. */
export type Leave = "now" | "later" | "never";

type Refresher = {
  /** Asks for a refresh. */
  ask: () => void;
  /** What held a refresh back may be over: one that is due begins soon. */
  hurry: () => void;
  /** Whether one was asked for that has not begun yet. */
  isDue: () => boolean;
  end: () => void;
};

/**
 * Calls `refresh` soon after it was asked to, at most every few seconds, and only while somebody can see the window and
 * `mayBegin` says so.
 */
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
  const hurry = () => {
    if (!isDue) return;
    stopWaiting();
    ask();
  };
  document.addEventListener("visibilitychange", hurry);
  window.addEventListener("online", hurry);
  const end = () => {
    hasEnded = true;
    stopWaiting();
    document.removeEventListener("visibilitychange", hurry);
    window.removeEventListener("online", hurry);
  };
  return { ask, hurry, isDue: () => isDue, end };
}
