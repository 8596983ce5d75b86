import { randomUUID } from "node:crypto";

const person = () => ({ staffId: randomUUID() });
const invitation = () => ({ invitationId: randomUUID() });
const holder = () => ({ userAccessToken: randomUUID(), code: "918273" });
const closure = () => ({ intentId: randomUUID(), ref: randomUUID(), userId: "user-1", reason: "A pedido do titular" });

/**
 * For each write that asks for a recent proof an input that is right, about nothing that there is: the proof is asked for
 * once the input is read.
 */
export const STEP_UP_INPUTS: Readonly<Record<string, () => unknown>> = {
  "accounts.carryOutAccountClosure": () => ({ approvalId: randomUUID(), ...holder() }),
  "accounts.closeAccountNow": () => ({ ...closure(), ...holder() }),
  "approvals.authoriseApproval": () => ({ approvalId: randomUUID() }),
  "approvals.setApprovalPolicy": () => ({
    kind: "kyc.decision",
    version: 99,
    rule: "always",
    amount: null,
    expiresAfterHours: 24,
    intentId: randomUUID(),
  }),
  "dossiers.exportDossier": () => ({ dossierId: randomUUID(), format: "json" }),
  "auth.addPasskey": () => ({
    name: "Chave",
    passkey: "bm9uZQ",
    clientDataJSON: "bm9uZQ",
    attestationObject: "bm9uZQ",
    transports: [],
  }),
  "auth.disableFactor": () => null,
  "auth.renewRecoveryCodes": () => null,
  "auth.removePasskey": () => "bm9uZQ",
  "auth.startEnrolment": () => null,
  "auth.startPasskey": () => null,
  "kyc.changeRules": () => ({
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
  "outcomes.endOutcome": () => ({
    intentId: randomUUID(),
    endedId: randomUUID(),
    outcome: "NOT_HAPPENED",
    source: "provider-support",
    reference: "ticket-1",
    reason: "O atendimento confirmou que nada foi recebido.",
  }),
  "transfers.orderTransfer": () => ({
    kind: "INTERNAL",
    from: randomUUID(),
    to: randomUUID(),
    userId: "user-1",
    amount: "10,00",
    description: "",
    intentId: randomUUID(),
    seen: [],
  }),
  "staff.authoriseAccess": () => ({ approvalId: randomUUID() }),
  "staff.disable": person,
  "staff.enable": person,
  "staff.endSessions": person,
  "staff.issueLink": person,
  "staff.invitePerson": () => ({
    intentId: randomUUID(),
    email: `${randomUUID()}@example.com`,
    name: "Eva",
    roles: ["support"],
  }),
  "staff.renew": invitation,
  "staff.resetSecondFactor": () => ({ intentId: randomUUID(), ...person() }),
  "staff.revoke": invitation,
  "staff.setRoles": () => ({ intentId: randomUUID(), ...person(), roles: ["support"], expected: [] }),
};
