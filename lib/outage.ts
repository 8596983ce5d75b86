/** Why nothing could be asked of the provider just now; each has a sentence of its own under `outages`. */
export const OUTAGES = [
  "circuit-open",
  "budget-spent",
  "token-refused",
  "token-unavailable",
  "token-not-readable",
  "token-not-in-time",
] as const;
export type Outage = (typeof OUTAGES)[number];

export const isOutage = (code: string | null | undefined): code is Outage => OUTAGES.some((known) => known === code);
