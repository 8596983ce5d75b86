import { eq, sql } from "drizzle-orm";
import { bankIntent } from "@/lib/bank/schema";
import { maskDocument } from "@/lib/contract/document";
import { kycStart } from "@/lib/kyc/schema";
import { companyOrder, personOrder } from "@/lib/kyc/start-testing";
import { givenCase } from "@/lib/kyc/testing";
import { sealSubject } from "@/lib/kyc/started";
import { notHappened } from "@/lib/outcomes/testing";
import { watchState } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { givenIntents, internalOrder } from "@/lib/transfers/testing";
import { transferInternal } from "@/lib/transfers/approvals";
import type { Act, Stage } from "./acts-testing";

/** A start whose answer was lost long ago, and a case that may have come of it. */
async function givenLostStart(db: Db, staffId: string): Promise<{ intentId: string; kycUUID: string }> {
  const tenant = "aurora";
  const { intentId, vatNumber } = personOrder();
  const longAgo = sql`clock_timestamp() - interval '1 hour'`;
  await db.insert(bankIntent).values({
    tenant,
    id: intentId,
    operation: "/v1/kyc/person",
    object: `kyc-start:${intentId}`,
    isExclusive: false,
    actor: staffId,
    bodyHash: "x",
    key: intentId,
    state: "UNKNOWN",
    attempts: 1,
    mayHaveExecuted: true,
    owner: intentId,
    sendingUntil: longAgo,
    createdAt: longAgo,
    firstSentAt: longAgo,
  });
  const subject = { vatNumber, name: "Maria Lima", birthDate: "07-09-1984", motherName: "Josefa Lima" };
  const sealed = sealSubject({ table: "kyc_start", row: [tenant, intentId] }, subject);
  const check = { kycType: "PF", model: "BASIC", documentscopy: false, isRepeat: false } as const;
  await db.insert(kycStart).values({ tenant, intentId, ...check, ...sealed, staffId, createdAt: longAgo });
  const swept = { asOf: sql`clock_timestamp()`, memory: { wholeSince: new Date().toISOString() } };
  await db
    .insert(watchState)
    .values({ tenant, name: "kyc", ...swept })
    .onConflictDoUpdate({ target: [watchState.tenant, watchState.name], set: swept });
  return { intentId, kycUUID: await givenCase(db, { vatNumber: maskDocument(vatNumber) }) };
}

/** A transfer whose answer was lost, and that is asked about no more. */
async function givenLostTransfer({ db, maker, parties }: Stage): Promise<string> {
  const order = internalOrder(parties, { amount: "10.00" });
  const before = globalThis.retaguardaIntents;
  givenIntents().requestsLost = 100;
  await Promise.allSettled([transferInternal(maker, order)]);
  globalThis.retaguardaIntents = before;
  await db.update(bankIntent).set({ nextTryAt: null }).where(eq(bankIntent.id, order.intentId));
  return order.intentId;
}

/** The ways in which a case is started. */
export const START_ACTS: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  "kyc.reviewStart": {
    "a review of a start": async ({ seatOf }) => {
      const { intentId: _intent, seen: _seen, ...input } = personOrder();
      return { by: await seatOf("compliance"), input };
    },
  },
  "kyc.startCase": {
    "starting a person's case": async ({ seatOf }) => ({ by: await seatOf("compliance"), input: personOrder() }),
    "starting a company's case": async ({ seatOf }) => ({ by: await seatOf("compliance"), input: companyOrder() }),
  },
  "kyc.reconcileStart": {
    "the case of a lost start": async ({ db, seatOf }) => {
      const by = await seatOf("compliance");
      return { by, input: await givenLostStart(db, by.staffId) };
    },
  },
  "outcomes.endOutcome": {
    "the end of a lost start": async ({ db, seatOf }) => {
      const by = await seatOf("compliance");
      const { intentId } = await givenLostStart(db, by.staffId);
      return { by, input: notHappened(intentId) };
    },
    "the end of a lost transfer, for a second person": async (stage) => ({
      by: await stage.seat(stage.makerId),
      input: notHappened(await givenLostTransfer(stage)),
    }),
  },
  "outcomes.excludeCandidate": {
    "a candidate of a lost start": async ({ db, seatOf }) => {
      const by = await seatOf("compliance");
      const { intentId, kycUUID: candidate } = await givenLostStart(db, by.staffId);
      return { by, input: { intentId, candidate } };
    },
  },
};
