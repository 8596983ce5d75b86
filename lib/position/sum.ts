import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { idOfSum, type PositionTotal } from "./view";
import type { Figure, PositionKind, SumKey } from "@/lib/db/enums/position";

/** What a round must read once, by one call. */
export type Subject = { subject: string; network: string; kind: PositionKind };

export type Reading = Subject & { figures: readonly Figure[] | null; readAt: Date | null };

type Group = { key: SumKey; units: bigint; readings: number; unread: number; oldest: Date | null };

const placeOf = ({ network, kind }: Subject) => `${kind} ${network}`;

const isUnknownAsset = ({ asset }: Figure) => asset === "";

/** How many of each kind and network may hold anything at all, since no answer says what. */
function blindIn(readings: readonly Reading[], expected: readonly Subject[]): Map<string, number> {
  const had = new Set(readings.map(({ subject, network }) => `${subject} ${network}`));
  const blind = [
    ...expected.filter(({ subject, network }) => !had.has(`${subject} ${network}`)),
    ...readings.filter(({ figures }) => figures === null || figures.some(isUnknownAsset)),
  ];
  const counts = new Map<string, number>();
  for (const one of blind) counts.set(placeOf(one), (counts.get(placeOf(one)) ?? 0) + 1);
  return counts;
}

function addTo(groups: Map<string, Group>, key: SumKey, { amount, readAt }: { amount: string | null; readAt: Date }) {
  const id = idOfSum(key);
  const group = groups.get(id) ?? { key, units: 0n, readings: 0, unread: 0, oldest: null };
  groups.set(id, group);
  if (amount === null) {
    group.unread += 1;
    return;
  }
  group.units += unitsOf(amount);
  group.readings += 1;
  if (group.oldest === null || readAt < group.oldest) group.oldest = readAt;
}

/** Of a kind and network of which nothing was read, one sum without asset tells how many there are. */
export function sumReadings(readings: readonly Reading[], expected: readonly Subject[]): PositionTotal[] {
  const groups = new Map<string, Group>();
  for (const { network, kind, figures, readAt } of readings) {
    if (figures === null || readAt === null) continue;
    for (const { asset, token, part, amount } of figures.filter((one) => !isUnknownAsset(one)))
      addTo(groups, { network, asset, token, kind, part }, { amount, readAt });
  }
  const blind = blindIn(readings, expected);
  const sums = [...groups.values()].map(({ key, units, readings: count, unread, oldest }): PositionTotal => {
    const place = placeOf({ subject: "", ...key });
    return {
      ...key,
      amount: count === 0 ? null : decimalOf(units),
      readings: count,
      unread: unread + (blind.get(place) ?? 0),
      oldestAt: oldest?.toISOString() ?? null,
    };
  });
  const shown = new Set(sums.map(({ network, kind }) => placeOf({ subject: "", network, kind })));
  const hidden = [...readings, ...expected].filter((one) => !shown.has(placeOf(one)));
  const places = new Map(hidden.map((one) => [placeOf(one), one]));
  const untold = [...places].flatMap(([place, { network, kind }]): PositionTotal[] => {
    const unread = blind.get(place) ?? 0;
    const asset = kind === "account" ? "BRL" : "";
    const key = { network, asset, token: "", kind, part: "available" as const };
    return unread === 0 ? [] : [{ ...key, amount: null, readings: 0, unread, oldestAt: null }];
  });
  return [...sums, ...untold];
}

/** Null where one of them is not known. */
export function differenceOf(now: string | null, before: string | null): string | null {
  return now === null || before === null ? null : decimalOf(unitsOf(now) - unitsOf(before));
}
