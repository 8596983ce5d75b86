import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { defineWrite, executeAlone, type Ordering } from "@/lib/approvals/define-write";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import type { FieldIssue } from "@/lib/errors/result";
import type { OnboardingKind } from "@/lib/db/enums/onboarding";
import type { IntentEnd } from "@/lib/provider/intents/intent-record";
import { createAccount as operation } from "@/lib/provider/operations";
import { OnboardingStatus } from "@/lib/contract/onboarding";
import { draftCan } from "@/lib/drafts/can";
import { dropDraft } from "@/lib/drafts/drafts";
import { publish } from "@/lib/db/publish";
import { storeNow } from "@/lib/db/clock";
import { lockByHashes } from "@/lib/db/lease";
import { onboarding } from "@/lib/db/tables/customers";
import { lookupHashes } from "@/lib/db/seal";
import { db, type Db, type Tx } from "@/lib/db/connection";
import { isUnknown, rawWord } from "@/lib/text/provider-word";
import { AccountOrder, type AccountReviewing } from "./create-inputs";
import { findStored, linkAttempts, noteOnboardingEvents, refreshOnboarding, saveOnboarding } from "./records";
import { onboardingRequest } from "@/lib/db/tables/onboarding";
import { accountDuplicates } from "./create-duplicates";
import {
  onboardingCandidateIds,
  describeAccountRequest,
  orderedDocument,
  findAccountRequest,
  linkRequest,
  requestDocument,
  type RequestRow,
  sealRequest,
} from "./request-record";

/** Null when its effect was found but its answer was lost. */
const RequestedAs = z.object({ onBoardingId: z.string(), status: z.string() }).nullable();
type RequestedAs = z.infer<typeof RequestedAs>;

/** As the watch would store it. Returns our id. */
async function saveOpened(tx: Tx, request: RequestRow, stored: NonNullable<RequestedAs>): Promise<string> {
  const { tenant } = request;
  const account = { accountId: null, branch: "", account: "", documentNumber: requestDocument(request) };
  const body = { clientCode: tenant, account, traceId: "", biometricUrl: null };
  const data = { status: OnboardingStatus.parse(stored.status), body };
  const answered = { status: 200, httpCode: 200, when: 0, data };
  const saved = await saveOnboarding(tx, tenant, {
    asked: stored.onBoardingId,
    record: answered,
    askedAt: await storeNow(tx),
  });
  return saved.id;
}

async function linkEarlier(tx: Tx, { tenant, previousId, staffId }: RequestRow, newer: string): Promise<void> {
  if (previousId === null || previousId === newer) return;
  const isIt = and(eq(onboarding.tenant, tenant), eq(onboarding.id, newer));
  const [row] = await tx.select({ previousId: onboarding.previousId }).from(onboarding).where(isIt);
  if (row?.previousId !== null) return;
  await linkAttempts(tx, { tenant, newer, older: previousId, by: staffId });
}

async function saveDone(tx: Tx, request: RequestRow, stored: RequestedAs): Promise<string | null> {
  const { tenant, intentId, staffId: actor } = request;
  await dropDraft(tx, { tenant, id: actor }, intentId);
  const onboardingId = stored === null ? request.onboardingId : await saveOpened(tx, request, stored);
  if (onboardingId === null) return null;
  if (stored !== null) await linkRequest(tx, request, onboardingId);
  await noteOnboardingEvents(tx, [{ tenant, onboardingId, kind: "requested", actor }]);
  await linkEarlier(tx, request, onboardingId);
  return onboardingId;
}

async function onOutcome(tx: Tx, { intent, by, outcome, stored }: IntentEnd<RequestedAs>): Promise<void> {
  const { tenant, id: intentId, state, status, code } = intent;
  const request = await findAccountRequest(tx, { tenant, intentId });
  if (request === null) throw new Error(`intent ${intentId} has no request`);
  const onboardingId = state === "DONE" ? await saveDone(tx, request, stored) : null;
  await publish(tx, { tenant, topic: "onboarding", object: onboardingId ?? intentId });
  await record(tx, {
    tenant,
    actor: by,
    code: "onboarding.create",
    outcome,
    ...(onboardingId !== null && { object: `onboarding:${onboardingId}` }),
    intentId,
    detail: { kind: request.kind, status, code },
  });
}

/** The result of a request sent now has a higher number. */
async function lastSeq(tx: Db | Tx, tenant: string): Promise<number> {
  const [row] = await tx
    .select({ seq: sql<number>`coalesce(max(${onboarding.seq}), 0)`.mapWith(Number) })
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), gt(onboarding.seq, 0)));
  return row?.seq ?? 0;
}

export type Creator = Actor<"onboarding:create">;

export async function lookUpOnboarding(actor: Actor, document: string): Promise<void> {
  try {
    await refreshOnboarding(actor, document, { isFresh: true });
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "not-found") throw error;
  }
}

const LIKE = { unconfirmed: "account-unsettled", unseen: "account-like" } as const;

type Creating = Ordering<"onboarding:create", AccountOrder>;

const likeOf = (tx: Tx, { actor: { tenant }, order }: Creating) =>
  accountDuplicates(tx, { tenant, document: orderedDocument(order), except: order.intentId });

