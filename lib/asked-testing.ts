import { randomUUID } from "node:crypto";
import type { Ids } from "./tenants-testing";

type Asked = (ids: Ids) => readonly unknown[];
type Exported = Record<string, Asked | "has no tenant" | "is told no id">;

/** In the place of what is Boreal's. */
export const nothing: Ids = { uuid: randomUUID(), text: "nothing-at-all-7" };
const uuid: Asked = ({ uuid: id }) => [id];
const text: Asked = ({ text: id }) => [id];
const all: Asked = () => [];

/** How each read is asked; one that is missing here fails the test of tenants. */
export const READS: Exported = {
  "accounts.getAccount": uuid,
  "accounts.getBalance": uuid,
  "accounts.getStatement": uuid,
  "accounts.listRecentAccounts": all,
  "approvals.countOwed": all,
  "approvals.getApproval": uuid,
  "approvals.listApprovals": () => [{ view: "waiting" }],
  "approvals.listPolicies": all,
  "audit.countNew": () => [{ code: "accounts.look-up" }],
  "audit.exportTrail": () => [{ code: "accounts.look-up" }, "json"],
  "audit.listOfIntent": uuid,
  "audit.listTrail": () => [{ code: "accounts.look-up" }],
  "calls.listCalls": ({ text: sought }) => [{ sought }],
  "calls.callsFor.account": uuid,
  "calls.callsFor.kyc": text,
  "calls.callsFor.onboarding": uuid,
  "calls.callsFor.wallet": text,
  "kyc.getCase": text,
  "kyc.getTimeline": ({ text: id }) => [id, { show: "all", before: null }],
  "kyc.openCaseFile": ({ text: id, uuid: file }) => [id, file],
  "kyc.getDecisionTerms": text,
  "kyc.getFigures": () => [14],
  "kyc.getHolder": text,
  "kyc.listDossiers": text,
  "kyc.listAssignees": all,
  "kyc.getOwnAbsence": all,
  "kyc.exportCases": () => [{ status: "all" }],
  "kyc.listCases": () => [{ status: "all" }],
  "kyc.listChoices": all,
  "kyc.listNeighbours": ({ text: id }) => [id, { status: "all" }],
  "onboarding.getOnboarding": uuid,
  "onboarding.listOnboardings": () => [{ status: "all" }],
  "privacy.exportLooks": ({ uuid: id }) => [{ kind: "account", id }],
  "privacy.getRetention": all,
  "privacy.listLooks": ({ uuid: id }) => [{ kind: "account", id }],
  "provider.getStanding": all,
  "staff.getPerson": uuid,
  "staff.listStaff": all,
  "views.savedViews.kyc": all,
  "views.savedViews.onboarding": all,
  "wallets.getWallet": text,
  "wallets.listWallets": all,
  "webhooks.listSubscriptions": all,
};

const decision = {
  decision: "REPROVED",
  reason: "Documento ilegível ou incompleto.",
  reasonCode: "document-illegible",
  checklist: [],
  rulesVersion: 0,
  expected: { status: "PENDING", process: "kyc-documentscopy" },
};

