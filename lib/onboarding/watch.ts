import { and, eq, inArray, isNotNull, lte } from "drizzle-orm";
import { z } from "zod";
import { type Actor, watchActor } from "@/lib/auth/grant";
import { bank } from "@/lib/bank/bank";
import { BankError, isProviderTrouble } from "@/lib/bank/error";
import { getAccounts } from "@/lib/bank/operations";
import type { OpenRecord } from "@/lib/contract/shared";
import { log } from "@/lib/log";
import { onboarding } from "@/lib/store/schema";
import { unseal } from "@/lib/store/seal";
import { db } from "@/lib/store/store";
import { civilDaysAgo } from "@/lib/time";
import type { Watch } from "@/lib/watch";
import { refreshOnboarding } from "./records";

/** The first sweep looks back far, the following ones only past a provider that lists late. */
const FIRST_LOOK_BACK_DAYS = 730;
const LOOK_BACK_DAYS = 7;
const PAGE_LIMIT = 100;
const MOST_PAGES = 20;
const MOST_NEW = 60;
const MOST_DUE = 30;
const RETRY_TROUBLED_AFTER_MS = 60 * 60_000;

type Found = { onBoardingId: string; since: Date | undefined };

const Named = z.looseObject({ onBoardingId: z.string().min(1), createdAt: z.string().optional().catch(undefined) });

/** How getAccounts answers is not shown: whatever list holds objects with an `onBoardingId` is taken as the list. */
export function findOnboardings(answer: OpenRecord): Found[] {
  const inside = z.record(z.string(), z.unknown()).safeParse(answer["data"]).data ?? {};
  const lists = [...Object.values(answer), ...Object.values(inside)].filter(Array.isArray);
  return lists.flat().flatMap((item): Found[] => {
    const { data } = Named.safeParse(item);
    if (data === undefined) return [];
    const since = new Date(data.createdAt ?? "");
    return [{ onBoardingId: data.onBoardingId, since: Number.isNaN(since.getTime()) ? undefined : since }];
  });
}

async function listed(actor: Actor, lookBackDays: number): Promise<Found[]> {
  const found = new Map<string, Found>();
  const period = { initialDate: civilDaysAgo(lookBackDays), endDate: civilDaysAgo(0) };
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const answer = await bank.get(actor, getAccounts, { query: { ...period, limit: PAGE_LIMIT, page } });
    const fresh = findOnboardings(answer).filter(({ onBoardingId }) => !found.has(onBoardingId));
    for (const one of fresh) found.set(one.onBoardingId, one);
    if (fresh.length < PAGE_LIMIT) break;
  }
  return [...found.values()];
}

/** Refreshes one onboarding; its own trouble, an unknown id or an answer that is none, must not stop the others. */
async function tryRefresh(actor: Actor, asked: string, since?: Date): Promise<boolean> {
  const [tried] = await Promise.allSettled([refreshOnboarding(actor, asked, { since })]);
  if (tried.status === "fulfilled") return true;
  if (!(tried.reason instanceof BankError) || isProviderTrouble(tried.reason.kind)) throw tried.reason;
  log.warn({ watch: "onboarding", kind: tried.reason.kind, requestId: tried.reason.details.requestId }, "one not read");
  return false;
}

/** Keeps onboardings not seen before; returns whether all of them were read. */
async function discover(actor: Actor, lookBackDays: number): Promise<boolean> {
  const found = await listed(actor, lookBackDays);
  if (found.length === 0) return true;
  const ids = found.map(({ onBoardingId }) => onBoardingId);
  const kept = await (
    await db()
  )
    .select({ onBoardingId: onboarding.onBoardingId })
    .from(onboarding)
    .where(and(eq(onboarding.tenant, actor.tenant), inArray(onboarding.onBoardingId, ids)));
  const known = new Set(kept.map((row) => row.onBoardingId));
  const unseen = found.filter((one) => !known.has(one.onBoardingId));
  for (const { onBoardingId, since } of unseen.slice(0, MOST_NEW)) await tryRefresh(actor, onBoardingId, since);
  return unseen.length <= MOST_NEW;
}

async function checkDue(actor: Actor): Promise<void> {
  const store = await db();
  const { id, onBoardingId, documentSealed } = onboarding;
  const rows = await store
    .select({ id, onBoardingId, documentSealed })
    .from(onboarding)
    .where(
      and(
        eq(onboarding.tenant, actor.tenant),
        isNotNull(onboarding.nextCheckAt),
        lte(onboarding.nextCheckAt, new Date()),
      ),
    )
    .orderBy(onboarding.nextCheckAt)
    .limit(MOST_DUE);
  for (const row of rows) {
    if (await tryRefresh(actor, row.onBoardingId ?? unseal(row.documentSealed))) continue;
    const nextCheckAt = new Date(Date.now() + RETRY_TROUBLED_AFTER_MS);
    await store.update(onboarding).set({ nextCheckAt }).where(eq(onboarding.id, row.id));
  }
}

/** Feeds the onboarding queue: checks the open ones that are due, then looks for new ones. */
export function createOnboardingWatch(): Watch {
  let hasLookedBack = false;
  return {
    name: "onboarding",
    async sweep(tenant) {
      const actor = watchActor("onboarding", tenant, "onboarding:read");
      await checkDue(actor);
      const isComplete = await discover(actor, hasLookedBack ? LOOK_BACK_DAYS : FIRST_LOOK_BACK_DAYS);
      hasLookedBack ||= isComplete;
    },
  };
}
