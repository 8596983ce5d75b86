export const OFFERED = [
  "hold-next",
  "release-held",
  "refuse-held",
  "expire-held",
  "refuse-onboarding",
  "reopen-case",
  "deposit-coins",
  "sleep-receiver",
  "lose-deliveries",
  "limit-calls",
  "answer-unavailable",
  "fall-silent",
] as const;

const ENDINGS = ["end-holds", "end-sleep", "end-lost-deliveries", "end-trouble"] as const;

export const SCENARIO_NAMES = [...OFFERED, ...ENDINGS] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

/** `text`: as the provider masks it; `amount` of an asset, BRL for reais. */
export type LabOption = { value: string; text: string; amount: string | null; asset: string | null; at: string | null };

export const LAB_FIELDS = ["held", "onboarding", "case", "address", "amount", "seconds"] as const;
export type LabFieldName = (typeof LAB_FIELDS)[number];

/** `first`: what it holds before somebody types. */
export type LabField =
  | { name: LabFieldName; kind: "seconds"; most: number; first: string }
  | { name: LabFieldName; kind: "amount"; first: string }
  | { name: LabFieldName; kind: "choice"; options: LabOption[] };

export type LabScenario = { name: (typeof OFFERED)[number]; href: string; fields: LabField[] };

export type InForce = {
  name: Extract<
    ScenarioName,
    "limit-calls" | "answer-unavailable" | "fall-silent" | "sleep-receiver" | "lose-deliveries" | "hold-next"
  >;
  endedBy: (typeof ENDINGS)[number];
  until: string | null;
};

export type Lab = { scenarios: LabScenario[]; inForce: InForce[]; asOf: string };
