"use server";

import { action } from "@/lib/action";
import { Noting, Retracting } from "@/lib/notes/inputs";
import {
  check,
  Checking,
  findFollowed,
  Finding,
  follow,
  Following,
  noteOnOnboarding,
  retractOnOnboarding,
  takeLink,
  Taking,
} from "./follow";
import { checkAccountForm } from "./check-account";
import { requestAccount } from "./create";
import { reviewAccount as review } from "./review-account";
import { prefillAccount as prefill, saveAccountDraft as saveDraft } from "./create-form";
import { reconcileAccountRequest } from "./create-reconcile";
import {
  AccountChecking,
  AccountDrafting,
  AccountOrder,
  AccountReconciliation,
  AccountReviewing,
  Prefilling,
} from "./create-inputs";
import { join, Joining, part, Parting } from "./attempts";

export const followOnboarding = action("onboarding:follow", Following, follow);
export const checkOnboarding = action("onboarding:read", Checking, check);
export const findOnboarding = action("onboarding:read", Finding, findFollowed);
export const takeBiometricLink = action("onboarding:follow", Taking, takeLink);
export const joinAttempts = action("onboarding:follow", Joining, join);
export const partAttempts = action("onboarding:follow", Parting, part);
export const addOnboardingNote = action("onboarding:follow", Noting, noteOnOnboarding);
export const retractOnboardingNote = action("onboarding:follow", Retracting, retractOnOnboarding);

export const checkAccount = action("onboarding:create", AccountChecking, checkAccountForm);
export const reviewAccount = action("onboarding:create", AccountReviewing, review);
export const createAccount = action("onboarding:create", AccountOrder, requestAccount);
export const reconcileAccount = action("onboarding:create", AccountReconciliation, reconcileAccountRequest);
export const saveAccountDraft = action("onboarding:create", AccountDrafting, saveDraft);
export const prefillAccount = action("onboarding:create", Prefilling, prefill);
