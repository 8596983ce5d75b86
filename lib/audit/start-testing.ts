import { sql } from "drizzle-orm";
import { bankIntent } from "@/lib/bank/intent-schema";
import { openDraft } from "@/lib/drafts/records";
import { kycStart } from "@/lib/kyc/schema";
import { companyOrder, personOrder } from "@/lib/kyc/start-testing";
import { sealSubject } from "@/lib/kyc/started";
import { watchState } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { actorOf } from "@/lib/testing";
import type { Act } from "./acts-testing";

/** A start whose answer was lost long ago, and which the list does not show. */
async function givenLostStart(db: Db, staffId: string): Promise<string> {
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
  return intentId;
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
  "kyc.settleStart": {
    "letting a lost start go": async ({ db, seatOf }) => {
      const by = await seatOf("compliance");
      await openDraft(actorOf("compliance", by.staffId, "kyc:start"), "kyc-start-pf");
      return { by, input: { intentId: await givenLostStart(db, by.staffId), kycUUID: null } };
    },
  },
};
