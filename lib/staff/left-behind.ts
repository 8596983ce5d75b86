import { and, eq, inArray, isNull } from "drizzle-orm";
import { OPEN_STATES } from "@/lib/approvals/view";
import type { Member } from "@/lib/auth/roster";
import { storeNow } from "@/lib/db/clock";
import { approval } from "@/lib/db/tables/approvals";
import { deposit } from "@/lib/db/tables/deposits";
import { draft } from "@/lib/db/tables/drafts";
import { savedView } from "@/lib/db/tables/preferences";
import { staff } from "@/lib/db/tables/staff";
import type { Db, Tx } from "@/lib/db/connection";
import { AppError } from "@/lib/errors/app-error";
import { type Assignee, countOpenCasesOf, handOverCases, readAssignees } from "@/lib/kyc/records";
import { handOverViews } from "@/lib/preferences/saved-views";
import type { Handover } from "./inputs";
import type { Manager } from "./roster";

/** `requests`: open, which they alone complete or withdraw; `deposits`: in their name, without a reason yet. */
type LeftCounts = { requests: number; cases: number; deposits: number; drafts: number; views: number };

export type LeftBehind = LeftCounts & {
  deciders: Assignee[];
  colleagues: { id: string; name: string }[];
  asOf: string;
};

async function countLeft(store: Db | Tx, tenant: string, staffId: string): Promise<LeftCounts> {
  const isTheirs = and(eq(approval.tenant, tenant), eq(approval.makerId, staffId));
  const isOwned = and(eq(deposit.tenant, tenant), eq(deposit.ownerId, staffId), isNull(deposit.reason));
  const [requests, cases, deposits, drafts, views] = await Promise.all([
    store.$count(approval, and(isTheirs, inArray(approval.state, [...OPEN_STATES]))),
    countOpenCasesOf(store, tenant, staffId),
    store.$count(deposit, isOwned),
    store.$count(draft, and(eq(draft.tenant, tenant), eq(draft.staffId, staffId))),
    store.$count(savedView, and(eq(savedView.tenant, tenant), eq(savedView.staffId, staffId))),
  ]);
  return { requests, cases, deposits, drafts, views };
}

export async function readLeftBehind(
  store: Db,
  { tenant, staffId }: { tenant: string; staffId: string },
  roster: readonly Member[],
): Promise<LeftBehind> {
  const active = roster.flatMap((one) => (one.isActive && one.staffId !== staffId ? [one.staffId] : []));
  const [counts, deciders, colleagues] = await Promise.all([
    countLeft(store, tenant, staffId),
    readAssignees(store, tenant),
    store.select({ id: staff.id, name: staff.name }).from(staff).where(inArray(staff.id, active)).orderBy(staff.name),
  ]);
  const free = deciders.filter(({ id, awayUntil }) => id !== staffId && awayUntil === null);
  return { ...counts, deciders: free, colleagues, asOf: (await storeNow(store)).toISOString() };
}

export type HandedOver = { cases: number; views: number };

type Leaving = { manager: Manager; staffId: string; roster: readonly Member[] };

/** Throws conflict `colleague-gone`, and as `requireAssignable`. */
export async function handOverAll(
  tx: Tx,
  { manager: { tenant, id: by }, staffId, roster }: Leaving,
  { cases, views }: Handover,
): Promise<HandedOver> {
  const taker = roster.find((one) => one.staffId === views && one.isActive && one.staffId !== staffId);
  if (views !== null && taker === undefined) throw new AppError("conflict", { code: "colleague-gone" });
  return {
    cases: cases === null ? 0 : await handOverCases(tx, { tenant, by, from: staffId, to: cases }),
    views:
      taker === undefined
        ? 0
        : await handOverViews(tx, { tenant, from: staffId, to: taker.staffId, roles: taker.roles }),
  };
}
