import type { WebhookEvent } from "@/lib/contract/webhook-events";
import type { DrillEnd, ObservedChange } from "@/lib/db/enums/webhooks";

/** A sleep of the receiver; `endedBy` null: it is under way. Its deliveries were not taken until `endedAt`. */
export type Drill = { id: string; beganAt: string; endedAt: string; endedBy: DrillEnd | "time" | null };

export type LostStanding = "awaited" | "never" | "late";

/** `after` null: nobody told. Equal to `by` where the provider told the time. */
export type Happened = { after: string | null; by: string };

/** `dueBy`: what comes later is late; `readAt`: when the change was read and stored; `missingFrom`: counts as missing then. */
export type LostEvent = {
  key: string;
  event: WebhookEvent;
  change: ObservedChange;
  object: string;
  happened: Happened;
  dueBy: string;
  readAt: string;
  standing: LostStanding;
  missingFrom: string;
  arrivedAt: string | null;
};

export const DRILL_READERS = ["onboarding", "wallets", "missing-events"] as const;
export type DrillReader = (typeof DRILL_READERS)[number];

/** Records that were not read since it ended. */
export type Unread = { onboardings: number; wallets: number };

/** `drill` null: there was none. `undone`: checks that were not made since it ended; like `unread`, more may come of them. */
export type DrillSheet = {
  drills: Drill[];
  drill: Drill | null;
  rows: LostEvent[];
  undone: DrillReader[];
  unread: Unread;
  asOf: string;
};
