import { query } from "@/lib/query";
import { readAccountFormState } from "./create-form";
import { countWaiting, readFunnel, readQueue } from "./queue";
import { readRecord } from "./read-record";
import { readUnread } from "./records";
import type { OnboardingFilter } from "./inputs";

export type { AccountFormState } from "./create-form";
export type { AttemptView } from "./read-record";
export type { Funnel, OnboardingQueue, OnboardingRow } from "./queue";
export type { EventView, LinkView, OnboardingRecordView } from "./read-record";

/** As the watch last saw it; a bad filter becomes the default. */
export const listOnboardings = query("onboarding:read", (actor, given: Partial<OnboardingFilter> = {}) =>
  readQueue(actor, given),
);

export const countWaitingOnboardings = query("onboarding:read", countWaiting);
export const getFunnel = query("onboarding:read", readFunnel);

/** Records in the provider's list that cannot be read. */
export const listUnread = query("onboarding:read", readUnread);

/** Records the access; null when there is none with this id. */
export const getOnboarding = query("onboarding:read", readRecord);

export const getAccountFormState = query("onboarding:create", readAccountFormState);
