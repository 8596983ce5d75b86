import { STANDARD_BOUNDS } from "@/lib/privacy/alarm-view";
import { STANDARD_CALENDAR } from "@/lib/calendar/view";
import { randomUUID } from "node:crypto";
import { civilDaysAgo, civilMinute } from "@/lib/text/time";

export type Ids = { uuid: string; text: string };

/** A file of an account; a case's file has `uuid`. */
export const FILE_OF_ACCOUNT = randomUUID();

type Asked = (ids: Ids) => readonly unknown[];

/**
 * `about`: a right input about the record of these ids; `input`: one that names none; `makesId`: it names something new.
 * `of`: it writes by that input about any such record that there is, and no other way. `asks`: it answers that nothing is known.
 */
export type Write = { makesId?: true } & (
  | { about: (ids: Ids) => unknown; of?: "wallet" | "account" | "onboarding"; asks?: true }
  | { names: "no tenant" | "no id"; input?: () => unknown }
);

/** Used instead of Boreal's ids. */
export const nothing: Ids = { uuid: randomUUID(), text: "nothing-at-all-7" };
const uuid: Asked = ({ uuid: id }) => [id];
const text: Asked = ({ text: id }) => [id];
const all: Asked = () => [];
const sumOf = ({ text: asset }: Ids) => [{ network: "ETHEREUM", asset, token: "", kind: "untold", part: "available" }];

/** How each read that shows the record of these ids is asked. */
export const RECORD_READS: Readonly<Record<string, Asked>> = {
  "accounts.getAccount": uuid,
  "accounts.getCasework": uuid,
  "accounts.getClosing": uuid,
  "accounts.getRelated": uuid,
  "accounts.getTimeline": uuid,
  "accounts.getUser": uuid,
  "accounts.listAccounts": () => [{ view: "all", page: 1 }],
  "accounts.listUnread": all,
  "accounts.listRecentAccounts": all,
  "accounts.openAccountFile": ({ uuid: id }) => [id, FILE_OF_ACCOUNT],
  "approvals.getApproval": uuid,
  "approvals.listApprovals": () => [{ view: "waiting" }],
  "approvals.listPolicies": all,
  "audit-trail.listOfIntent": uuid,
  "audit-trail.listTrail": () => [{ code: "accounts.look-up" }],
  "calls.listCalls": ({ text: search }) => [{ search }],
  "calls.callsFor.account": uuid,
  "calls.callsFor.kyc": text,
  "calls.callsFor.onboarding": uuid,
  "calls.callsFor.wallet": text,
  "health.getHealth": all,
  "kyc.getCase": text,
  "kyc.getCaseRules": all,
  "kyc.exportCase": text,
  "kyc.getTimeline": ({ text: id }) => [id, { show: "all", before: null }],
  "kyc.openCaseFile": ({ text: id, uuid: file }) => [id, file],
  "kyc.getDecisionTerms": text,
  "kyc.getFigures": () => [14],
  "kyc.getHolder": text,
  "kyc.getStartFormState": () => ["PF"],
  "kyc.listDossiers": text,
  "kyc.listAssignees": all,
  "kyc.listCases": () => [{ status: "all" }],
  "kyc.listChoices": all,
  "kyc.listUnread": all,
  "movements.getMovementSummary": ({ uuid: account }) => [{ account }],
  "movements.listMovements": ({ uuid: account }) => [{ account }],
  "movements.listMovementFiles": all,
  "movements.listSent": ({ uuid: who }) => [{ who }],
  "onboarding.getAccountFormState": ({ uuid: from }) => [{ kind: "PF", from }],
  "onboarding.getOnboarding": uuid,
  "onboarding.listUnread": all,
  "onboarding.listOnboardings": () => [{ status: "all" }],
  "outcomes.listUnknownOutcomes": all,
  "position.getPosition": () => [{}],
  "position.listChanges": (ids) => sumOf(ids).map((key) => ({ key, day: "2024-07-02", against: "2024-07-01" })),
  "position.listGroupLine": () => [{ group: "unset", day: "2024-07-01" }],
  "position.listLine": (ids) => sumOf(ids).map((key) => ({ key, day: "2024-07-01" })),
  "position.listParts": (ids) => sumOf(ids).map((key) => ({ key, day: "2024-07-01", page: 1 })),
  "privacy.exportAccesses": ({ uuid: id }) => [{ kind: "account", id }],
  "privacy.listCaseAccesses": text,
  "privacy.listReasons": ({ uuid: id }) => [[id]],
  "privacy.listAlarms": all,
  "privacy.listAccesses": ({ uuid: id }) => [{ kind: "account", id }],
  "search.listNames": ({ uuid: id }) => [[`account:${id}`, `onboarding:${id}`]],
  "staff.getAccessReview": all,
  "staff.getPerson": uuid,
  "staff.listStaff": all,
  "transfers.getProposedTransfer": uuid,
  "transfers.getTransfer": uuid,
  "transfers.listTransfers": ({ uuid: account }) => [{ view: "all", account, page: 1 }],
  "wallets.getHistory": ({ text: id }) => [id, {}],
  "wallets.getWallet": text,
  "wallets.listWallets": all,
  "wallets.listWalletsOf": text,
  "wallets.listDepositAddresses": () => [{}],
  "wallets.listUnconfirmedWallets": all,
  "webhooks.getDelivery": uuid,
  "webhooks.getReceived": uuid,
  "webhooks.listReceived": ({ text: search }) => [{ search }],
  "webhooks.listRefused": ({ text: search }) => [{ search }],
  "webhooks.listReplays": all,
};

