import { sendCoins } from "@/lib/wallets/send-coins";
import type { OutcomeName } from "@/lib/permission/writes";
import { closeNow } from "@/lib/accounts/close";
import type { Approvable, Ordered, Performing } from "@/lib/approvals/define-write";
import { decideCase } from "@/lib/kyc/decide";
import type { Actor } from "@/lib/permission/grant";
import { sendTed } from "@/lib/transfers/ted";
import { sendTransfer } from "@/lib/transfers/transfer";
import { lookUp } from "@/lib/accounts/look-up";
import { startCase } from "@/lib/kyc/start";
import { requestAccount } from "@/lib/onboarding/create";
import type { Permission, Role } from "@/lib/permission/permission";
import { makeDepositAddress, makeWallet } from "@/lib/wallets/create";
import { CryptoOrder } from "@/lib/wallets/inputs";
import { PROOF } from "./accounts";
import { givenPolicy, type SessionScope } from "./approvals";
import { performAuthorised } from "./claims";
import { actorOf } from "./console";
import { decisionOn, givenOwnCase, personOrder } from "./kyc";
import { accountOrder } from "./onboarding";
import { STRANGERS, walletsOf } from "./service/crypto";
import { externalOrder, internalOrder, openAccount } from "./transfers";
import { randomUUID } from "node:crypto";
import { OutcomeOrder } from "@/lib/outcomes/end-outcome";

/** A person's settlement of the write with this intent, after asking the provider's support. */
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

/** Puts an order of somebody's through, or proposes it. */
type Carry = <P extends Permission, Order extends Ordered, Done>(
  write: Approvable<P, Order> & Performing<P, Order, Done>,
  actor: Actor<P>,
  order: Order,
) => Promise<unknown>;

const asAuthorised: Carry = (write, actor, order) => performAuthorised(write, { actor, order });

type OrderedWrite = { role: Role; order: (intentId: string, carry?: Carry) => Promise<unknown> };

/** A right order of each, by which it leaves: as a second person authorised it, where one may be needed. */
export const writesOf = (fixture: SessionScope, staffId: string): Readonly<Record<OutcomeName, OrderedWrite>> => ({
  "kyc.decision": {
    role: "compliance",
    order: async (intentId, carry = asAuthorised) => {
      const kycUUID = await givenOwnCase(fixture.db, fixture.service, staffId);
      return carry(decideCase, actorOf("compliance", staffId, "kyc:decide"), decisionOn(kycUUID, { intentId }));
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
    order: (intentId, carry = asAuthorised) =>
      carry(sendTransfer, fixture.maker, internalOrder(fixture.parties, { intentId, amount: "10.00" })),
  },
  "transfer.external": {
    role: "finance",
    order: (intentId, carry = asAuthorised) =>
      carry(sendTed, fixture.maker, externalOrder(fixture.parties[0], { intentId })),
  },
  "crypto.transfer": {
    role: "finance",
    order: async (intentId, carry = asAuthorised) => {
      const wallets = walletsOf(fixture.service);
      const { address } = await wallets.create("EVM");
      await wallets.deposit({ network: "ETHEREUM", address, amount: "2" });
      const sent = {
        walletId: "w-1",
        network: "ETHEREUM",
        fromAddress: address,
        to: STRANGERS.ETHEREUM,
        amount: "1.5",
      };
      const sender = actorOf("finance", staffId, "crypto-transfers:create");
      return carry(sendCoins, sender, CryptoOrder.parse({ ...sent, intentId }));
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
