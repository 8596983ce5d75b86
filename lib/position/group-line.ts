import { and, asc, between, eq } from "drizzle-orm";
import { assetKey } from "@/lib/contract/identity";
import type { Db } from "@/lib/db/connection";
import { isInReais, type PositionKind } from "@/lib/db/enums/position";
import { positionSum } from "@/lib/db/tables/position";
import { roundToCents, decimalOf, productOf, unitsOf } from "@/lib/text/decimal";
import { isZero } from "@/lib/text/format";
import {
  type GroupSeries,
  type LinePoint,
  namesUnrated,
  POSITION_GROUPS,
  type PositionGroup,
  type RateView,
  unreadAmong,
} from "./view";

type SumRow = Pick<typeof positionSum.$inferSelect, "network" | "asset" | "token" | "kind" | "amount" | "unread">;

const isOwn = ({ kind }: SumRow) => kind === "own-account";
const isPerhapsOwn = ({ kind }: SumRow) => kind === "account";

type Wanted = { group: PositionGroup; day: string; from: string; rates: ReadonlyMap<string, RateView> };

const rateOf = ({ network, asset, token, kind }: SumRow, rates: Wanted["rates"]): string | undefined =>
  isInReais(kind) ? "1" : rates.get(assetKey(network, { asset, tokenAddress: token }))?.value;

function pointOf(rows: readonly SumRow[], rates: Wanted["rates"]): Omit<LinePoint, "day"> | null {
  let sum = 0n;
  let read = 0;
  const counted: SumRow[] = [];
  for (const row of rows) {
    const { asset, amount } = row;
    const rate = rateOf(row, rates);
    if (rate === undefined && asset !== "") continue;
    counted.push(row);
    if (rate === undefined || amount === null) continue;
    sum += unitsOf(roundToCents(productOf(amount, rate)));
    read += 1;
  }
  return read === 0 ? null : { amount: decimalOf(sum), unread: unreadAmong(counted) };
}

/** In reais, coins of every day at the rates of `day`. A day that told accounts of the company apart otherwise than `day` is none of it. */
export async function readGroupLine(
  store: Db,
  tenant: string,
  { group, day, from, rates }: Wanted,
): Promise<GroupSeries> {
  const { network, asset, token, kind, amount, unread } = positionSum;
  const rows = await store
    .select({ day: positionSum.day, network, asset, token, kind, amount, unread })
    .from(positionSum)
    .where(and(eq(positionSum.tenant, tenant), between(positionSum.day, from, day)))
    .orderBy(asc(positionSum.day));
  const byDay = new Map<string, SumRow[]>();
  for (const { day: on, ...row } of rows) byDay.set(on, [...(byDay.get(on) ?? []), row]);
  const kinds: readonly PositionKind[] = POSITION_GROUPS.find((one) => one.group === group)?.kinds ?? [];
  const isApart = byDay.get(day)?.some(isOwn) === true;
  const drawn: SumRow[] = [];
  const points = [...byDay].flatMap(([on, all]): LinePoint[] => {
    const isOther = group !== "unset" && all.some(isPerhapsOwn) && all.some(isOwn) !== isApart;
    if (isOther) return [];
    const ofGroup = all.filter((row) => kinds.includes(row.kind));
    drawn.push(...ofGroup);
    const point = pointOf(ofGroup, rates);
    return point === null ? [] : [{ day: on, ...point }];
  });
  const coins = drawn.filter((row) => !isInReais(row.kind) && row.amount !== null && !isZero(row.amount));
  const named = coins.map((row) => ({ ...row, isRated: rateOf(row, rates) !== undefined }));
  return { points, unrated: namesUnrated(named), isRated: named.some(({ isRated }) => isRated) };
}
