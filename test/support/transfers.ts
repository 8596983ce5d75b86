import { randomUUID } from "node:crypto";
import { provider } from "@/lib/provider/client";
import { AppError } from "@/lib/errors/app-error";
import { createIntents } from "@/lib/provider/intents/intent";
import { completeCpf } from "@/lib/contract/document";
import { AccountRequested, OnboardingRecord } from "@/lib/contract/onboarding";
import { personRequest } from "@/test/support/service/accounts";
import { AURORA, type Harness } from "@/test/support/service/harness";
import type { Account } from "@/test/support/service/transfers";
import { ExternalOrder, InternalOrder } from "@/lib/transfers/inputs";
import type { Actor } from "@/lib/permission/grant";
import { executeOrPropose } from "@/lib/approvals/propose";
import { sendTed } from "@/lib/transfers/ted";
import { sendTransfer } from "@/lib/transfers/transfer";
import { performAuthorised } from "./claims";

const idle = () => {};

const lost = () => new AppError("unavailable", { code: "no-answer", mayHaveExecuted: true });

/**
 * The intents of this process, on a clock that advances by sleeping; `script.losses` answers are lost after execution.
 */
type Refusing = Pick<AppError, "kind" | "details"> | null;
const noRefusal: Refusing = null;

export function givenIntents() {
  let held: { reached: () => void; answer: Promise<void> } | null = null;
  const script = {
    losses: 0,
    requestsLost: 0,
    refusal: noRefusal,
    sent: 0,
    /** Holds the provider's next answer: `answered` resolves when it was given, `release` lets it pass. */
    holdNext: () => {
      let reached = idle;
      let release = idle;
      const answered = new Promise<void>((resolve) => (reached = resolve));
      const answer = new Promise<void>((resolve) => (release = resolve));
      held = { reached, answer };
      return { answered, release };
    },
  };
  let nowMs = 0;
  globalThis.retaguardaIntents = createIntents({
    post: async (actor, operation, given) => {
      script.sent += 1;
      if (script.refusal !== null) throw new AppError(script.refusal.kind, script.refusal.details);
      if (script.requestsLost > 0) {
        script.requestsLost -= 1;
        throw lost();
      }
      const answered = await provider.post(actor, operation, given);
      const holding = held;
      held = null;
      holding?.reached();
      await holding?.answer;
      if (script.losses === 0) return answered;
      script.losses -= 1;
      throw lost();
    },
    now: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
    },
    random: () => 0,
  });
  return script;
}

let opened = 0;

/** An open account with that many reais. */
export async function openAccount(service: Harness, reais = 0): Promise<Account> {
  opened += 1;
  const documentNumber = completeCpf(String(300_000_100 + opened));
  const body = personRequest(documentNumber);
  const created = await service.send("POST", "/v1/bank-accounts/create", { body });
  const { onBoardingId } = AccountRequested.parse(created.body).data.body;
  await service.control("POST", `/sandbox/onboardings/${onBoardingId}`, { status: "CONFIRMED" });
  const checked = await service.send("GET", `/v1/bank-accounts/checkOnboarding?onBoardingId=${onBoardingId}`);
  const { accountId } = OnboardingRecord.parse(checked.body).data.body.account;
  if (accountId === null) throw new Error("the account was not opened");
  if (reais > 0) await service.control("POST", `/sandbox/bank-accounts/${accountId}/credit`, { amount: reais });
  return { accountId, documentNumber, onBoardingId, tenant: AURORA };
}

export const internalOrder = (
  [from, to]: readonly [Account, Account],
  changes: Partial<Omit<InternalOrder, "amount">> & { amount?: string } = {},
): InternalOrder =>
  InternalOrder.parse({
    intentId: randomUUID(),
    userId: "user-1",
    accountIdFrom: from.accountId,
    accountIdTo: to.accountId,
    amount: "10.10",
    ...changes,
  });

export const externalOrder = (
  from: Account,
  changes: Partial<Pick<ExternalOrder, "intentId" | "value" | "institutionIspb" | "institutionCode" | "document">> = {},
): ExternalOrder =>
  ExternalOrder.parse({
    intentId: randomUUID(),
    userId: "user-1",
    onBoardingId: from.onBoardingId,
    idAccount: from.accountId,
    document: "39053344705",
    accountCode: "98765-4",
    branchCode: "0123",
    institutionCode: 341,
    name: "João Lima",
    bankAccountType: "CACC",
    institutionIspb: "00000208",
    value: "99.90",
    ...changes,
  });

/** A transfer as a second person authorised it. */
export const transferInternal = (actor: Actor<"transfers:create">, order: InternalOrder) =>
  performAuthorised(sendTransfer, { actor, order });

/** A TED as a second person authorised it. */
export const transferExternal = (actor: Actor<"transfers:create">, order: ExternalOrder) =>
  performAuthorised(sendTed, { actor, order });

export const orderInternalTransfer = (actor: Actor<"transfers:create">, order: InternalOrder) =>
  executeOrPropose(sendTransfer, actor, order);

export const orderExternalTransfer = (actor: Actor<"transfers:create">, order: ExternalOrder) =>
  executeOrPropose(sendTed, actor, order);
