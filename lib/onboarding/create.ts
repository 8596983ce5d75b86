import { and, eq, inArray, sql } from "drizzle-orm";
import type { AccountReview } from "@/lib/account-creation";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/error";
import { intents } from "@/lib/bank/intent";
import type { createAccount } from "@/lib/bank/operations";
import { ageOn } from "@/lib/form-rules";
import { publish } from "@/lib/live/publish";
import { lockByHashes } from "@/lib/store/hash-lock";
import { onboarding } from "@/lib/store/schema";
import { lookupHash, lookupHashes } from "@/lib/store/seal";
import { db, type Tx } from "@/lib/store/store";
import { civilDay } from "@/lib/time";
import type { z } from "zod";
import { documentOf, sealRequest } from "./create-form";
import { accountCreation, findRequest } from "./create-kind";
import { lastSeq, likenessesOf } from "./create-likeness";
import type { AccountForm, AccountOrder } from "./create-rules";
import { findKept, refreshOnboarding } from "./records";
import { onboardingRequest } from "./schema";

export type Creator = Actor<"onboarding:create">;

const ADULT_AGE = 18;

/** Asks the provider what it has of a document, and keeps the answer; it may have nothing. */
export async function lookUp(actor: Actor, document: string): Promise<void> {
  const [asked] = await Promise.allSettled([refreshOnboarding(actor, document)]);
  if (asked.status === "fulfilled") return;
  const isNothing = asked.reason instanceof BankError && asked.reason.kind === "not-found";
  if (!isNothing) throw asked.reason;
}

function minorAge(form: AccountForm): number | null {
  if (form.type === "PJ") return null;
  const age = ageOn(form.person.birthDate, civilDay(new Date()));
  return age < ADULT_AGE ? age : null;
}

const hostsOf = ({ bankDocuments }: AccountForm): string[] => [
  ...new Set(Object.values(bankDocuments).map((link) => new URL(link).host)),
];

/** What somebody must know of a right form before it is sent; that they asked is on record. */
export async function reviewAccount(actor: Creator, form: AccountForm): Promise<AccountReview> {
  const { tenant, id: staffId } = actor;
  const document = documentOf(form);
  await lookUp(actor, document);
  const store = await db();
  const likenesses = await store.transaction(async (tx) => {
    const found = await likenessesOf(tx, { tenant, document, except: null });
    const detail = { kind: form.type, document: lookupHash(document), likenesses: found.length };
    await record(tx, { tenant, actor: staffId, code: "onboarding.review-account", outcome: "DONE", detail });
    return found;
  });
  return {
    likenesses,
    hasLetters: /[A-Z]/.test(document),
    minorAge: minorAge(form),
    hosts: hostsOf(form),
  };
}

/** Refuses a request that may be one that was sent, and one like what the person was not shown. */
async function refuseLikeness(tx: Tx, { tenant }: Creator, order: AccountOrder): Promise<boolean> {
  const { intentId: except, seen } = order;
  const likenesses = await likenessesOf(tx, { tenant, document: documentOf(order), except });
  if (likenesses.some(({ isUnsettled }) => isUnsettled)) throw new BankError("conflict", { code: "account-unsettled" });
  if (likenesses.some(({ ref }) => !seen.includes(ref))) throw new BankError("conflict", { code: "account-like" });
  return likenesses.length > 0;
}

/** The attempt that is taken up again, if it is one of the same document. */
async function earlierOf(tx: Tx, { tenant }: Creator, order: AccountOrder): Promise<string | null> {
  if (order.from === null) return null;
  const [row] = await tx
    .select({ id: onboarding.id })
    .from(onboarding)
    .where(
      and(
        eq(onboarding.tenant, tenant),
        eq(onboarding.id, order.from),
        inArray(onboarding.documentHash, lookupHashes(documentOf(order))),
      ),
    );
  return row?.id ?? null;
}

/** The request on record, with its INTENT. */
async function open(tx: Tx, actor: Creator, order: AccountOrder): Promise<void> {
  const { tenant, id: staffId } = actor;
  const { intentId, type: kind } = order;
  // Two of the same document at once would not see each other.
  await lockByHashes(tx, documentOf(order));
  const isRepeat = await refuseLikeness(tx, actor, order);
  const asked = {
    kind,
    ...sealRequest({ tenant, intentId }, order),
    isRepeat,
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

/** Looks once more right before it is sent, so that what comes of it can be told from what was there. */
async function prepare(actor: Creator, order: AccountOrder): Promise<void> {
  const { tenant } = actor;
  const { intentId } = order;
  await lookUp(actor, documentOf(order));
  await (
    await db()
  ).transaction(async (tx) => {
    await refuseLikeness(tx, actor, order);
    await tx
      .update(onboardingRequest)
      .set({ afterSeq: await lastSeq(tx, tenant) })
      .where(and(eq(onboardingRequest.tenant, tenant), eq(onboardingRequest.intentId, intentId)));
  });
}

/** The order as the interface takes it (interface: Bank accounts › POST /v1/bank-accounts/create). */
function bodyOf(order: AccountOrder): z.output<typeof createAccount.body> {
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

/**
 * Asks for an account, once for its form. Throws what `Intents.carryOut` does, conflict `account-like` when the document has
 * an onboarding or an account that the person has not seen, and `account-unsettled` when it is not known yet what became of a
 * request for it.
 */
export async function requestAccount(actor: Creator, order: AccountOrder): Promise<{ id: string }> {
  const { tenant } = actor;
  const { intentId } = order;
  const done = await intents.carryOut(accountCreation, {
    actor,
    intentId,
    object: `onboarding-request:${intentId}`,
    body: bodyOf(order),
    opened: (tx) => open(tx, actor, order),
    prepare: () => prepare(actor, order),
  });
  const store = await db();
  const told = done.state === "DONE" && done.kept !== null ? done.kept.onBoardingId : null;
  // Its answer was lost, and its effect found since.
  const kept = told === null ? null : await findKept(store, tenant, told);
  const id = kept?.id ?? (await findRequest(store, { tenant, intentId }))?.onboardingId ?? null;
  if (id === null) throw new BankError("conflict", { code: "intent-already-sent" });
  return { id };
}
