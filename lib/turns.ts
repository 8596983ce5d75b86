import pLimit, { type LimitFunction } from "p-limit";

/** Of each key so many at once: the others wait in the order in which they came. */
export function turnsOf(atOnce: number) {
  const limits = new Map<string, LimitFunction>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const limit = limits.get(key) ?? pLimit(atOnce);
    limits.set(key, limit);
    return limit(work);
  };
}
