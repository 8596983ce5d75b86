import type { ChainRow } from "./chain";

/** A write that was begun and of whose end nothing is on record. */
export type BegunWrite = { intentId: string; seq: number; code: string; atMicros: number };

/** Who sends a write is silent for less than this: later, nobody is at it any more. */
const SENDING_MS = 120_000;
const MOST_OPEN = 1_000;

/** Those of which no end will come by itself. */
export const abandoned = (begun: readonly BegunWrite[], nowMs: number): BegunWrite[] =>
  begun.filter(({ atMicros }) => atMicros / 1000 < nowMs - SENDING_MS);

/** Notes which writes are begun and which end, as rows go by in their order. */
export function createOpenIntents(known: readonly BegunWrite[] = []) {
  const open = new Map(known.map((begun) => [begun.intentId, begun]));
  return {
    take({ intentId, outcome, seq, code, atMicros }: ChainRow) {
      if (intentId === null) return;
      if (outcome !== "INTENT") open.delete(intentId);
      else if (open.size < MOST_OPEN) open.set(intentId, { intentId, seq, code, atMicros: Number(atMicros) });
    },
    all: (): BegunWrite[] => [...open.values()],
  };
}
