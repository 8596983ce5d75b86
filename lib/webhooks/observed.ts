import { and, asc, eq, gt, gte, inArray, isNull, sql } from "drizzle-orm";
import { familyOf } from "@/lib/contract/addresses";
import { addressKey, amountKey, transactionKey } from "@/lib/contract/identity";
import type { WebhookEvent } from "@/lib/contract/webhook-events";
import { storeTimeBefore } from "@/lib/db/clock";
import type { Db } from "@/lib/db/connection";
import type { ObservedChange } from "@/lib/db/enums/webhooks";
import { onboarding } from "@/lib/db/tables/customers";
import { onboardingEvent } from "@/lib/db/tables/onboarding";
import { chainMovement, wallet } from "@/lib/db/tables/wallets";
import { expectedEvent } from "@/lib/db/tables/webhooks";
import { isDecimal, isZero } from "@/lib/text/format";
import { DAY_MS } from "@/lib/text/time";
import { movementState } from "@/lib/wallets/records";
import { movementDirection } from "@/lib/wallets/view";

/** interface: Events; States and transitions › Onboarding. KYC has none, nor have transfers and accounts. */
export const EVENT_OF: Readonly<Record<ObservedChange, WebhookEvent>> = {
  accepted: "onboarding-create",
  confirmed: "onboarding-create",
  refused: "onboarding-backgroundcheck",
  link: "onboarding-biometrics",
  deposit: "crypto-cash-in",
};

/** `sinceOf` null: no subscription of ours covers it. `listedSince` null: the list of accounts was never read whole. */
export type Scope = {
  tenant: string;
  sinceOf: (event: WebhookEvent) => Date | null;
  listedSince: Date | null;
};

/** Less than retention keeps events, and what was expected of them. */
export const KEPT_MS = 25 * DAY_MS;

type Observed = Omit<typeof expectedEvent.$inferInsert, "tenant" | "event" | "seq">;

const MARK_OF: Partial<Record<ObservedChange, string>> = { accepted: "PROCESSING", confirmed: "CONFIRMED" };

const KINDS = ["seen", "moved", "link-appeared", "link-changed"] as const;

const LOOK_BACK = 1_000;
const MOST_ROWS = 1_500;

async function readOnboardingRows(store: Db, tenant: string, { seq, from }: { seq: number; from: Date }) {
  const { id, at, kind, detail, onboardingId } = onboardingEvent;
  const firstAt = sql<Date>`(select min(first.at) from ${onboardingEvent} as first where first.tenant = ${tenant}
    and first.onboarding_ref = ${onboardingId} and first.kind = 'seen')`.mapWith(at);
  return store
    .select({ id, at, kind, detail, onboardingId, firstAt, createdAt: onboarding.firstSeenAt })
    .from(onboardingEvent)
    .innerJoin(onboarding, eq(onboarding.id, onboardingId))
    .where(
      and(
        eq(onboardingEvent.tenant, tenant),
        gt(id, Math.max(0, seq - LOOK_BACK)),
        gte(at, from),
        inArray(kind, [...KINDS]),
      ),
    )
    .orderBy(asc(id))
    .limit(MOST_ROWS);
}

type OnboardingRow = Awaited<ReturnType<typeof readOnboardingRows>>[number];

/** A first sight tells all that the onboarding has become, a later row what moved. */
function changesIn({ kind, detail }: OnboardingRow): ObservedChange[] {
  const reached = kind === "seen" ? detail["status"] : detail["to"];
  const end = reached === "CONFIRMED" ? ["confirmed" as const] : reached === "ERROR" ? ["refused" as const] : [];
  if (kind === "seen") return ["accepted", ...end];
  return kind === "moved" ? end : ["link"];
}

/** Older than the subscription, or of unknown age, and found after it: when it became what it is nobody knows. */
const isOfUnknownAge = ({ firstAt, createdAt }: OnboardingRow, since: Date, { listedSince }: Scope) =>
  firstAt >= since && (createdAt < since || listedSince === null || firstAt < listedSince);