/** How each write is asked to touch what is Boreal's. */
export const WRITES: Exported = {
  "auth.endOtherSessions": "has no tenant",
  "auth.endOwnSession": "has no tenant",
  "auth.proveSelf": "has no tenant",
  "factors.changePassword": "has no tenant",
  "factors.disableFactor": "has no tenant",
  "factors.renewRecoveryCodes": "has no tenant",
  "factors.startEnrolment": "has no tenant",
  "factors.startRequiredEnrolment": "has no tenant",
  "accounts.lookUpAccount": ({ text: query }) => [{ query }],
  "approvals.authoriseApproval": ({ uuid: approvalId }) => [{ approvalId }],
  "approvals.commentOnApproval": ({ uuid: approvalId }) => [{ approvalId, commentId: randomUUID(), text: "ok" }],
  "approvals.refuseApproval": ({ uuid: approvalId }) => [{ approvalId, reason: "no" }],
  "approvals.setApprovalPolicy": () => [
    { kind: "kyc.decision", version: 7, rule: "never", amount: null, expiresAfterHours: 24 },
  ],
  "approvals.withdrawApproval": ({ uuid: approvalId }) => [{ approvalId }],
  "dossiers.exportDossier": ({ uuid: dossierId }) => [{ dossierId, format: "json" }],
  "kyc.assignCase": ({ text: kycUUID }) => [{ kycUUID, to: null, from: null }],
  "kyc.assignCases": ({ text: id }) => [{ bulkId: randomUUID(), selection: { ids: [id] }, slice: null, to: null }],
  "kyc.tagCases": ({ text: id }) => [
    { bulkId: randomUUID(), selection: { ids: [id] }, slice: null, tag: "urgente", isRemoved: false },
  ],
  "kyc.claimCase": ({ text: kycUUID }) => [{ kycUUID, takeFrom: null }],
  "kyc.setAway": "is told no id",
  "kyc.takeNextCase": "is told no id",
  "kyc.releaseCase": ({ text: kycUUID }) => [{ kycUUID }],
  "kyc.addCaseNote": ({ text: id }) => [{ id, noteId: randomUUID(), text: "ok" }],
  "kyc.removeCaseFile": ({ text: id, uuid: fileId }) => [{ id, fileId, reason: "no" }],
  "kyc.retractCaseNote": ({ text: id, uuid: noteId }) => [{ id, noteId }],
  "kyc.decideCase": ({ text: kycUUID }) => [{ ...decision, intentId: randomUUID(), kycUUID }],
  "onboarding.addOnboardingNote": ({ uuid: id }) => [{ id, noteId: randomUUID(), text: "ok" }],
  "onboarding.checkOnboarding": ({ uuid: id }) => [{ id }],
  // It only reads: what is another tenant's is nobody's to it.
  "onboarding.findOnboarding": "is told no id",
  "onboarding.followOnboarding": ({ text: query }) => [{ query, intentId: randomUUID() }],
  "onboarding.joinAttempts": ({ uuid: id }) => [{ id, older: id }],
  "onboarding.partAttempts": ({ uuid: id }) => [{ id }],
  "onboarding.retractOnboardingNote": ({ uuid: id }) => [{ id, noteId: randomUUID() }],
  "onboarding.takeBiometricLink": ({ uuid: id }) => [{ id, use: "shown" }],
  "preferences.setLocale": "has no tenant",
  "preferences.setShortcuts": "has no tenant",
  "preferences.setTheme": "has no tenant",
  "privacy.revealDocument": ({ uuid: id }) => [{ kind: "account", id, reason: "service", note: "what it is for" }],
  "staff.acceptInvitation": "is told no id",
  "staff.disable": ({ uuid: staffId }) => [{ staffId }],
  "staff.enable": ({ uuid: staffId }) => [{ staffId }],
  "staff.endSessions": ({ uuid: staffId }) => [{ staffId }],
  "staff.invitePerson": "is told no id",
  "staff.joinByInvitation": "is told no id",
  "staff.openInvitation": "is told no id",
  "staff.renew": ({ uuid: invitationId }) => [{ invitationId }],
  "staff.resetSecondFactor": ({ uuid: staffId }) => [{ staffId }],
  "staff.revoke": ({ uuid: invitationId }) => [{ invitationId }],
  "staff.setRoles": ({ uuid: staffId }) => [{ staffId, roles: ["admin"], expected: ["support"] }],
  "views.changeView": ({ uuid: id }) => [{ id, name: "Minha", isDefault: false }],
  "views.keepView": "is told no id",
  "views.removeView": ({ uuid: id }) => [{ id }],
  "staff.switchTenant": ({ text: tenant }) => [tenant === nothing.text ? tenant : "boreal"],
};
