import { SUSPICION_STATES, type SuspicionState } from "@/lib/db/enums/suspicions";

export const SUSPICION_NOTE_MAX = 2_000;
export const REPORT_NUMBER_MAX = 60;

/** `due`: those that still have a deadline, nearest first; the others newest first. */
export const SUSPICION_VIEWS = ["due", "reported", "dismissed"] as const;
export type SuspicionView = (typeof SUSPICION_VIEWS)[number];

/** A case is dismissed at any time before it is reported, always with its reason. */
export const NEXT_STATES: Readonly<Record<SuspicionState, readonly SuspicionState[]>> = {
  suspected: ["analysing", "dismissed"],
  analysing: ["to-report", "dismissed"],
  "to-report": ["reported", "dismissed"],
  reported: [],
  dismissed: [],
};

export const OPEN_STATES = SUSPICION_STATES.filter((state) => NEXT_STATES[state].length > 0);

/** Days are `yyyy-MM-dd` in São Paulo. `version`: the last step's id. */
export type SuspicionRow = {
  id: string;
  kycUUID: string;
  document: string;
  state: SuspicionState;
  occurredOn: string;
  /** When it came to its state. */
  enteredOn: string;
  /** The last day for its next state; null once it has ended. */
  dueOn: string | null;
  daysLeft: number | null;
  reportNumber: string | null;
  reportedOn: string | null;
  raisedBy: string;
  createdAt: string;
};

export type SuspicionStep = { id: string; state: SuspicionState; byName: string; at: string; text: string };

export type SuspicionRecord = { row: SuspicionRow; version: string; steps: SuspicionStep[] };

export type SuspicionList = {
  rows: SuspicionRow[];
  counts: Readonly<Record<SuspicionView, number>>;
  page: number;
  totalPages: number;
  asOf: string;
  isStale: false;
  failure: null;
};
