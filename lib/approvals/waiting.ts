import { and, eq, inArray, isNull, ne } from "drizzle-orm";
import type { Db, Tx } from "@/lib/db/connection";
import type { ApprovalKindName } from "@/lib/db/enums/approvals";
import { approval } from "@/lib/db/tables/approvals";
import { transfer } from "@/lib/db/tables/transfers";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { readSnapshot, type ShownValue } from "./snapshot";
import { OPEN_STATES } from "./view";

/** Null: reais. */
export type WaitingSum = { asset: string | null; sum: string; count: number };

type OnObject = { tenant: string; object: string; exceptIntent: string | null };

const LEAVING = ["transfer.internal", "transfer.external", "crypto.transfer"] as const satisfies ApprovalKindName[];

const MOST = 500;

function amountIn(headline: ShownValue | undefined): { asset: string | null; amount: string } | null {
  if (headline?.as === "brl") return { asset: null, amount: headline.decimal };
  return headline?.as === "coins" ? headline : null;
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
    .limit(MOST);
  const sums = new Map<string | null, { units: bigint; count: number }>();
  for (const { row } of rows) {
    const waiting = amountIn((await readSnapshot(row))?.shown.headline);
    if (waiting === null) continue;
    const { units, count } = sums.get(waiting.asset) ?? { units: 0n, count: 0 };
    sums.set(waiting.asset, { units: units + unitsOf(waiting.amount), count: count + 1 });
  }
  return [...sums].map(([asset, { units, count }]) => ({ asset, sum: decimalOf(units), count }));
}
