import type { Acts } from "@/test/support/stage";
import { ACCOUNT_ACTS } from "@/test/registries/acts/accounts";
import { APPROVAL_ACTS } from "@/test/registries/acts/approvals";
import { CASE_ACTS } from "@/test/registries/acts/cases";
import { PEOPLE_ACTS } from "@/test/registries/acts/people";

/** Each way in which an action writes: a missing one fails the test. */
export const ACTS: Acts = { ...ACCOUNT_ACTS, ...APPROVAL_ACTS, ...CASE_ACTS, ...PEOPLE_ACTS };

/** Actions without an audit row, and why. */
export const UNRECORDED: Readonly<Record<string, string>> = {
  "security.startEnrolment": "a secret that was shown protects nothing before its first code, and that is on record",
  "security.startRequiredEnrolment": "as above",
  "security.startPasskey": "a challenge is nothing before its answer, and that is on record",
  "security.askPasskey": "as above",
  "security.askPasskeyAtStep": "as above",
  "approvals.seeResults": "takes a mark from somebody's own requests, as opening them does",
  "onboarding.checkAccount": "tells whoever typed it what is wrong with it, and asks nobody",
  "kyc.checkStart": "as onboarding.checkAccount",
  "transfers.checkTransfer": "as onboarding.checkAccount",
  "onboarding.saveAccountDraft": "as a case's draft",
  "transfers.saveTransferDraft": "as a case's draft",
  "onboarding.findOnboarding": "shows no more than the queue does to the same people",
  "kyc.findCaseOfSameDocument": "shows no more than the queue does to the same people",
  "transfers.findTransferPayee": "shows no more than the list does to the same people",
  "wallets.reviewSend": "shows no more than the wallet does to the same people",
  "kyc.saveStartDraft": "what somebody has typed and not sent: nobody else sees it, and it goes within a week",
  "movements.findCounterpart": "makes a key of what was typed, and reads nothing",
  "movements.findSource": "names what the list is filtered by, and asks nobody",
  "movements.planMovements": "counts what a file would cost, and asks nobody",
  "preferences.chooseMail": "which mails somebody gets is theirs alone, and opens nothing",
  "preferences.setLocale": "a cookie of the browser",
  "preferences.setFirstStepsHidden": "a cookie of the browser",
  "preferences.setShortcuts": "a cookie of the browser",
  "preferences.setTheme": "a cookie of the browser",
  "staff.openPasswordLink": "as staff.openInvitation",
  "staff.openInvitation": "a read by whoever holds the link; what comes of it is on record",
};
