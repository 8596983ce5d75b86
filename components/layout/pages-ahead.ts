/** How long Next keeps a prefetched page: `staleTimes.static` in next.config.ts. */
const AHEAD_KEPT_MS = 30_000;
/** A page still hears changes announced this long before it was shown. */
const HEARD_MS = 4_000;

const ahead = new Map<string, number>();

export function noteAhead(href: string): void {
  const now = Date.now();
  for (const [known, atMs] of ahead) if (now - atMs > AHEAD_KEPT_MS) ahead.delete(known);
  if (!ahead.has(href)) ahead.set(href, now);
}

export const wasLongAhead = (href: string) => Date.now() - (ahead.get(href) ?? Number.POSITIVE_INFINITY) > HEARD_MS;
