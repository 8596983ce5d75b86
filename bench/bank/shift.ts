import { z } from "zod";

/** What the people of one console process do: each of them thinks, clicks, waits for the answer and thinks again. */
export const Shift = z.object({
  people: z.number(),
  seconds: z.number(),
  /** On average; the first clicks come within two seconds, as after a break. */
  thinkSeconds: z.number(),
  /** How many of a hundred clicks order a transfer; the others look at something. */
  transferPercent: z.number(),
  accounts: z.array(z.object({ accountId: z.string(), documentNumber: z.string() })).min(2),
  seed: z.number(),
});
export type Shift = z.infer<typeof Shift>;

const Clicks = z.object({ answered: z.number(), failures: z.record(z.string(), z.number()) });
export type Clicks = z.infer<typeof Clicks>;

export const ShiftOutcome = z.object({
  looks: Clicks,
  transfers: Clicks,
  /** From the click to the answer. */
  transferMs: z.array(z.number()),
});
export type ShiftOutcome = z.infer<typeof ShiftOutcome>;

function sum(all: readonly Clicks[]): Clicks {
  const failures: Record<string, number> = {};
  for (const [reason, times] of all.flatMap((clicks) => Object.entries(clicks.failures))) {
    failures[reason] = (failures[reason] ?? 0) + times;
  }
  return { answered: all.reduce((answered, clicks) => answered + clicks.answered, 0), failures };
}

export const together = (outcomes: readonly ShiftOutcome[]): ShiftOutcome => ({
  looks: sum(outcomes.map(({ looks }) => looks)),
  transfers: sum(outcomes.map(({ transfers }) => transfers)),
  transferMs: outcomes.flatMap(({ transferMs }) => transferMs),
});

/** "31 answered, 4 × budget-spent". */
export function told({ answered, failures }: Clicks): string {
  const reasons = Object.entries(failures).map(([reason, times]) => `${times} × ${reason}`);
  return [`${answered} answered`, ...reasons].join(", ");
}
