import type { z } from "zod";
import type { ErrorBody } from "@/lib/contract/errors";
import type { KycStarted, ManualDecisionTaken } from "@/lib/contract/kyc";
import type { AccountRequested } from "@/lib/contract/onboarding";

const envelope = { status: 200, httpCode: 200, when: 0, message: "Recebido." };
const started = { status: "PROCESSING", model: "BASIC", documentscopy: false };
const asked = { status: "PROCESSING", body: { onBoardingId: "proposta", traceId: "t-1" } };

/** The writes that screens of the console order. */
export const WRITES = {
  person: "POST /v1/kyc/person",
  company: "POST /v1/kyc/company",
  decision: "POST /v1/kyc/manual-decision",
  personAccount: "POST /v1/bank-accounts/create",
  companyAccount: "POST /v1/bank-accounts/create (company)",
  closing: "POST /v1/bank-accounts/closeAccount",
} as const;
export type Write = (typeof WRITES)[keyof typeof WRITES];

/** Where the console asks for its token. */
export const TOKEN = "POST /v1/authentication/oauth/access-token";

/** What each is answered that is done, as the contract has it, with what a stranger may say besides. */
export const DONE: Readonly<Record<Write, object>> = {
  [WRITES.person]: {
    ...envelope,
    data: { ...started, kycUUID: "caso-pf", kycType: "PF", webviewUrl: "" },
  } satisfies z.input<typeof KycStarted>,
  [WRITES.company]: { ...envelope, data: { ...started, kycUUID: "caso-pj", kycType: "PJ" } } satisfies z.input<
    typeof KycStarted
  >,
  [WRITES.decision]: { ...envelope, data: { kycUUID: "caso", decision: "APPROVED" } } satisfies z.input<
    typeof ManualDecisionTaken
  >,
  [WRITES.personAccount]: { ...envelope, data: asked } satisfies z.input<typeof AccountRequested>,
  [WRITES.companyAccount]: { ...envelope, data: asked } satisfies z.input<typeof AccountRequested>,
  // The interface does not show it: what the service says, and the other name under which a status is looked for.
  [WRITES.closing]: {
    message: "Encerrada.",
    status: "OK",
    data: {
      accountId: "conta",
      branch: "0001",
      account: "1-9",
      documentNumber: "documento",
      status: "CLOSED",
      accountStatus: "CLOSED",
      closedAt: "hoje",
      reason: "A pedido",
    },
  },
};

/** A refusal of either shape (interface: Errors), with all that one may say. */
export const refusal = (message: string) =>
  ({
    error: "NONE",
    message,
    antifraudId: "a-1",
    pendingExpiresAt: "amanhã",
    detail: "detalhe",
    details: [{ field: "campo", message: "inválido" }],
    error_description: "descrição",
  }) satisfies z.input<typeof ErrorBody>;
