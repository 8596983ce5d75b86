import {
  type EventState,
  type KeptHeaders,
  type Refusal,
  type ReplayItemState,
  type ReplayState,
  type SignatureForm,
  WAKES,
} from "@/lib/db/enums/webhooks";
import type { ErrorKind } from "@/lib/errors/result";
export { WEBHOOK_EVENTS } from "@/lib/contract/webhook-events";
export { EVENT_STATES, type Refusal, REFUSALS } from "@/lib/db/enums/webhooks";

export const RECEIVED_VIEWS = ["all", "waiting", "needs-attention"] as const;
export type ReceivedView = (typeof RECEIVED_VIEWS)[number];

/** What a delivery makes the console read; `nothing`: it names nothing that is known here. */
export const ABOUT = [...WAKES, "nothing"] as const;

/** Opened at most to look for a text. */
export const SEARCHED_MAX = 500;
export const REPLAY_MAX = 5_000;

export const CHECKS = ["arrived", "signed", "form", "secret", "readable", "client"] as const;
export type Check = (typeof CHECKS)[number];
export type CheckResult = "passed" | "failed" | "not-reached";

/** The HTTP status that a refused delivery was answered with. */
export const ANSWERED: Readonly<Record<Refusal, number>> = {
  unsigned: 401,
  signature: 401,
  unreadable: 400,
  "too-large": 413,
  "too-slow": 408,
  cut: 400,
  "no-room": 503,
};

const FAILED_AT: Readonly<Record<Refusal, Check>> = {
  "too-large": "arrived",
  "too-slow": "arrived",
  cut: "arrived",
  "no-room": "arrived",
  unsigned: "signed",
  signature: "secret",
  unreadable: "readable",
};

/** The checks in order, up to the one that failed. `form` is of the signature that came with a refused delivery. */
export function checksOf(came: { why: Refusal; form: SignatureForm | null } | { state: EventState }) {
  const failed = "state" in came ? (came.state === "FOREIGN" ? "client" : null) : failedCheck(came);
  const at = failed === null ? CHECKS.length : CHECKS.indexOf(failed);
  return CHECKS.map((check, nth): { check: Check; result: CheckResult } => ({
    check,
    result: nth < at ? "passed" : nth === at ? "failed" : "not-reached",
  }));
}

const failedCheck = ({ why, form }: { why: Refusal; form: SignatureForm | null }): Check =>
  why === "signature" && form !== null && form !== "well-formed" ? "form" : FAILED_AT[why];

/** `acceptedAs`: a delivery under the same id that was taken. */
export type RefusedRow = {
  id: string;
  at: string;
  why: Refusal;
  form: SignatureForm | null;
  event: string;
  eventId: string | null;
  headers: KeptHeaders;
  sizeBytes: number | null;
  /** Equal of equal bodies. */
  fingerprint: string | null;
  acceptedAs: string | null;
};

/**
 * `found`: deliveries that the filter fits, of which `deliveries` can be looked at again; the others wait already, are
 * in somebody's replay, or name nothing that could be read. `objects`: what is read for them.
 */
export type ReplayPlan = {
  found: number;
  deliveries: number;
  waiting: number;
  busy: number;
  nothing: number;
  objects: number;
  calls: number;
  minutes: number;
  upTo: number;
  /** Nothing was worked out. */
  isTooLarge: boolean;
};

export type ReplayRow = {
  id: string;
  state: ReplayState;
  byName: string;
  stoppedByName: string | null;
  createdAt: string;
  finishedAt: string | null;
  /** As in the list's address; of one delivery its id. */
  filter: string;
  deliveries: number;
  counts: Record<ReplayItemState, number>;
  /** Why the last of those that wait could not be read yet. */
  failure: ErrorKind | null;
  plannedCalls: number;
  plannedMinutes: number;
};
