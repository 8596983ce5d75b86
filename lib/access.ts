import type { Permission } from "@/lib/auth/permission";

/**
 * What it takes to get past the door: a permission; `signed-in`: any person at a desk; `enrolling`: who must set a second
 * factor up and may do nothing else yet; `anybody`: no session at all.
 */
export type Need = Permission | "signed-in" | "enrolling" | "anybody";

export type ActionAccess = { needs: Need; isGrave: boolean };

const plain = (needs: Need): ActionAccess => ({ needs, isGrave: false });
/** It also asks for a proof of oneself that is not older than five minutes. */
const grave = (needs: Need): ActionAccess => ({ needs, isGrave: true });

/**
 * Who may do what, said a second time, apart from the code that enforces it: the build fails when an action is missing here,
 * the tests when its code asks for something else, and the stories when the running product does.
 */
export const ACTIONS: Readonly<Record<string, ActionAccess>> = {
  "accounts.lookUpAccount": plain("accounts:read"),
  "approvals.authoriseApproval": grave("approvals:authorize"),
  "approvals.commentOnApproval": plain("approvals:read"),
  "approvals.refuseApproval": plain("approvals:authorize"),
  "approvals.setApprovalPolicy": grave("settings:manage"),
  "approvals.withdrawApproval": plain("approvals:read"),
  "auth.endOtherSessions": plain("signed-in"),
  "auth.endOwnSession": plain("signed-in"),
  "auth.proveSelf": plain("signed-in"),
  "dossiers.exportDossier": grave("dossiers:export"),
  "factors.changePassword": plain("signed-in"),
  "factors.disableFactor": grave("signed-in"),
  "factors.renewRecoveryCodes": grave("signed-in"),
  "factors.startEnrolment": grave("signed-in"),
  "factors.startRequiredEnrolment": plain("enrolling"),
  "kyc.assignCase": plain("kyc:assign"),
  "kyc.assignCases": plain("kyc:assign"),
  "kyc.changeRules": grave("settings:manage"),
  "kyc.claimCase": plain("kyc:assign"),
  "kyc.addCaseNote": plain("kyc:note"),
  "kyc.decideCase": plain("kyc:decide"),
  "kyc.releaseCase": plain("kyc:assign"),
  "kyc.setAway": plain("kyc:assign"),
  "kyc.tagCases": plain("kyc:assign"),
  "kyc.takeNextCase": plain("kyc:assign"),
  "kyc.removeCaseFile": plain("kyc:note"),
  "kyc.retractCaseNote": plain("kyc:note"),
  "onboarding.addOnboardingNote": plain("onboarding:follow"),
  "kyc.keepStartDraft": plain("kyc:start"),
  "kyc.reviewStart": plain("kyc:start"),
  "kyc.settleStart": plain("kyc:start"),
  "kyc.startCase": plain("kyc:start"),
  "onboarding.checkOnboarding": plain("onboarding:read"),
  "onboarding.findOnboarding": plain("onboarding:read"),
  "onboarding.followOnboarding": plain("onboarding:follow"),
  "onboarding.joinAttempts": plain("onboarding:follow"),
  "onboarding.partAttempts": plain("onboarding:follow"),
  "onboarding.retractOnboardingNote": plain("onboarding:follow"),
  "onboarding.takeBiometricLink": plain("onboarding:follow"),
  "preferences.setLocale": plain("anybody"),
  "preferences.setShortcuts": plain("anybody"),
  "preferences.setTheme": plain("anybody"),
  "privacy.revealDocument": plain("pii:reveal"),
  "staff.acceptInvitation": plain("anybody"),
  "staff.disable": grave("staff:manage"),
  "staff.enable": grave("staff:manage"),
  "staff.endSessions": grave("staff:manage"),
  "staff.invitePerson": grave("staff:manage"),
  "staff.joinByInvitation": plain("anybody"),
  "staff.openInvitation": plain("anybody"),
  "staff.renew": grave("staff:manage"),
  "staff.resetSecondFactor": grave("staff:manage"),
  "staff.revoke": grave("staff:manage"),
  "staff.setRoles": grave("staff:manage"),
  "staff.switchTenant": plain("signed-in"),
  "views.changeView": plain("kyc:read"),
  "views.keepView": plain("kyc:read"),
  "views.removeView": plain("kyc:read"),
};

/** By address, dynamic segments as in the folders of `app`. */
export const PAGES: Readonly<Record<string, Need>> = {
  "/": "signed-in",
  "/accounts": "accounts:read",
  "/accounts/[ref]": "accounts:read",
  "/approvals": "approvals:read",
  "/approvals/[id]": "approvals:read",
  "/audit": "audit:read",
  "/calls": "audit:read",
  "/enrol": "enrolling",
  "/invite": "anybody",
  "/kyc": "kyc:read",
  "/kyc/[id]": "kyc:read",
  "/kyc/figures": "kyc:read",
  "/kyc/new": "kyc:start",
  "/onboarding": "onboarding:read",
  "/onboarding/[id]": "onboarding:read",
  "/security": "signed-in",
  "/settings": "signed-in",
  "/settings/approvals": "settings:manage",
  "/settings/data": "settings:manage",
  "/settings/kyc": "settings:manage",
  "/sign-in": "anybody",
  "/staff": "staff:manage",
  "/staff/[id]": "staff:manage",
  "/staff/roles": "signed-in",
  "/wallets": "wallets:read",
  "/wallets/[id]": "wallets:read",
  "/webhooks": "webhooks:read",
};

type Handler = { GET?: Need; POST?: Need };

/** By address; a method that is not named here is answered with 405. */
export const HANDLERS: Readonly<Record<string, Handler>> = {
  "/api/accounts/[ref]/balance": { GET: "accounts:read" },
  "/api/approvals": { GET: "approvals:read" },
  "/api/approvals/owed": { GET: "approvals:read" },
  "/api/audit/intent": { GET: "audit:read" },
  "/api/audit/new": { GET: "audit:read" },
  "/api/auth/[...nextauth]": { GET: "anybody", POST: "anybody" },
  "/api/calls": { GET: "audit:read" },
  "/api/calls/about": { GET: "kyc:read" },
  "/api/csp-reports": { POST: "anybody" },
  "/api/desk": { GET: "signed-in" },
  "/api/exports/audit": { GET: "audit:export" },
  "/api/exports/kyc": { GET: "kyc:read" },
  "/api/health": { GET: "anybody" },
  "/api/kyc": { GET: "kyc:read" },
  "/api/kyc/choices": { GET: "kyc:read" },
  "/api/kyc/[id]/holder": { GET: "kyc:read" },
  "/api/kyc/assignees": { GET: "kyc:assign" },
  "/api/kyc/[id]/decision": { GET: "kyc:decide" },
  "/api/kyc/[id]/files": { POST: "kyc:note" },
  "/api/kyc/[id]/files/[file]": { GET: "kyc:read" },
  "/api/live": { GET: "signed-in" },
  "/api/onboarding": { GET: "onboarding:read" },
  "/api/privacy/looks": { GET: "audit:export" },
  "/api/provider": { GET: "accounts:read" },
  "/api/session": { GET: "signed-in", POST: "signed-in" },
  "/api/staff": { GET: "staff:manage" },
  "/api/wallets": { GET: "wallets:read" },
  "/icon.svg": { GET: "anybody" },
};
