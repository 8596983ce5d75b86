import pLimit, { type LimitFunction } from "p-limit";

type Line = { limit: LimitFunction; length: number };

/** Runs a limited number at once per key; the others wait in order of arrival. */
export function turnsOf(atOnce: number, lines = new Map<string, Line>()) {
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(key) ?? { limit: pLimit(atOnce), length: 0 };
    lines.set(key, line);
    line.length += 1;
    try {
      return await line.limit(work);
    } finally {
      line.length -= 1;
      if (line.length === 0) lines.delete(key);
    }
  };
}
