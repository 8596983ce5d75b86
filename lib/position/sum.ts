import { assetKey } from "@/lib/contract/identity";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { isZero } from "@/lib/text/format";
import { idOfSum, placeOf, type PositionTotal } from "./view";
import { type Figure, isInReais, type PositionKind, type SumKey } from "@/lib/db/enums/position";

/** What a round reads once, with one call. */
export type Subject = { subject: string; network: string; kind: PositionKind };

export type SubjectReading = Subject & { figures: readonly Figure[] | null; readAt: Date | null };

type Group = { key: SumKey; units: bigint; readings: number; unread: number; oldest: Date | null };

const isUnknownAsset = ({ asset, token }: Figure) => asset === "" && token === "";

/** The number of unread subjects by kind and network, which may hold anything. */
function blindIn(readings: readonly SubjectReading[], expected: readonly Subject[]): Map<string, number> {
  const had = new Set(readings.map(({ subject, network }) => `${subject} ${network}`));
  const blind = [
    ...expected.filter(({ subject, network }) => !had.has(`${subject} ${network}`)),
    ...readings.filter(({ figures }) => figures === null || figures.some(isUnknownAsset)),
  ];
  const counts = new Map<string, number>();
  for (const one of blind) counts.set(placeOf(one), (counts.get(placeOf(one)) ?? 0) + 1);
  return counts;
}

/** The same in any spelling of its asset. */
export const sameSum = ({ network, asset, token, kind, part }: SumKey): string =>
  JSON.stringify([assetKey(network, { asset, tokenAddress: token }), kind, part]);

function addTo(groups: Map<string, Group>, key: SumKey, { amount, readAt }: { amount: string | null; readAt: Date }) {
  const id = sameSum(key);
  const group = groups.get(id) ?? { key, units: 0n, readings: 0, unread: 0, oldest: null };
  groups.set(id, group);
  if (idOfSum(key) < idOfSum(group.key)) group.key = key;
  if (amount === null) {
    group.unread += 1;
    return;
  }
  group.units += unitsOf(amount);
  group.readings += 1;
  if (group.oldest === null || readAt < group.oldest) group.oldest = readAt;
}

/** A kind and network without any reading has one sum without asset, which counts its subjects. */
export function sumReadings(readings: readonly SubjectReading[], expected: readonly Subject[]): PositionTotal[] {
  const groups = new Map<string, Group>();
  for (const { network, kind, figures, readAt } of readings) {
    if (figures === null || readAt === null) continue;
    for (const { asset, token, part, amount } of figures.filter((one) => !isUnknownAsset(one)))
      addTo(groups, { network, asset, token, kind, part }, { amount, readAt });
  }
  const blind = blindIn(readings, expected);
  const sums = [...groups.values()].map(({ key, units, readings: count, unread, oldest }): PositionTotal => {
    return {
      ...key,
      amount: count === 0 ? null : decimalOf(units),
      readings: count,
      unread: unread + (blind.get(placeOf(key)) ?? 0),
      oldestAt: oldest?.toISOString() ?? null,
    };
  });
  const shown = new Set(sums.map(placeOf));
  const hidden = [...readings, ...expected].filter((one) => !shown.has(placeOf(one)));
  const places = new Map(hidden.map((one) => [placeOf(one), one]));
  const untold = [...places].flatMap(([place, { network, kind }]): PositionTotal[] => {
    const unread = blind.get(place) ?? 0;
    const asset = isInReais(kind) ? "BRL" : "";
    const key = { network, asset, token: "", kind, part: "available" as const };
    return unread === 0 ? [] : [{ ...key, amount: null, readings: 0, unread, oldestAt: null }];
  });
  return [...sums, ...untold];
}

const hasMoney = ({ figures }: SubjectReading): boolean =>
  figures?.some(({ amount }) => amount !== null && !isZero(amount)) === true;

/** From the oldest to the newest reading of what holds money; of all where nothing does. */
export function spanOfReadings(readings: readonly SubjectReading[]): { oldestAt: Date | null; newestAt: Date | null } {
  const holding = readings.filter(hasMoney);
  const times = (holding.length > 0 ? holding : readings)
    .flatMap(({ readAt }) => readAt ?? [])
    .toSorted((one, other) => one.getTime() - other.getTime());
  return { oldestAt: times[0] ?? null, newestAt: times.at(-1) ?? null };
}

const earliest = (one: string | null, other: string | null) =>
  one === null || (other !== null && other < one) ? other : one;

/** Sums stored under several spellings of one asset are merged. */
export function mergeSpellings(sums: readonly PositionTotal[]): PositionTotal[] {
  const merged = new Map<string, PositionTotal>();
  for (const one of sums) {
    const id = sameSum(one);
    const had = merged.get(id);
    if (had === undefined) {
      merged.set(id, one);
      continue;
    }
    const amounts = [had.amount, one.amount].flatMap((amount) => amount ?? []);
    merged.set(id, {
      ...(idOfSum(one) < idOfSum(had) ? one : had),
      amount: amounts.length === 0 ? null : decimalOf(amounts.reduce((sum, amount) => sum + unitsOf(amount), 0n)),
      readings: had.readings + one.readings,
      unread: Math.max(had.unread, one.unread),
      oldestAt: earliest(had.oldestAt, one.oldestAt),
    });
  }
  return [...merged.values()];
}

/** Null when one of them is unknown. */
export function differenceOf(now: string | null, before: string | null): string | null {
  return now === null || before === null ? null : decimalOf(unitsOf(now) - unitsOf(before));
}