async function refuseDuplicate(tx: Tx, creating: Creating): Promise<void> {
  const { order } = creating;
  // Two concurrent requests for one document would not see each other.
  await lockByHashes(tx, orderedDocument(order));
  const like = draftCan.send(await likeOf(tx, creating), order.seen);
  if (like !== null) throw new AppError("conflict", { code: LIKE[like] });
}

/** Throws invalid when the form's document differs from that of the attempt it retries. */
export async function earlierOf(tx: Db | Tx, { tenant }: Creator, order: AccountReviewing): Promise<string | null> {
  const { from, type } = order;
  if (from === null || (await isAttemptOf(tx, tenant, { from, document: orderedDocument(order) }))) return from;
  throw new AppError("invalid", { issues: [documentIssue(type, "other-document")] });
}

export async function isAttemptOf(
  tx: Db | Tx,
  tenant: string,
  { from, document }: { from: string; document: string },
): Promise<boolean> {
  const isIt = and(eq(onboarding.tenant, tenant), eq(onboarding.id, from));
  return (await tx.$count(onboarding, and(isIt, inArray(onboarding.documentHash, lookupHashes(document))))) > 0;
}

export const documentIssue = (type: OnboardingKind, code: string): FieldIssue => ({
  path: [type === "PF" ? "person" : "legalPerson", "documentNumber"],
  params: { code },
});

async function open(tx: Tx, creating: Creating): Promise<void> {
  const { actor, order } = creating;
  const { tenant, id: staffId } = actor;
  const { intentId, type: kind } = order;
  const isRepeat = (await likeOf(tx, creating)).length > 0;
  const asked = {
    kind,
    ...sealRequest({ tenant, intentId }, order),
    isRepeat,
    isExposed: order.type === "PF" ? order.person.isPoliticallyExposedPerson : null,
    staffId,
    previousId: await earlierOf(tx, actor, order),
    createdAt: sql`clock_timestamp()`,
    afterSeq: null,
    lookedAt: null,
  };
  await tx
    .insert(onboardingRequest)
    .values({ tenant, intentId, ...asked })
    .onConflictDoUpdate({ target: [onboardingRequest.tenant, onboardingRequest.intentId], set: asked });
  await publish(tx, { tenant, topic: "onboarding", object: intentId });
  const what = { code: "onboarding.create", intentId, detail: { kind, isRepeat } } as const;
  await record(tx, { tenant, actor: staffId, outcome: "INTENT", ...what });
}

/** Reads again right before sending, to tell new onboardings from old. */
async function prepare(creating: Creating): Promise<void> {
  const { actor, order } = creating;
  const { tenant } = actor;
  const { intentId } = order;
  await lookUpOnboarding(actor, orderedDocument(order));
  await (
    await db()
  ).transaction(async (tx) => {
    await refuseDuplicate(tx, creating);
    await tx
      .update(onboardingRequest)
      .set({ afterSeq: await lastSeq(tx, tenant) })
      .where(and(eq(onboardingRequest.tenant, tenant), eq(onboardingRequest.intentId, intentId)));
  });
}

/** interface: Bank accounts › POST /v1/bank-accounts/create */
function bodyOf(order: AccountOrder): z.output<typeof operation.body> {
  const { email, transactionPassword } = order;
  if (order.type === "PF") {
    const { person, bankDocuments } = order;
    return { email, transactionPassword, person: { ...person, email: person.email ?? email }, bankDocuments };
  }
  const { legalPerson, bankDocuments } = order;
  const { businessAddress, businessEmail, owner } = legalPerson;
  const owners = owner.map(({ address, ...one }) => ({ ...one, address: address ?? businessAddress }));
  const company = { ...legalPerson, businessEmail: businessEmail ?? email, owner: owners };
  return { email, transactionPassword, legalPerson: company, bankDocuments };
}

/** Without Idempotency-Key (interface: Bank accounts › POST /v1/bank-accounts/create). */
export const createAccount = defineWrite({
  name: "account.create",
  order: AccountOrder,
  objectOf: async (_store, _tenant, { intentId }) => `onboarding-request:${intentId}`,
  validate: refuseDuplicate,
  approval: null,
  operation,
  isKeyed: false,
  busyCode: null,
  unconfirmedCode: "account-unconfirmed",
  bodyOf,
  traced: ({ transactionPassword: _password, ...openedId }) => openedId,
  opened: open,
  recheck: prepare,
  stored: RequestedAs,
  toStore: ({ data: { status, body } }) => ({
    onBoardingId: body.onBoardingId,
    status: isUnknown(status) ? rawWord(status) : status,
  }),
  ended: onOutcome,
  settle: { needsSecond: false, describe: describeAccountRequest, candidatesOf: onboardingCandidateIds },
});

/** Idempotent by the form's intent. Throws as `Intents.execute`, conflict `account-like` and `account-unsettled`. */
export async function requestAccount(actor: Creator, order: AccountOrder): Promise<{ id: string }> {
  const { tenant } = actor;
  const { intentId } = order;
  const done = await executeAlone(createAccount, actor, order);
  const store = await db();
  const openedId = done.state === "DONE" && done.stored !== null ? done.stored.onBoardingId : null;
  // Its answer was lost and its effect found since.
  const stored = openedId === null ? null : await findStored(store, tenant, openedId);
  const id = stored?.id ?? (await findAccountRequest(store, { tenant, intentId }))?.onboardingId ?? null;
  if (id === null) throw new AppError("conflict", { code: "intent-already-sent" });
  return { id };
}
