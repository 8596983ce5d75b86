import type { ApprovalKindName } from "@/lib/permission/writes";
import { and, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import type { Network } from "@/lib/contract/crypto";
import type { Db, Tx } from "@/lib/db/connection";
import { approval } from "@/lib/db/tables/approvals";
import { transfer, transferPayee } from "@/lib/db/tables/transfers";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { readSnapshot, type Shown } from "./snapshot";
import { OPEN_STATES } from "./view";

/** A sum of one asset on one network; both are null for reais. */
export type WaitingSum = { asset: string | null; network: Network | null; sum: string; count: number };

type OnObject = { tenant: string; object: string; exceptIntent: string | null };

const LEAVING = ["transfer.internal", "transfer.external", "crypto.transfer"] as const satisfies ApprovalKindName[];

const MOST = 500;

function amountIn({ headline, facts }: Shown): (Pick<WaitingSum, "asset" | "network"> & { amount: string }) | null {
  if (headline.as === "brl") return { asset: null, network: null, amount: headline.decimal };
  const on = facts.find(({ name }) => name === "network")?.after;
  return headline.as === "coins" ? { ...headline, network: on?.as === "network" ? on.network : null } : null;
}

export async function readWaiting(store: Db | Tx, { tenant, object, exceptIntent }: OnObject): Promise<WaitingSum[]> {
  const rows = await store
    .select({ row: approval })
    .from(approval)
    .leftJoin(transfer, and(eq(transfer.tenant, approval.tenant), eq(transfer.intentId, approval.intentId)))
    .where(
      and(
        eq(approval.tenant, tenant),
        eq(approval.object, object),
        inArray(approval.kind, [...LEAVING]),
        inArray(approval.state, [...OPEN_STATES]),
        isNull(transfer.intentId),
        exceptIntent === null ? undefined : ne(approval.intentId, exceptIntent),
      ),
    )
    .orderBy(approval.createdAt, approval.id)
    .limit(MOST);
  const sums = new Map<string, WaitingSum>();
  for (const { row } of rows) {
    const snapshot = await readSnapshot(row);
    const waiting = snapshot === null ? null : amountIn(snapshot.shown);
    if (waiting === null) continue;
    const { asset, network, amount } = waiting;
    const key = JSON.stringify([network, asset]);
    const { sum, count } = sums.get(key) ?? { sum: "0", count: 0 };
    sums.set(key, { asset, network, sum: decimalOf(unitsOf(sum) + unitsOf(amount)), count: count + 1 });
  }
  return [...sums.values()];
}

/** What waits to be sent to an account, by the provider's id. */
export async function readArriving(
  store: Db,
  tenant: string,
  accountId: string,
): Promise<Pick<WaitingSum, "sum" | "count">> {
  const [found] = await store
    .select({
      sum: sql<string>`coalesce(sum(${transferPayee.amount}::numeric), 0)::numeric(20, 2)::text`,
      count: sql<number>`count(*)::int`,
    })
    .from(transferPayee)
    .innerJoin(approval, and(eq(approval.tenant, tenant), eq(approval.intentId, transferPayee.intentId)))
    .leftJoin(transfer, and(eq(transfer.tenant, tenant), eq(transfer.intentId, transferPayee.intentId)))
    .where(
      and(
        eq(transferPayee.tenant, tenant),
        eq(transferPayee.accountId, accountId),
        inArray(approval.state, [...OPEN_STATES]),
        isNull(transfer.intentId),
      ),
    );
  return found ?? { sum: "0.00", count: 0 };
}