function observedIn(row: OnboardingRow, scope: Scope): Observed[] {
  return changesIn(row).flatMap((change) => {
    const since = scope.sinceOf(EVENT_OF[change]);
    if (since === null || row.at < since || isOfUnknownAge(row, since, scope)) return [];
    const object = `onboarding:${row.onboardingId}`;
    return [{ key: `${object} ${row.id} ${change}`, change, object, mark: MARK_OF[change] ?? null, seenAt: row.at }];
  });
}

export type DepositMark = { addressKey: string; network: string; transaction: string; amount: string };

const isOwn = sql`exists (select from ${wallet} as own where own.tenant = ${chainMovement.tenant}
  and lower(own.address) = lower(${chainMovement.counterAddress}))`;

/** What came from outside and is confirmed: sweeps and moves between own wallets are no deposits. */
async function readDeposits(store: Db, { tenant, sinceOf }: Scope, from: Date): Promise<Observed[]> {
  const since = sinceOf("crypto-cash-in");
  if (since === null) return [];
  const rows = await store
    .select({ movement: chainMovement, address: wallet.address })
    .from(chainMovement)
    .innerJoin(wallet, and(eq(wallet.tenant, chainMovement.tenant), eq(wallet.id, chainMovement.walletId)))
    .where(
      and(
        eq(chainMovement.tenant, tenant),
        gte(chainMovement.writtenAt, from),
        gte(chainMovement.at, since),
        // A row that is written again later must not be expected again.
        gte(chainMovement.at, storeTimeBefore(KEPT_MS)),
        isNull(chainMovement.droppedAt),
        sql`not ${isOwn}`,
      ),
    );
  return rows.flatMap(({ movement, address }) => {
    const { network, walletId, key, subtype, amount, hash, writtenAt } = movement;
    const isArrival = movementDirection(subtype) === "in" && movementState(movement) === "confirmed";
    if (writtenAt === null || !isArrival || !isDecimal(amount) || isZero(amount)) return [];
    const mark: DepositMark = {
      addressKey: addressKey(familyOf(network), address),
      network,
      transaction: transactionKey(network, hash),
      amount: amountKey(amount),
    };
    const object = `wallet:${walletId}`;
    const what = { change: "deposit", object, mark: JSON.stringify(mark), seenAt: writtenAt } as const;
    return [{ key: `${object} ${network} ${key}`, ...what }];
  });
}

/** `seq`: of the last onboarding row read, null at first; `from`: when the last sweep began. */
export type Cursor = { seq: number | null; from: Date };

async function lastSeq(store: Db, tenant: string): Promise<number> {
  const [row] = await store
    .select({ seq: sql<number>`coalesce(max(${onboardingEvent.id}), 0)`.mapWith(Number) })
    .from(onboardingEvent)
    .where(eq(onboardingEvent.tenant, tenant));
  return row?.seq ?? 0;
}

const OVERLAP_MS = 300_000;

type Noted = { seq: number; noted: number; isAll: boolean };

/** What the areas noted since the last sweep, each change once. Returns the next `seq`, and how many are new. */
export async function noteObserved(store: Db, scope: Scope, cursor: Cursor): Promise<Noted> {
  const { tenant } = scope;
  const from = new Date(cursor.from.getTime() - OVERLAP_MS);
  const seq = cursor.seq ?? (await lastSeq(store, tenant));
  const rows = await readOnboardingRows(store, tenant, { seq, from });
  const observed = [...rows.flatMap((row) => observedIn(row, scope)), ...(await readDeposits(store, scope, from))];
  const once = [...new Map(observed.map((one) => [one.key, one])).values()];
  const noted =
    once.length === 0
      ? []
      : await store
          .insert(expectedEvent)
          .values(once.map((one) => ({ ...one, tenant, event: EVENT_OF[one.change] })))
          .onConflictDoNothing()
          .returning({ key: expectedEvent.key });
  return { seq: Math.max(seq, rows.at(-1)?.id ?? 0), noted: noted.length, isAll: rows.length < MOST_ROWS };
}
