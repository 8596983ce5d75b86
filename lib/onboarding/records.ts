import { randomUUID } from "node:crypto";
import { and, desc, eq, inArray, isNull, lte, or } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import { bank } from "@/lib/bank/bank";
import { checkOnboarding } from "@/lib/bank/operations";
import { maskWithin } from "@/lib/contract/document";
import type { OnboardingRecord } from "@/lib/contract/onboarding";
import { publish } from "@/lib/live/publish";
import { storeNow } from "@/lib/store/clock";
import { sealDocument } from "@/lib/store/document";
import { lockByHashes } from "@/lib/store/hash-lock";
import { account, onboarding } from "@/lib/store/schema";
import { lookupHashes } from "@/lib/store/seal";
import { type Db, db, type Tx } from "@/lib/store/store";
import { isDocument, nextCheckAt } from "./rules";

export type OnboardingRecordRow = typeof onboarding.$inferSelect;

type Answered = { asked: string; record: OnboardingRecord; askedAt: Date; since?: Date | undefined };

const isFinal = (status: string) => status === "CONFIRMED" || status === "ERROR";

/**
 * The row an answer belongs to. The answer carries no onboarding id: one asked for by document continues the newest
 * attempt of that document, unless that one had ended otherwise.
 */
async function findRow(tx: Tx, tenant: string, { asked, record }: Answered): Promise<OnboardingRecordRow | undefined> {
  const { status, body } = record.data;
  const isId = !isDocument(asked);
  const rows = await tx
    .select()
    .from(onboarding)
    .where(
      and(
        eq(onboarding.tenant, tenant),
        or(
          isId ? eq(onboarding.onBoardingId, asked) : undefined,
          and(
            inArray(onboarding.documentHash, lookupHashes(body.account.documentNumber)),
            isId ? isNull(onboarding.onBoardingId) : undefined,
          ),
        ),
      ),
    )
    .orderBy(desc(onboarding.firstSeenAt), desc(onboarding.seq));
  const exact = rows.find((row) => row.onBoardingId === asked);
  return exact ?? rows.slice(0, 1).find((row) => row.status === status || !isFinal(row.status));
}

/** Keeps the account under an opaque reference: what stands in addresses instead of the document. */
async function saveAccount(tx: Tx, tenant: string, { record, askedAt }: Answered): Promise<string | null> {
  const { accountId, branch, account: number, documentNumber } = record.data.body.account;
  if (accountId === null) return null;
  const ref = randomUUID();
  const document = sealDocument({ table: "account", id: ref }, documentNumber);
  const [kept] = await tx
    .insert(account)
    .values({ ref, tenant, accountId, branch, number, ...document, firstSeenAt: askedAt })
    .onConflictDoUpdate({ target: [account.tenant, account.accountId], set: { branch, number } })
    .returning({ ref: account.ref });
  return kept?.ref ?? null;
}

async function saveOnboarding(tx: Tx, tenant: string, answered: Answered): Promise<string> {
  const { asked, record, askedAt } = answered;
  const { status, body } = record.data;
  // Two readers of one customer must not both find no row and make two.
  await lockByHashes(tx, body.account.documentNumber);
  const row = await findRow(tx, tenant, answered);
  const onBoardingId = row?.onBoardingId ?? (isDocument(asked) ? null : asked);
  const firstSeenAt = row?.firstSeenAt ?? answered.since ?? askedAt;
  const biometricUrl = body.biometricUrl ?? null;
  const messages = (body.messages ?? []).map((message) => ({ ...message, message: maskWithin(message.message) }));
  const hasChanged =
    row === undefined ||
    row.status !== status ||
    row.biometricUrl !== biometricUrl ||
    JSON.stringify(row.messages) !== JSON.stringify(messages);
  const values = {
    onBoardingId,
    status,
    biometricUrl,
    messages,
    accountId: body.account.accountId,
    checkedAt: askedAt,
    nextCheckAt: nextCheckAt(status, firstSeenAt, askedAt),
    changedAt: hasChanged ? askedAt : row.changedAt,
  };
  const id = row?.id ?? randomUUID();
  if (hasChanged) await publish(tx, { tenant, topic: "onboarding", object: id });
  if (row !== undefined) {
    await tx
      .update(onboarding)
      .set(values)
      .where(and(eq(onboarding.id, id), lte(onboarding.checkedAt, askedAt)));
    return id;
  }
  const sealed = sealDocument({ table: "onboarding", id }, body.account.documentNumber);
  await tx.insert(onboarding).values({ id, tenant, ...sealed, firstSeenAt, ...values });
  return id;
}

/** The rows an answer was kept in: the onboarding's id and, once there is an account, its opaque reference. */
export type Kept = { id: string; accountRef: string | null };

type Refresh = {
  /** When the onboarding began, where that is known. */
  since?: Date | undefined;
  /** Runs in the transaction that keeps the answer: its place is the record of who asked. */
  also?: (tx: Tx, kept: Kept) => Promise<void>;
};

/** What is asked about, as the call log names it, when it is kept already: the newest of a document's. */
async function nameOf(store: Db, tenant: string, asked: string): Promise<{ object?: string }> {
  const isIt = or(eq(onboarding.onBoardingId, asked), inArray(onboarding.documentHash, lookupHashes(asked)));
  const [row] = await store
    .select({ id: onboarding.id })
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), isIt))
    .orderBy(desc(onboarding.seq))
    .limit(1);
  return row === undefined ? {} : { object: `onboarding:${row.id}` };
}

/** Asks the provider about an onboarding id or document and keeps the answer. */
export async function refreshOnboarding(actor: Actor, asked: string, { since, also }: Refresh = {}): Promise<Kept> {
  const store = await db();
  const named = await nameOf(store, actor.tenant, asked);
  const askedAt = await storeNow(store);
  const { answer: record } = await bank.get(actor, checkOnboarding, {
    query: { onBoardingId: asked },
    ...named,
  });
  const answered = { asked, record, askedAt, since };
  return store.transaction(async (tx) => {
    const kept = {
      id: await saveOnboarding(tx, actor.tenant, answered),
      accountRef: await saveAccount(tx, actor.tenant, answered),
    };
    await also?.(tx, kept);
    return kept;
  });
}
