/** A thousand screens learn of a change in the same moment, and are not to ask for it in the same moment. */
const SPREAD_MS = 1_000;
/** What changes all the time is read again only so often. */
const REST_MS = 3_000;

export type Refresher = {
  /** Asks for a refresh. */
  ask: () => void;
  /** Whether one was asked for that has not begun yet. */
  isDue: () => boolean;
  end: () => void;
};

/** Calls `refresh` soon after it was asked to, at most every few seconds, and only while somebody can see the window. */
export function createRefresher(refresh: () => void): Refresher {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let restUntilMs = 0;
  let isDue = false;

  const run = () => {
    timer = undefined;
    if (document.visibilityState === "hidden") return;
    isDue = false;
    restUntilMs = Date.now() + REST_MS;
    refresh();
  };
  const ask = () => {
    isDue = true;
    timer ??= setTimeout(run, Math.max(0, restUntilMs - Date.now()) + Math.random() * SPREAD_MS);
  };
  const whenSeen = () => {
    if (isDue) ask();
  };
  document.addEventListener("visibilitychange", whenSeen);
  const end = () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", whenSeen);
  };
  return { ask, isDue: () => isDue, end };
}
