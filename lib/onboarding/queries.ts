import { query } from "@/lib/query";
import { readAccountDesk } from "./create-settle";
import { readQueue } from "./queue";
import { readRecord } from "./record-view";
import { readUnread } from "./records";
import type { OnboardingFilter } from "./rules";

export type { AccountDesk } from "./create-settle";
export type { AttemptView } from "./record-view";
export type { OnboardingQueue, OnboardingRow } from "./queue";
export type { EventView, LinkView, OnboardingRecordView } from "./record-view";

/** One page of the queue, as the watch last saw it; what does not fit in the filter becomes the default. */
export const listOnboardings = query("onboarding:read", (actor, given: Partial<OnboardingFilter> = {}) =>
  readQueue(actor, given),
);

/** What the provider lists and nobody here understands: it stands in no row of the queue. */
export const listUnread = query("onboarding:read", readUnread);

/** One onboarding, and that this person looked at it is on record; null when there is none with this id. */
export const getOnboarding = query("onboarding:read", readRecord);

/** The form to ask for an account as the person left it, and requests of which nobody knows what became of them. */
export const getAccountDesk = query("onboarding:create", readAccountDesk);
