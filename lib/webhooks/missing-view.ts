import type { WebhookEvent } from "@/lib/contract/webhook-events";
import type { ObservedChange } from "@/lib/db/enums/webhooks";
import type { Fresh, Page } from "@/lib/text/page";

export const MISSING_VIEWS = ["never", "late", "awaited"] as const;
export type MissingView = (typeof MISSING_VIEWS)[number];

/** One that comes so long after its change was seen is late: polling was first by more than its own interval. */
export const LATE_MS = 60_000;

/** `seenAt`: when the console read the change from the interface, by which it is repaired. */
export type MissingRow = {
  key: string;
  event: WebhookEvent;
  change: ObservedChange;
  object: string;
  seenAt: string;
  arrivedAt: string | null;
};

export type EventCounts = { onTime: number; late: number; twice: number; never: number; awaited: number };

/** `events`: types with something to tell; `badSignature` of no type, for only a right signature would tell one. */
export type EventDay = { day: string; events: (EventCounts & { event: WebhookEvent })[]; badSignature: number };

export const COUNTED_DAYS = 7;

export type MissingList = Page<MissingRow> & {
  counts: Record<MissingView, number>;
  /** Newest first, without days on which nothing was to come. */
  days: EventDay[];
  losses: { never: number; judged: number; isGrave: boolean };
  /** After that an event counts as missing. */
  graceMs: number;
  /** Since when the first type that is covered now has been; null: none is. */
  coveredSince: string | null;
};

export const ARRIVAL_STANDINGS = ["arriving", "silent", "quiet", "unsubscribed", "absent", "unknown"] as const;
export type ArrivalStanding = (typeof ARRIVAL_STANDINGS)[number];

/**
 * Of the last seven days but `lastAt`, which is of thirty. `subscribedSince` null: no subscription of ours covers it, or
 * none was ever read. `latencyMs`: the median of the last twenty that told when they were sent; null: none did.
 */
export type ArrivalRow = {
  /** As the provider names it; empty when it named none. */
  event: string;
  standing: ArrivalStanding;
  subscribedSince: string | null;
  lastAt: string | null;
  received: number;
  failed: number;
  missed: number;
  latencyMs: number | null;
};

/** When each of the two secrets verified a delivery last; null: not in thirty days. */
export type Verified = { current: string | null; previous: string | null; hasPrevious: boolean };

/** `readAt`: when subscriptions were last read; null: never. `isLate`: that failed or is overdue. */
export type Arrivals = Fresh & { rows: ArrivalRow[]; verified: Verified; readAt: string | null; isLate: boolean };