/** All: a read of anything but that record stands here, and one that is missing fails the test of tenants. */
export const READS: Readonly<Record<string, Asked>> = {
  ...RECORD_READS,
  "position.listFlow": (ids) => sumOf(ids).map((key) => ({ key, day: "2024-07-01" })),
  "accounts.exportAccounts": () => [{ view: "all" }],
  "accounts.exportLetter": uuid,
  "accounts.exportReceipt": ({ uuid: id }) => [id, { transaction: "nothing-at-all-7" }],
  "accounts.exportStatement": ({ uuid: id }) => [id, {}, "ofx"],
  "accounts.getBalance": uuid,
  "accounts.getClosingTerms": uuid,
  "accounts.getCompany": all,
  "accounts.getEntry": ({ uuid: id }) => [id, { transaction: "nothing-at-all-7" }],
  "accounts.getReceipt": ({ uuid: id }) => [id, { transaction: "nothing-at-all-7" }],
  "accounts.getRecord": uuid,
  "accounts.getStatementView": uuid,
  "approvals.countOwed": all,
  "approvals.exportApprovals": () => [{ view: "waiting" }],
  "audit-trail.countNew": () => [{ code: "accounts.look-up" }],
  "audit-trail.getOversight": all,
  "audit-trail.exportTrail": () => [{ code: "accounts.look-up" }, "json"],
  "calls.exportCalls": ({ text: search }) => [{ search }],
  "calls.listMinutes": all,
  "conformance.listCapabilities": all,
  "conformance.listChanges": () => [14],
  "conformance.listReads": all,
  "lab.getLab": all,
  "kyc.getWorkload": all,
  "kyc.getOwnAbsence": all,
  "kyc.exportCases": () => [{ status: "all" }],
  "kyc.countWaitingCases": all,
  "kyc.listNeighbours": ({ text: id }) => [id, { status: "all" }],
  "movements.exportMovements": ({ uuid: account }) => [{ account }],
  "movements.exportSent": ({ uuid: who }) => [{ who }],
  "movements.takeMovementFile": uuid,
  "onboarding.getFunnel": all,
  "onboarding.countWaitingOnboardings": all,
  "outcomes.listRefusedOfKyc": ({ text: id }) => [`kyc:${id}`],
  "outcomes.listRefusedOnboardings": ({ uuid: id }) => [`onboarding:${id}`],
  "outcomes.listRefusedOfAccounts": ({ uuid: id }) => [`account:${id}`],
  "outcomes.listRefusedOfWallets": ({ text: id }) => [`wallet:${id}`],
  "position.exportPosition": () => [{}],
  "privacy.getAlarmBounds": all,
  "privacy.getRetention": all,
  "security.getAddressList": all,
  "staff.exportAccess": all,
  "calls.getStanding": all,
  "calendar.getCalendar": all,
  "first-steps.getFirstSteps": all,
  "preferences.savedViews.accounts": all,
  "preferences.savedViews.approvals": all,
  "preferences.savedViews.audit": all,
  "preferences.savedViews.calls": all,
  "preferences.savedViews.coins": all,
  "preferences.savedViews.deposits": all,
  "preferences.savedViews.kyc": all,
  "preferences.savedViews.movements": all,
  "preferences.savedViews.onboarding": all,
  "preferences.savedViews.transfers": all,
  "preferences.savedViews.wallets": all,
  "preferences.savedViews.webhooks": all,
  "webhooks.exportReceived": ({ text: search }) => [{ search }],
  "webhooks.exportRefused": ({ text: search }) => [{ search }],
  "transfers.exportTransfers": ({ uuid: account }) => [{ view: "all", account }],
  "transfers.getHoldings": uuid,
  "transfers.getPayer": uuid,
  "transfers.getTransferDrafts": all,
  "transfers.getTransferFormState": ({ uuid: from }) => [{ kind: "INTERNAL", from }],
  "wallets.exportHistory": ({ text: id }) => [id, {}],
  "suspicions.getSuspicion": uuid,
  "suspicions.listSuspicions": all,
  "suspicions.listSuspicionsOf": text,
  "deposits.exportDeposits": ({ text: search }) => [{ search }],
  "deposits.getDeposit": uuid,
  "deposits.listDeposits": ({ text: search }) => [{ search }],
  "wallets.exportSendReceipt": uuid,
  "wallets.exportSends": ({ text: wallet }) => [{ wallet }],
  "wallets.exportWallets": ({ text: search }) => [{ search }],
  "wallets.getSend": uuid,
  "wallets.listSends": ({ text: wallet }) => [{ wallet }],
  "wallets.listOpenSends": text,
  "wallets.listSentCoins": text,
  "wallets.getProposedCoins": uuid,
  "webhooks.listDeliveryHours": all,
  "webhooks.listArrivals": all,
  "webhooks.listMissing": all,
  "webhooks.getDrillSheet": ({ uuid: drill }) => [{ drill }],
  "webhooks.exportDrill": ({ uuid: drill }) => [{ drill }],
  "webhooks.planDeliveryReplay": ({ uuid: delivery }) => [{ delivery, filter: { view: "all" } }],
  "webhooks.listSubscriptions": all,
};

