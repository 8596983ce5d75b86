/** Separate from the schema, because the browser reads it. */
export const EVENT_STATES = ["WAITING", "DONE", "KEPT", "FOREIGN", "GIVEN_UP"] as const;
export type EventState = (typeof EVENT_STATES)[number];

export const WAKES = ["onboarding", "wallets", "kyc", "transfers"] as const;
export type Wake = (typeof WAKES)[number];

/** What the console saw of an object, and the interface has an event for. */
export const OBSERVED_CHANGES = ["accepted", "confirmed", "refused", "link", "deposit"] as const;
export type ObservedChange = (typeof OBSERVED_CHANGES)[number];

const EXPECTED_STATES = ["EXPECTED", "ARRIVED", "NEVER"] as const;
export type ExpectedState = (typeof EXPECTED_STATES)[number];

/** What ended a drill before its time. */
const DRILL_ENDS = ["person", "restart"] as const;
export type DrillEnd = (typeof DRILL_ENDS)[number];

/** Why a delivery was refused. */
export const REFUSALS = ["unsigned", "signature", "unreadable", "too-large", "too-slow", "cut", "no-room"] as const;
export type Refusal = (typeof REFUSALS)[number];

/** How a signature is written; only the last form is compared with a secret's. */
export const SIGNATURE_FORMS = [
  "absent",
  "prefixed",
  "several",
  "capitals",
  "not-hex",
  "length",
  "well-formed",
] as const;
export type SignatureForm = (typeof SIGNATURE_FORMS)[number];

/** Every other header is dropped as it arrives. */
export const KEPT_HEADERS = [
  "content-type",
  "content-length",
  "content-encoding",
  "date",
  "user-agent",
  "x-request-id",
  "x-webhook-event",
  "x-webhook-event-id",
  "x-webhook-signature",
] as const;
export type KeptHeader = (typeof KEPT_HEADERS)[number];
export type KeptHeaders = Partial<Record<KeptHeader, string>>;

const REPLAY_STATES = ["RUNNING", "DONE", "STOPPED"] as const;
export type ReplayState = (typeof REPLAY_STATES)[number];

const REPLAY_ITEM_STATES = ["WAITING", "DONE", "FAILED", "STOPPED"] as const;
export type ReplayItemState = (typeof REPLAY_ITEM_STATES)[number];
