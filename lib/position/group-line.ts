import { and, asc, eq, gte } from "drizzle-orm";
import { assetKey } from "@/lib/contract/identity";
import type { Db } from "@/lib/db/connection";
import { isInReais, type PositionKind } from "@/lib/db/enums/position";
import { positionSum } from "@/lib/db/tables/position";
import { cutToCents, decimalOf, productOf, unitsOf } from "@/lib/text/decimal";
import { type LinePoint, POSITION_GROUPS, type PositionGroup, type RateView } from "./view";

type SumRow = Pick<typeof positionSum.$inferSelect, "network" | "asset" | "token" | "kind" | "amount" | "unread">;

const isOwn = ({ kind }: SumRow) => kind === "own-account";
const isPerhapsOwn = ({ kind }: SumRow) => kind === "account";

type Wanted = { group: PositionGroup; day: string; from: string; rates: ReadonlyMap<string, RateView> };

function pointOf(rows: readonly SumRow[], rates: Wanted["rates"]): Omit<LinePoint, "day"> | null {
  let sum = 0n;
  let read = 0;
  let unread = 0;
  for (const { network, asset, token, kind, amount, unread: left } of rows) {
    const rate = isInReais(kind) ? "1" : rates.get(assetKey(network, { asset, tokenAddress: token }))?.value;
    if (rate === undefined && asset !== "") continue;
    unread = Math.max(unread, left);
    if (rate === undefined || amount === null) continue;
    sum += unitsOf(cutToCents(productOf(amount, rate)));
    read += 1;
  }
  return read === 0 ? null : { amount: decimalOf(sum), unread };
}

/** In reais, coins of every day at the rates of `day`. A day that told accounts of the company apart otherwise than `day` is none of it. */
export async function readGroupLine(
  store: Db,
  tenant: string,
  { group, day, from, rates }: Wanted,
): Promise<LinePoint[]> {
  const { network, asset, token, kind, amount, unread } = positionSum;
  const rows = await store
    .select({ day: positionSum.day, network, asset, token, kind, amount, unread })
    .from(positionSum)
    .where(and(eq(positionSum.tenant, tenant), gte(positionSum.day, from)))
    .orderBy(asc(positionSum.day));
  const byDay = new Map<string, SumRow[]>();
  for (const { day: on, ...row } of rows) byDay.set(on, [...(byDay.get(on) ?? []), row]);
  const kinds: readonly PositionKind[] = POSITION_GROUPS.find((one) => one.group === group)?.kinds ?? [];
  const isApart = byDay.get(day)?.some(isOwn) === true;
  return [...byDay].flatMap(([on, all]) => {
    const isOther = group !== "unset" && all.some(isPerhapsOwn) && all.some(isOwn) !== isApart;
    const point = isOther
      ? null
      : pointOf(
          all.filter((row) => kinds.includes(row.kind)),
          rates,
        );
    return point === null ? [] : [{ day: on, ...point }];
  });
}
