import { randomUUID } from "node:crypto";
import { eq, inArray, sql } from "drizzle-orm";
import { BankError } from "@/lib/bank/answer";
import { createIntents } from "@/lib/bank/intent";
import { bankIntent } from "@/lib/bank/schema";
import { agree } from "@/lib/approvals/decide";
import { approvalPolicy } from "@/lib/approvals/schema";
import { lookUp } from "@/lib/accounts/look-up";
import { proposeClosure } from "@/lib/accounts/approvals";
import { requestAccount } from "@/lib/onboarding/create";
import { accountOrder, typedOrder, typedPerson } from "@/lib/onboarding/create-testing";
import { refreshOnboarding } from "@/lib/onboarding/records";
import { openAccount } from "@/lib/transfers/testing";
import { givenOnboarding } from "@/lib/privacy/testing";
import { onboarding } from "@/lib/store/schema";
import { lookupHashes } from "@/lib/store/seal";
import { actorOf } from "@/lib/testing";
import { personRequest } from "@/service/accounts/testing";
import type { Act, Stage } from "./acts-testing";

const unanswered = () =>
  createIntents({
    post: () => Promise.reject(new BankError("unavailable", { code: "no-answer", mayHaveExecuted: true })),
    now: () => 0,
    sleep: async () => undefined,
    random: () => 0,
  });

const settling: Act = async ({ db, service, seatOf }) => {
  const by = await seatOf("support");
  const { intentId, ...order } = accountOrder();
  const before = globalThis.retaguardaIntents;
  globalThis.retaguardaIntents = unanswered();
  await Promise.allSettled([
    requestAccount(actorOf("support", by.staffId, "onboarding:create"), { ...order, intentId }),
  ]);
  globalThis.retaguardaIntents = before;
  const longAgo = sql`clock_timestamp() - interval '1 hour'`;
  await db.update(bankIntent).set({ firstSentAt: longAgo }).where(eq(bankIntent.id, intentId));
  const { documentNumber } = order.person;
  await service.send("POST", "/v1/bank-accounts/create", { body: personRequest(documentNumber) });
  await refreshOnboarding(actorOf("support", by.staffId, "onboarding:create"), documentNumber);
  const isIts = inArray(onboarding.documentHash, lookupHashes(documentNumber));
  const [found] = await db.select({ id: onboarding.id }).from(onboarding).where(isIts);
  return { by, input: { intentId, onboardingId: found?.id } };
};

const PROOF = { userAccessToken: "the holder's token", code: "918273" };

/** An empty account, as somebody of support would ask to close it. */
async function closureBy({ service }: Stage, staffId: string) {
  const { onBoardingId } = await openAccount(service);
  const found = await lookUp(actorOf("support", staffId, "accounts:read"), { query: onBoardingId });
  const ref = "accountRef" in found ? found.accountRef : "";
  return { intentId: randomUUID(), ref, userId: "user-1", reason: "A pedido do titular" };
}

const carryingOut =
  (proof: typeof PROOF): Act =>
  async (stage) => {
    const by = await stage.seatOf("support");
    const form = await closureBy(stage, by.staffId);
    const { approvalId } = await proposeClosure(actorOf("support", by.staffId, "accounts:close"), form);
    await agree(stage.approver, approvalId);
    return { by, input: { approvalId, ...proof } };
  };

const closingAlone: Act = async (stage) => {
  const by = await stage.seatOf("support");
  const rule = { kind: "account.close", version: 1, rule: "never", expiresAfterHours: 24 } as const;
  const since = { staffId: stage.admin, createdAt: new Date() };
  await stage.db.insert(approvalPolicy).values({ tenant: "aurora", ...rule, ...since });
  return { by, input: { ...(await closureBy(stage, by.staffId)), ...PROOF } };
};

/** The ways in which an account is looked up, asked for and closed. */
export const ACCOUNT_ACTS: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  "accounts.lookUpAccount": {
    "a look-up": async ({ seat, person, parties }) => ({
      by: await seat(person),
      input: { query: parties[0].onBoardingId },
    }),
  },
  "accounts.lookUpPixKey": {
    "a look-up of a PIX key": async ({ seatOf, parties }) => ({
      by: await seatOf("support"),
      input: { pixKey: parties[0].documentNumber, reason: "service", note: "Conferido com o cliente." },
    }),
  },
  "accounts.proposeAccountClosure": {
    "a proposal to close an account": async (stage) => {
      const by = await stage.seatOf("support");
      return { by, input: await closureBy(stage, by.staffId) };
    },
  },
  "accounts.carryOutAccountClosure": {
    "carrying a closure out": carryingOut(PROOF),
    "a code that the provider refuses": carryingOut({ ...PROOF, code: "000000" }),
  },
  "accounts.closeAccountNow": { "a closure in one go": closingAlone },
  "onboarding.reviewAccount": {
    "a review of an account's form": async ({ seatOf }) => ({ by: await seatOf("support"), input: typedPerson() }),
  },
  "onboarding.createAccount": {
    "asking for an account": async ({ seatOf }) => ({ by: await seatOf("support"), input: typedOrder() }),
  },
  "onboarding.prefillAccount": {
    "taking what an earlier attempt was told": async ({ db, seatOf }) => ({
      by: await seatOf("support"),
      input: { from: await givenOnboarding(db, "52998224725") },
    }),
  },
  "onboarding.reconcileAccount": { "the onboarding of a lost request": settling },
};
