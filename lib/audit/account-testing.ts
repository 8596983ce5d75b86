import { eq, sql } from "drizzle-orm";
import { BankError } from "@/lib/bank/error";
import { createIntents } from "@/lib/bank/intent";
import { bankIntent } from "@/lib/bank/intent-schema";
import { requestAccount } from "@/lib/onboarding/create";
import { accountOrder, typedOrder, typedPerson } from "@/lib/onboarding/create-testing";
import { onboardingRequest } from "@/lib/onboarding/schema";
import { givenOnboarding } from "@/lib/privacy/testing";
import { actorOf } from "@/lib/testing";
import type { Act } from "./acts-testing";

const unanswered = () =>
  createIntents({
    post: () => Promise.reject(new BankError("unavailable", { code: "no-answer", mayHaveExecuted: true })),
    now: () => 0,
    sleep: async () => undefined,
    random: () => 0,
  });

const lettingGo: Act = async ({ db, seatOf }) => {
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
  await db
    .update(onboardingRequest)
    .set({ lookedAt: sql`clock_timestamp()` })
    .where(eq(onboardingRequest.intentId, intentId));
  return { by, input: { intentId, onboardingId: null } };
};

/** The ways in which an account is looked up and asked for. */
export const ACCOUNT_ACTS: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  "accounts.lookUpAccount": {
    "a look-up": async ({ seat, person, parties }) => ({
      by: await seat(person),
      input: { query: parties[0].onBoardingId },
    }),
  },
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
  "onboarding.settleAccount": { "letting a lost request go": lettingGo },
};
