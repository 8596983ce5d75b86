export { WEBHOOK_EVENTS } from "@/lib/contract/webhook-events";

export const RECEIVED_VIEWS = ["all", "waiting", "needs-attention"] as const;
export type ReceivedView = (typeof RECEIVED_VIEWS)[number];

/** Why a delivery was refused. */
export const REFUSALS = ["unsigned", "signature", "unreadable", "too-large", "too-slow", "cut", "no-room"] as const;
export type Refusal = (typeof REFUSALS)[number];
