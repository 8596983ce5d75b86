import { query } from "@/lib/query";
import { readAccountFormState } from "./create-form";
import { countOnboardingsWaiting, readFunnel, readOnboardingQueue } from "./queue";
import { readRecord } from "./read-record";
import { readUnreadOnboardings } from "./records";
import type { OnboardingFilter } from "./inputs";

export type { AccountFormState } from "./create-form";
export type { AttemptView } from "./read-record";
export type { Funnel, OnboardingQueue, OnboardingRow } from "./queue";
export type { EventView, LinkView, OnboardingRecordView } from "./read-record";

/** As the watch last saw it; an invalid filter becomes the default. */
export const listOnboardings = query("onboarding:read", (actor, given: Partial<OnboardingFilter> = {}) =>
  readOnboardingQueue(actor, given),
);

export const countWaitingOnboardings = query("onboarding:read", countOnboardingsWaiting);
export const getFunnel = query("onboarding:read", readFunnel);

/** Records in the provider's list that cannot be read. */
export const listUnread = query("onboarding:read", readUnreadOnboardings);

/** Audits the access; null when there is none with this id. */
export const getOnboarding = query("onboarding:read", readRecord);

export const getAccountFormState = query("onboarding:create", readAccountFormState);
