import { and, desc, eq, inArray, or } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import { bank } from "@/lib/bank/client";
import { checkOnboarding } from "@/lib/bank/operations";
import { type ShownBody, unreadIn } from "@/lib/text/shown-body";
import { storeNow } from "@/lib/store/clock";
import { onboarding } from "@/lib/store/schema";
import { lookupHashes } from "@/lib/store/seal";
import { type Db, db, type Tx } from "@/lib/store/store";
import { recall } from "@/lib/store/watch-state";
import { saveAccount, saveOnboarding } from "./save";
import { onboardingEvent } from "./schema";

/** The rows an answer was kept in: the onboarding's id, whether we see it for the first time, and its account's opaque reference. */
export type Kept = { id: string; isNew: boolean; accountRef: string | null };

type Refresh = {
  /** When the onboarding began, where that is known. */
  since?: Date | undefined;
  /** Runs in the transaction that keeps the answer: its place is the record of who asked. */
  also?: (tx: Tx, kept: Kept) => Promise<void>;
};

/** Our row of what is asked about by id or by document, the newest of several; null when nothing is kept of it. */
export async function findKept(store: Db, tenant: string, asked: string): Promise<{ id: string } | null> {
  const isIt = or(eq(onboarding.onBoardingId, asked), inArray(onboarding.documentHash, lookupHashes(asked)));
  const [row] = await store
    .select({ id: onboarding.id })
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), isIt))
    .orderBy(desc(onboarding.firstSeenAt), desc(onboarding.seq))
    .limit(1);
  return row ?? null;
}

/** When an onboarding was seen to open this account, by the provider's id of it; null: it was open when we first saw it. */
export async function readOpenedAt(store: Db, account: { tenant: string; accountId: string }): Promise<Date | null> {
  const [opened] = await store
    .select({ at: onboardingEvent.at })
    .from(onboardingEvent)
    .innerJoin(onboarding, eq(onboarding.id, onboardingEvent.onboardingId))
    .where(
      and(
        eq(onboarding.tenant, account.tenant),
        eq(onboarding.accountId, account.accountId),
        eq(onboardingEvent.tenant, account.tenant),
        eq(onboardingEvent.kind, "account-opened"),
      ),
    )
    .limit(1);
  return opened?.at ?? null;
}

/** Asks the provider about an onboarding id or document and keeps the answer. */
export async function refreshOnboarding(actor: Actor, asked: string, { since, also }: Refresh = {}): Promise<Kept> {
  const { tenant } = actor;
  const store = await db();
  const known = await findKept(store, tenant, asked);
  const askedAt = await storeNow(store);
  const { answer: record } = await bank.get(actor, checkOnboarding, {
    query: { onBoardingId: asked },
    // What it is about, as the call log names it: never the document.
    ...(known !== null && { object: `onboarding:${known.id}` }),
  });
  const answered = { asked, record, askedAt, since };
  return store.transaction(async (tx) => {
    const { id, isNew } = await saveOnboarding(tx, tenant, answered);
    const kept = { id, isNew, accountRef: await saveAccount(tx, tenant, answered) };
    await also?.(tx, kept);
    return kept;
  });
}

/** What of the provider's list the watch could not understand when it last went through it. */
export async function readUnread({ tenant }: Actor<"onboarding:read">): Promise<ShownBody[]> {
  return unreadIn(await recall(await db(), { tenant, name: "onboarding" }));
}