const coins = (walletId: string) => ({
  walletId,
  network: "ETHEREUM",
  token: "",
  to: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  amount: "0.5",
});

const TOMORROW = civilMinute(new Date(Date.now() + 86_400_000));

const decision = {
  decision: "REPROVED",
  reason: "Requisitos cadastrais não atendidos.",
  reasonCode: "requirements-unmet",
  checklist: [],
  rulesVersion: 0,
  expected: { status: "PENDING", process: "kyc-documentscopy" },
};

const conclusion = {
  outcome: "NOT_HAPPENED",
  source: "provider-support",
  reference: "ticket-1",
  reason: "O atendimento confirmou que nada foi recebido.",
};

const holder = { userAccessToken: "the holder's token", code: "918273" };
const closure = (ref: string) => ({ intentId: randomUUID(), ref, userId: "user-1", reason: "A pedido do titular" });

const movementOrder = (names: string) => ({
  from: "2026-03-01",
  to: "2026-03-31",
  format: "csv",
  scope: names === "" ? "all" : "chosen",
  names,
});

const between = (ref: string) => ({
  kind: "INTERNAL",
  from: ref,
  to: randomUUID(),
  userId: "user-1",
  amount: "1,00",
  description: "",
});

/** The input with which each write tries to touch Boreal's records. */
export const WRITES: Readonly<Record<string, Write>> = {
  "security.askPasskey": { names: "no tenant" },
  "security.askPasskeyAtStep": { names: "no tenant" },
  "security.endOtherSessions": { names: "no tenant" },
  "security.endOwnSession": { names: "no tenant" },
  "security.proveSelf": { names: "no tenant" },
  "security.addPasskey": {
    names: "no tenant",
    input: () => ({
      name: "Chave",
      passkey: "bm9uZQ",
      clientDataJSON: "bm9uZQ",
      attestationObject: "bm9uZQ",
      transports: [],
    }),
  },
  "security.changePassword": { names: "no tenant" },
  "security.disableFactor": { names: "no tenant", input: () => null },
  "security.renewRecoveryCodes": { names: "no tenant", input: () => null },
  "security.removePasskey": { names: "no tenant", input: () => "bm9uZQ" },
  "security.startEnrolment": { names: "no tenant", input: () => null },
  "security.startPasskey": { names: "no tenant", input: () => null },
  "security.startRequiredEnrolment": { names: "no tenant" },
  "accounts.addAccountNote": { about: ({ uuid: id }) => ({ id, noteId: randomUUID(), text: "ok" }), makesId: true },
  "accounts.removeAccountFile": { about: ({ uuid: id }) => ({ id, fileId: FILE_OF_ACCOUNT, reason: "no" }) },
  "accounts.retractAccountNote": { about: ({ uuid: id }) => ({ id, noteId: FILE_OF_ACCOUNT }) },
  "accounts.carryOutAccountClosure": { about: ({ uuid: approvalId }) => ({ approvalId, ...holder }) },
  "accounts.closeAccountNow": { about: ({ uuid: ref }) => ({ ...closure(ref), ...holder }), makesId: true },
  "accounts.lookUpAccount": { about: ({ text: query }) => ({ query }) },
  "accounts.lookUpPixKey": {
    about: () => ({ pixKey: "ninguem@exemplo.com.br", reason: "service", note: "Conferido com o cliente." }),
  },
  "preferences.chooseMail": { names: "no tenant", input: () => ({ choice: "waiting", isOn: false }) },
  "conformance.exploreProvider": { about: ({ text: id }) => ({ read: "getOtcTrade", values: { id } }), asks: true },
  "lab.playScenario": { names: "no id", input: () => ({ scenario: "hold-next", values: {} }) },
  "calls.checkAccessToken": { names: "no id", input: () => null },
  "calls.revokeAccessToken": { names: "no id", input: () => null },
  "wallets.importDepositAddresses": { names: "no id", input: () => ({ csv: "nobody;pedido-1" }) },
  "wallets.importWalletLabels": { names: "no id", input: () => ({ csv: "nobody;own;Tesouraria" }) },
  "wallets.labelWallet": {
    about: ({ text: walletId }) => ({ walletId, label: "Tesouraria", use: "own", seen: { label: null, use: null } }),
    of: "wallet",
  },
  "suspicions.raiseSuspicion": {
    makesId: true,
    about: ({ text: kycUUID }) => ({ kycUUID, suspicionId: randomUUID(), occurredOn: "01/07/2024", text: "ok" }),
  },
  "suspicions.moveSuspicion": {
    makesId: true,
    about: ({ uuid: suspicionId }) => ({
      suspicionId,
      stepId: randomUUID(),
      seen: suspicionId,
      to: "analysing",
      text: "ok",
    }),
  },
  "deposits.askWhetherPaid": { about: ({ text: asked }) => ({ text: asked }), asks: true },
  "deposits.expectDeposit": {
    names: "no id",
    input: () => ({ reference: "PED-2041", amount: "10,5", asset: "USDT", network: "", due: "" }),
  },
  "deposits.handleDeposit": {
    about: ({ uuid: id }) => ({ id, owner: "me", reason: "refunded", note: "Devolvido", seen: "v0" }),
  },
  "deposits.withdrawExpectedDeposit": { about: ({ uuid: id }) => ({ id, reason: "mistyped", seen: "v0" }) },
  "deposits.importDepositReasons": {
    names: "no id",
    input: () => ({ csv: `ID;Motivo;Observação;Versão\n${randomUUID()};Devolvido;visto;v0` }),
  },
  "deposits.importExpectedDeposits": { names: "no id", input: () => ({ csv: "PED-2042;10,5;;;" }) },
  "movements.findCounterpart": { names: "no id", input: () => ({ query: "Ana Prado" }) },
  "movements.findSource": { about: ({ uuid: query }) => ({ query }) },
  "movements.planMovements": { names: "no id", input: () => movementOrder("") },
  "movements.startMovements": {
    makesId: true,
    about: ({ uuid: names }) => ({ ...movementOrder(names), id: randomUUID() }),
  },
  "movements.stopMovements": { about: ({ uuid: id }) => ({ id }) },
  "webhooks.startDeliveryReplay": {
    makesId: true,
    about: ({ uuid: delivery }) => ({ delivery, filter: {}, upTo: 417, id: randomUUID() }),
  },
  "webhooks.stopDeliveryReplay": { about: ({ uuid: id }) => ({ id }) },
  "wallets.lookUpOtcTrade": { about: ({ text: id }) => ({ id }) },
  "wallets.createDepositAddress": {
    names: "no id",
    input: () => ({ intentId: randomUUID(), family: "EVM", reference: "order-7", customer: "" }),
    makesId: true,
  },
  "wallets.createWallet": {
    names: "no id",
    input: () => ({ intentId: randomUUID(), family: "EVM", isForward: false, customer: "" }),
    makesId: true,
  },
  "wallets.reviewSend": { about: ({ text: walletId }) => coins(walletId) },
  "wallets.sendCoins": {
    about: ({ text: walletId }) => ({ ...coins(walletId), intentId: randomUUID(), middleSix: "bB79Ce" }),
    makesId: true,
  },
  "wallets.reconcileWallet": { about: ({ uuid: intentId, text: walletId }) => ({ intentId, walletId }) },
  "accounts.nameAccountFile": {
    about: ({ uuid: ref }) => ({ ref, file: "statement", reason: "service", note: "what it is for" }),
    of: "account",
  },
  "accounts.proposeAccountClosure": { about: ({ uuid: ref }) => closure(ref), makesId: true },
  "writes.authoriseApproval": { about: ({ uuid: approvalId }) => ({ approvalId }) },
  "approvals.commentOnApproval": {
    about: ({ uuid: approvalId }) => ({ approvalId, commentId: randomUUID(), text: "ok" }),
    makesId: true,
  },
  "approvals.refuseApproval": { about: ({ uuid: approvalId }) => ({ approvalId, reason: "no" }) },
  "approvals.refuseApprovals": { about: ({ uuid: approvalId }) => ({ approvalIds: [approvalId], reason: "no" }) },
  "approvals.seeResults": { about: ({ uuid: approvalId }) => ({ approvalIds: [approvalId] }) },
  "approvals.setApprovalPolicy": {
    about: () => ({
      intentId: randomUUID(),
      kind: "kyc.decision",
      version: 7,
      rule: "never",
      amount: null,
      expiresAfterHours: 24,
    }),
    makesId: true,
  },
  "approvals.withdrawApproval": { about: ({ uuid: approvalId }) => ({ approvalId }) },
  "kyc.exportDossier": {
    about: ({ uuid: dossierId }) => ({ dossierId, format: "json", reason: "authority", note: "what it is for" }),
  },
  "kyc.assignCase": { about: ({ text: kycUUID }) => ({ kycUUID, to: null, from: null }) },
  "kyc.assignCases": {
    about: ({ text: id }) => ({ bulkId: randomUUID(), selection: { ids: [id] }, slice: null, to: null }),
    makesId: true,
  },
  "kyc.tagCases": {
    about: ({ text: id }) => ({
      bulkId: randomUUID(),
      selection: { ids: [id] },
      slice: null,
      tag: "urgente",
      isRemoved: false,
    }),
    makesId: true,
  },
  "kyc.changeCalendar": {
    names: "no id",
    input: () => ({ ...STANDARD_CALENDAR, tedCloses: "16:00", version: 0 }),
  },
  "kyc.changeRules": {
    names: "no id",
    makesId: true,
    input: () => ({
      intentId: randomUUID(),
      version: 99,
      slaHours: { PF: 24, PJ: 48 },
      dueSoonHours: 8,
      reasons: [
        { code: null, decision: "APPROVED", text: "Confere.", isRetired: false },
        { code: null, decision: "REPROVED", text: "Não confere.", isRetired: false },
      ],
      checklist: { PF: [], PJ: [] },
      stoppedWords: [],
    }),
  },
  "kyc.claimCase": { about: ({ text: kycUUID }) => ({ kycUUID, takeFrom: null }) },
  "kyc.putOffCase": {
    about: ({ text: kycUUID, uuid: seen }) => ({
      kycUUID,
      putOffId: randomUUID(),
      until: TOMORROW,
      reason: "ok",
      seen,
    }),
    makesId: true,
  },
  "kyc.bringBackCase": { about: ({ text: kycUUID, uuid: putOffId }) => ({ kycUUID, putOffId }) },
  "kyc.escalateCase": {
    about: ({ text: kycUUID }) => ({ kycUUID, escalationId: randomUUID(), text: "ok" }),
    makesId: true,
  },
  "kyc.withdrawEscalation": { about: ({ text: kycUUID, uuid: escalationId }) => ({ kycUUID, escalationId }) },
  "kyc.takeEscalation": {
    about: ({ text: kycUUID, uuid: escalationId }) => ({ kycUUID, escalationId, takeFrom: null }),
  },
  "kyc.answerEscalation": {
    about: ({ text: kycUUID, uuid: escalationId }) => ({ kycUUID, escalationId, answerId: randomUUID(), text: "ok" }),
    makesId: true,
  },
  "kyc.handOverWebview": { about: ({ text: kycUUID }) => ({ kycUUID, link: "0123456789abcdef", use: "copied" }) },
  "kyc.setAway": { names: "no id" },
  "kyc.takeNextCase": { names: "no id", makesId: true },
  "kyc.releaseCase": { about: ({ text: kycUUID }) => ({ kycUUID }) },
  "kyc.findCaseOfSameDocument": { names: "no id" },
  "kyc.addCaseNote": { about: ({ text: id }) => ({ id, noteId: randomUUID(), text: "ok" }), makesId: true },
  "kyc.removeCaseFile": { about: ({ text: id, uuid: fileId }) => ({ id, fileId, reason: "no" }) },
  "kyc.retractCaseNote": { about: ({ text: id, uuid: noteId }) => ({ id, noteId }) },
  "kyc.saveStartDraft": {
    about: ({ uuid: draftId }) => ({ type: "PF", order: { do: "save", draftId, version: 0, fields: {} } }),
  },
  "kyc.checkStart": { names: "no id" },
  "kyc.reviewStart": { names: "no id" },
  "kyc.reconcileStart": { about: ({ uuid: intentId, text: kycUUID }) => ({ intentId, kycUUID }) },
  "kyc.startCase": { names: "no id", makesId: true },
  "kyc.decideCase": { about: ({ text: kycUUID }) => ({ ...decision, intentId: randomUUID(), kycUUID }), makesId: true },
  "onboarding.addOnboardingNote": {
    about: ({ uuid: id }) => ({ id, noteId: randomUUID(), text: "ok" }),
    of: "onboarding",
    makesId: true,
  },
  "onboarding.checkAccount": { names: "no id" },
  "onboarding.createAccount": { names: "no id", makesId: true },
  "onboarding.saveAccountDraft": {
    about: ({ uuid: draftId }) => ({ type: "PF", from: null, order: { do: "save", draftId, version: 0, fields: {} } }),
  },
  "onboarding.prefillAccount": { about: ({ uuid: from }) => ({ from, reason: "service", note: "what it is for" }) },
  "onboarding.reviewAccount": { names: "no id" },
  "onboarding.reconcileAccount": { about: ({ uuid: id }) => ({ intentId: id, onboardingId: id }) },
  "onboarding.checkOnboarding": { about: ({ uuid: id }) => ({ id }) },
  // It only reads, and another tenant's record is unknown to it.
  "onboarding.findOnboarding": { names: "no id" },
  "onboarding.followOnboarding": { about: ({ text: query }) => ({ query, intentId: randomUUID() }), makesId: true },
  "onboarding.joinAttempts": { about: ({ uuid: id }) => ({ id, older: id }) },
  "onboarding.partAttempts": { about: ({ uuid: id }) => ({ id }) },
  "onboarding.retractOnboardingNote": { about: ({ uuid: id }) => ({ id, noteId: randomUUID() }) },
  "onboarding.takeBiometricLink": { about: ({ uuid: id }) => ({ id, use: "shown" }) },
  "outcomes.endOutcome": {
    about: ({ uuid: endedId }) => ({ ...conclusion, intentId: randomUUID(), endedId }),
    makesId: true,
  },
  "outcomes.excludeCandidate": { about: ({ uuid: intentId, text: candidate }) => ({ intentId, candidate }) },
  "preferences.setLocale": { names: "no tenant" },
  "preferences.setFirstStepsHidden": { names: "no tenant" },
  "preferences.setShortcuts": { names: "no tenant" },
  "preferences.setTheme": { names: "no tenant" },
  "position.importRates": { names: "no id", input: () => ({ csv: "BSC;none;;5,4321;2024-07-01;PTAX" }) },
  "position.readAgain": { names: "no id", input: () => ({ day: civilDaysAgo(0) }) },
  "position.setRate": {
    about: ({ text: asset }) => ({
      network: "ETHEREUM",
      asset,
      token: "",
      value: "5.4321",
      day: "2024-07-01",
      source: "PTAX",
    }),
  },
  "privacy.askToRevealMore": {
    names: "no id",
    input: () => ({ intentId: randomUUID(), note: "what it is for" }),
    makesId: true,
  },
  "accounts.revealDocument": {
    about: ({ uuid: id }) => ({ kind: "account", id, reason: "service", note: "what it is for" }),
  },
  "privacy.changeAlarmBounds": {
    names: "no id",
    input: () => ({ ...STANDARD_BOUNDS, perHour: 15, version: 0 }),
  },
  "privacy.endAlarm": { about: ({ uuid: alarmId }) => ({ alarmId, note: "Conferido" }) },
  "privacy.takeAlarm": { about: ({ uuid: alarmId }) => ({ alarmId, seen: null }) },
  "security.changeAddressList": { names: "no id", input: () => ({ addresses: "0.0.0.0/1 128.0.0.0/1", version: 0 }) },
  "staff.acceptInvitation": { names: "no id" },
  "writes.authoriseAccess": { about: ({ uuid: approvalId }) => ({ approvalId }) },
  "staff.refuseAccess": { about: ({ uuid: approvalId }) => ({ approvalId, reason: "no" }) },
  "staff.disable": { about: ({ uuid: staffId }) => ({ staffId }) },
  "staff.enable": { about: ({ uuid: staffId }) => ({ staffId }) },
  "staff.endSessions": { about: ({ uuid: staffId }) => ({ staffId }) },
  "staff.forgotPassword": { names: "no id" },
  "staff.issueLink": { about: ({ uuid: staffId }) => ({ staffId }) },
  "staff.invitePerson": {
    names: "no id",
    input: () => ({
      intentId: randomUUID(),
      email: `${randomUUID()}@example.com`,
      name: "Eva",
      roles: ["auditor"],
    }),
  },
  "staff.joinByInvitation": { names: "no id" },
  "staff.openInvitation": { names: "no id" },
  "staff.openPasswordLink": { names: "no id" },
  "staff.renew": { about: ({ uuid: invitationId }) => ({ invitationId }) },
  "staff.resetSecondFactor": { about: ({ uuid: staffId }) => ({ intentId: randomUUID(), staffId }) },
  "staff.reviewAccess": {
    names: "no id",
    makesId: true,
    input: () => ({ intentId: randomUUID(), note: "Conferido", nextOn: civilDaysAgo(-90), seen: null }),
  },
  "staff.revoke": { about: ({ uuid: invitationId }) => ({ invitationId }) },
  "staff.setPassword": { names: "no id" },
  "staff.setRoles": {
    about: ({ uuid: staffId }) => ({ intentId: randomUUID(), staffId, roles: ["admin"], expected: ["support"] }),
  },
  "preferences.changeView": { about: ({ uuid: id }) => ({ id, name: "Minha", isDefault: false }) },
  "preferences.saveView": { names: "no id", makesId: true },
  "preferences.removeView": { about: ({ uuid: id }) => ({ id }) },
  "transfers.saveTransferDraft": {
    about: ({ uuid: draftId }) => ({
      kind: "INTERNAL",
      from: draftId,
      order: { do: "save", draftId, version: 0, fields: {} },
    }),
  },
  "transfers.orderTransfer": {
    about: ({ uuid: ref }) => ({ ...between(ref), intentId: randomUUID(), seen: [] }),
    makesId: true,
  },
  "transfers.checkHold": { about: ({ uuid: intentId }) => ({ intentId }) },
  "transfers.findTransferPayee": { names: "no id" },
  "transfers.removePayee": { about: ({ uuid: payeeId }) => ({ payeeId }) },
  // It checks only the typed values and reads no account.
  "transfers.checkTransfer": { names: "no id" },
  "transfers.reviewTransfer": { about: ({ uuid: ref }) => between(ref) },
  "transfers.savePayee": { about: ({ uuid: to }) => ({ kind: "INTERNAL", to }) },
  "staff.switchTenant": { about: ({ text: tenant }) => (tenant === nothing.text ? tenant : "boreal") },
};

/** Writes whose input contains a new id, made by the browser. */
export const MAKING = Object.entries(WRITES).flatMap(([name, { makesId }]) => (makesId === true ? [name] : []));

/** A valid input of a write, about a record that does not exist. */
export function rightInputOf(name: string): unknown {
  const write = WRITES[name];
  const input = write === undefined || "about" in write ? write?.about : write.input;
  if (input === undefined) throw new Error(`${name} has no right input in test/registries/inputs.ts`);
  return input({ uuid: randomUUID(), text: nothing.text });
}
