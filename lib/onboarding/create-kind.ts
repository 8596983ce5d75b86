import { and, eq, isNull, notExists } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { z } from "zod";
import { recordIncident } from "@/lib/audit/incident";
import { record } from "@/lib/audit/record";
import { type IntentEnd, intentKind } from "@/lib/bank/intent-kind";
import { createAccount } from "@/lib/bank/operations";
import { OnboardingStatus } from "@/lib/contract/onboarding";
import { dropDraft } from "@/lib/drafts/records";
import { publish } from "@/lib/live/publish";
import { storeNow } from "@/lib/store/clock";
import { onboarding } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";
import { isUnknown, rawWord } from "@/lib/unknown";
import { linkAttempts } from "./attempts";
import { requestDocument } from "./create-form";
import { noteEvents } from "./events";
import { saveOnboarding } from "./save";
import { onboardingRequest } from "./schema";

/** What the provider says it began; null of a request whose effect was found, but whose answer was lost. */
const RequestedAs = z.object({ onBoardingId: z.string(), status: z.string() }).nullable();
type RequestedAs = z.infer<typeof RequestedAs>;

export type RequestRow = typeof onboardingRequest.$inferSelect;

const named = ({ tenant, intentId }: Pick<RequestRow, "tenant" | "intentId">) =>
  and(eq(onboardingRequest.tenant, tenant), eq(onboardingRequest.intentId, intentId));

export async function findRequest(
  tx: Db | Tx,
  request: Pick<RequestRow, "tenant" | "intentId">,
): Promise<RequestRow | null> {
  const [row] = await tx.select().from(onboardingRequest).where(named(request));
  return row ?? null;
}

/** Notes which onboarding came of a request, unless that is known already or it is another one's; whether it did. */
export async function linkRequest(tx: Db | Tx, request: RequestRow, onboardingId: string): Promise<boolean> {
  const other = alias(onboardingRequest, "other");
  const taken = tx.select({ id: other.intentId }).from(other).where(eq(other.onboardingId, onboardingId));
  const linked = await tx
    .update(onboardingRequest)
    .set({ onboardingId })
    .where(and(named(request), isNull(onboardingRequest.onboardingId), notExists(taken)))
    .returning({ id: onboardingRequest.intentId });
  return linked.length > 0;
}

/** Keeps the new onboarding at once, as the watch would find it; gives our id of it. */
async function keepOnboarding(tx: Tx, request: RequestRow, kept: NonNullable<RequestedAs>): Promise<string> {
  const { tenant } = request;
  const account = { accountId: null, branch: "", account: "", documentNumber: requestDocument(request) };
  const body = { clientCode: tenant, account, traceId: "", biometricUrl: null };
  const data = { status: OnboardingStatus.parse(kept.status), body };
  const answered = { status: 200, httpCode: 200, when: 0, data };
  const saved = await saveOnboarding(tx, tenant, {
    asked: kept.onBoardingId,
    record: answered,
    askedAt: await storeNow(tx),
  });
  return saved.id;
}

/** Links it with the attempt that it takes up again, unless the document told already. */
async function linkEarlier(tx: Tx, { tenant, previousId, staffId }: RequestRow, newer: string): Promise<void> {
  if (previousId === null || previousId === newer) return;
  const isIt = and(eq(onboarding.tenant, tenant), eq(onboarding.id, newer));
  const [row] = await tx.select({ previousId: onboarding.previousId }).from(onboarding).where(isIt);
  const isTaken = and(eq(onboarding.tenant, tenant), eq(onboarding.previousId, previousId));
  if (row?.previousId !== null || (await tx.$count(onboarding, isTaken)) > 0) return;
  await linkAttempts(tx, { tenant, newer, older: previousId, by: staffId });
}

async function keepDone(tx: Tx, request: RequestRow, kept: RequestedAs): Promise<string | null> {
  const { tenant, intentId, staffId: actor } = request;
  await dropDraft(tx, tenant, intentId);
  const onboardingId = kept === null ? request.onboardingId : await keepOnboarding(tx, request, kept);
  if (onboardingId === null) return null;
  if (kept !== null) await linkRequest(tx, request, onboardingId);
  await noteEvents(tx, [{ tenant, onboardingId, kind: "requested", actor }]);
  await linkEarlier(tx, request, onboardingId);
  return onboardingId;
}

async function keepEnd(tx: Tx, { intent, by, kept }: IntentEnd<RequestedAs>): Promise<void> {
  const { tenant, id: intentId, state, status, code } = intent;
  const request = await findRequest(tx, { tenant, intentId });
  if (request === null) throw new Error(`intent ${intentId} has no request`);
  const onboardingId = state === "DONE" ? await keepDone(tx, request, kept) : null;
  await publish(tx, { tenant, topic: "onboarding", object: onboardingId ?? intentId });
  await record(tx, {
    tenant,
    actor: by,
    code: "onboarding.create",
    outcome: state === "SENDING" ? "INTENT" : state,
    ...(onboardingId !== null && { object: `onboarding:${onboardingId}` }),
    intentId,
    detail: { kind: request.kind, status, code },
  });
}

/** A request for an account has no Idempotency-Key (interface: Bank accounts › POST /v1/bank-accounts/create). */
export const accountCreation = intentKind({
  operation: createAccount,
  isKeyed: false,
  traced: ({ transactionPassword: _password, ...told }) => told,
  busyCode: null,
  unconfirmedCode: "account-unconfirmed",
  kept: RequestedAs,
  keep: ({ data: { status, body } }) => ({
    onBoardingId: body.onBoardingId,
    status: isUnknown(status) ? rawWord(status) : status,
  }),
  ended: keepEnd,
  unreadable: recordIncident,
});
