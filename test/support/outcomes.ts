import { sendCoins } from "@/lib/wallets/send-coins";
import type { OutcomeName } from "@/lib/permission/writes";
import { closeNow } from "@/lib/accounts/close";
import { lookUp } from "@/lib/accounts/look-up";
import { startCase } from "@/lib/kyc/start";
import { requestAccount } from "@/lib/onboarding/create";
import type { Role } from "@/lib/permission/permission";
import { makeDepositAddress, makeWallet } from "@/lib/wallets/create";
import { CryptoOrder } from "@/lib/wallets/inputs";
import { PROOF } from "./accounts";
import { givenPolicy, type SessionScope } from "./approvals";
import { performAuthorised } from "./claims";
import { actorOf } from "./console";
import { decide, decisionOn, givenOwnCase, personOrder } from "./kyc";
import { accountOrder } from "./onboarding";
import { STRANGERS, walletsOf } from "./service/crypto";
import { externalOrder, internalOrder, openAccount, transferExternal, transferInternal } from "./transfers";
import { randomUUID } from "node:crypto";
import { OutcomeOrder } from "@/lib/outcomes/end-outcome";

/** What somebody says of the write with this intent, after the provider's support told them. */
export const concluding = (endedId: string, outcome: OutcomeOrder["outcome"]): OutcomeOrder =>
  OutcomeOrder.parse({
    intentId: randomUUID(),
    endedId,
    outcome,
    source: "provider-support",
    reference: "ticket 8731-B",
    reason: "O atendimento conferiu e respondeu por escrito.",
  });

export const notHappened = (endedId: string): OutcomeOrder => concluding(endedId, "NOT_HAPPENED");
export const happened = (endedId: string): OutcomeOrder => concluding(endedId, "HAPPENED");

type OrderedWrite = { role: Role; order: (intentId: string) => Promise<unknown> };

export const writesOf = (fixture: SessionScope, staffId: string): Readonly<Record<OutcomeName, OrderedWrite>> => ({
  "kyc.decision": {
    role: "compliance",
    order: async (intentId) => {
      const kycUUID = await givenOwnCase(fixture.db, fixture.service, staffId);
      return decide(actorOf("compliance", staffId, "kyc:decide"), decisionOn(kycUUID, { intentId }));
    },
  },
  "kyc.start": {
    role: "compliance",
    order: (intentId) => startCase(actorOf("compliance", staffId, "kyc:start"), personOrder({ intentId })),
  },
  "account.create": {
    role: "support",
    order: (intentId) => requestAccount(actorOf("support", staffId, "onboarding:create"), accountOrder({ intentId })),
  },
  "account.close": {
    role: "finance",
    order: async (intentId) => {
      const { onBoardingId } = await openAccount(fixture.service);
      const found = await lookUp(actorOf("finance", staffId, "accounts:read"), { query: onBoardingId });
      const ref = "accountRef" in found ? found.accountRef : "";
      const alone = { kind: "account.close", version: 0, rule: "never", amount: null, expiresAfterHours: 24 } as const;
      await givenPolicy(actorOf("admin", staffId, "settings:manage"), alone);
      const form = { intentId, ref, userId: "user-1", reason: "A pedido do titular" };
      return closeNow(actorOf("finance", staffId, "accounts:close"), { ...form, ...PROOF });
    },
  },
  "transfer.internal": {
    role: "finance",
    order: (intentId) => transferInternal(fixture.maker, internalOrder(fixture.parties, { intentId, amount: "10.00" })),
  },
  "transfer.external": {
    role: "finance",
    order: (intentId) => transferExternal(fixture.maker, externalOrder(fixture.parties[0], { intentId })),
  },
  "crypto.transfer": {
    role: "finance",
    order: async (intentId) => {
      const wallets = walletsOf(fixture.service);
      const { address } = await wallets.create("EVM");
      const sent = {
        walletId: "w-1",
        network: "ETHEREUM",
        fromAddress: address,
        to: STRANGERS.ETHEREUM,
        amount: "1.5",
      };
      const sender = actorOf("finance", staffId, "crypto-transfers:create");
      return performAuthorised(sendCoins, { actor: sender, order: CryptoOrder.parse({ ...sent, intentId }) });
    },
  },
  "wallet.create": {
    role: "finance",
    order: (intentId) => {
      const maker = actorOf("finance", staffId, "wallets:create");
      return makeWallet(maker, { intentId, family: "EVM", isForward: false, customer: null });
    },
  },
  "wallet.address": {
    role: "finance",
    order: (intentId) => {
      const maker = actorOf("finance", staffId, "wallets:create");
      return makeDepositAddress(maker, { intentId, family: "EVM", reference: "order-7", customer: null });
    },
  },
});
