/** What people see of a long sweep is at most this old. */
const SHOWN_EVERY_MS = 5_000;

export function inSteps(show: () => Promise<unknown>): () => Promise<void> {
  let shownMs = Date.now();
  return async () => {
    if (Date.now() - shownMs < SHOWN_EVERY_MS) return;
    await show();
    shownMs = Date.now();
  };
}
