import { and, desc, eq, inArray, or } from "drizzle-orm";
import { z } from "zod";
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

export type Kept = { id: string; isNew: boolean; accountRef: string | null };

type Refresh = {
  since?: Date | undefined;
  /** For recording who asked, in the same transaction. */
  also?: (tx: Tx, kept: Kept) => Promise<void>;
};

/** By id or document, the newest of several; null when nothing is stored. */
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

/** Null: it was open when first seen. */
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

export async function refreshOnboarding(actor: Actor, asked: string, { since, also }: Refresh = {}): Promise<Kept> {
  const { tenant } = actor;
  const store = await db();
  const known = await findKept(store, tenant, asked);
  const askedAt = await storeNow(store);
  const { answer: record } = await bank.get(actor, checkOnboarding, {
    query: { onBoardingId: asked },
    // For the call log: never the document.
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

export async function readUnread({ tenant }: Actor<"onboarding:read">): Promise<ShownBody[]> {
  return unreadIn(await recall(await db(), { tenant, name: "onboarding" }));
}

const Whole = z.object({ wholeAt: z.iso.datetime() });

/** When the provider's list of accounts was last read from end to end (ISO); null: never, or nobody knows whether it was. */
export async function readListWholeAt(tenant: string): Promise<string | null> {
  return Whole.safeParse(await recall(await db(), { tenant, name: "onboarding" })).data?.wholeAt ?? null;
}
