import { and, eq, gt, inArray, isNull, lte } from "drizzle-orm";
import { isCoin } from "@/lib/contract/coins";
import { NETWORKS } from "@/lib/contract/crypto";
import { assetKey } from "@/lib/contract/identity";
import type { Db } from "@/lib/db/connection";
import type { Figure, SumKey } from "@/lib/db/enums/position";
import { positionReading, positionRound } from "@/lib/db/tables/position";
import { chainMovement } from "@/lib/db/tables/wallets";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { isDecimal, isZero } from "@/lib/text/format";
import { civilDay, civilInstant } from "@/lib/text/time";
import { movementState, paidFees } from "@/lib/wallets/records";
import { movedAsset, movementDirection } from "@/lib/wallets/view";
import { differenceOf } from "./sum";
import type { ChangedPart, ChangeEntry, DayFlow, SumFlow } from "./view";

const assetOf = ({ network, asset, token }: Pick<SumKey, "network" | "asset" | "token">) =>
  assetKey(network, { asset, tokenAddress: token });

/** Null: it could not be read, or an entry without a name may be it; undefined: it is not named. */
export function amountIn(figures: readonly Figure[] | null, key: SumKey): string | null | undefined {
  if (figures === null) return null;
  const isIt = ({ asset, token, part }: Figure) =>
    part === key.part &&
    ((asset === key.asset && token === key.token) || assetOf({ network: key.network, asset, token }) === assetOf(key));
  const own = figures.find(isIt);
  if (own !== undefined) return own.amount;
  return figures.some(({ asset, token }) => asset === "" && token === "") ? null : undefined;
}

type Reading = Pick<typeof positionReading.$inferSelect, "subject" | "figures" | "readAt">;

type Days = { key: SumKey; day: string };

export async function readingsOn(store: Db, tenant: string, { key, day }: Days): Promise<Reading[]> {
  const { subject, figures, readAt, network, kind } = positionReading;
  return store
    .select({ subject, figures, readAt })
    .from(positionReading)
    .where(
      and(
        eq(positionReading.tenant, tenant),
        eq(positionReading.day, day),
        eq(network, key.network),
        eq(kind, key.kind),
      ),
    )
    .orderBy(subject);
}

type MovementRow = typeof chainMovement.$inferSelect;

type Period = { network: string; ids: readonly string[]; after: Date; until: Date };

async function movementsOf(store: Db, tenant: string, { network, ids, after, until }: Period): Promise<MovementRow[]> {
  const known = NETWORKS.find((name) => name === network);
  if (known === undefined || ids.length === 0) return [];
  return store
    .select()
    .from(chainMovement)
    .where(
      and(
        eq(chainMovement.tenant, tenant),
        inArray(chainMovement.walletId, [...ids]),
        eq(chainMovement.network, known),
        gt(chainMovement.at, after),
        lte(chainMovement.at, until),
        isNull(chainMovement.droppedAt),
      ),
    )
    .orderBy(chainMovement.at, chainMovement.key, chainMovement.ordinal);
}

type OfKey = { entries: ChangeEntry[]; untold: number };

const isNative = ({ network, asset, token }: SumKey) =>
  NETWORKS.some((name) => name === network && isCoin(name, { asset, tokenAddress: token }));

/** What of these moved this asset: those that are confirmed alone, and what they cost in the network's coin. */
function entriesOf(rows: readonly MovementRow[], key: SumKey, hasNoToken: boolean): OfKey {
  const found: OfKey = { entries: [], untold: 0 };
  const counted = rows.filter((row) => movementState(row) === "confirmed" && isDecimal(row.amount));
  const fees = paidFees(counted);
  for (const row of counted) {
    const direction = movementDirection(row.subtype);
    const { asset } = movedAsset(row, hasNoToken);
    const at = row.at.toISOString();
    const isUntold = row.tokenAddress === null && asset === null;
    const isIt = assetKey(row.network, { asset: asset ?? "", tokenAddress: row.tokenAddress }) === assetOf(key);
    if (isUntold) found.untold += 1;
    else if (isIt && direction !== null) found.entries.push({ as: direction, at, amount: row.amount, hash: row.hash });
    const fee = fees.get(row);
    if (fee !== undefined && isNative(key)) found.entries.push({ as: "fee", at, amount: fee, hash: row.hash });
  }
  return found;
}

function rowsByWallet(rows: readonly MovementRow[]): Map<string | null, MovementRow[]> {
  const byWallet = new Map<string | null, MovementRow[]>();
  for (const row of rows) {
    const others = byWallet.get(row.walletId);
    if (others === undefined) byWallet.set(row.walletId, [row]);
    else others.push(row);
  }
  return byWallet;
}

const signed = ({ as, amount }: ChangeEntry) => (as === "in" ? unitsOf(amount) : -unitsOf(amount));
const sumOf = (entries: readonly ChangeEntry[]) => entries.reduce((sum, one) => sum + signed(one), 0n);

const walletIdOf = (subject: string) => (subject.startsWith("wallet:") ? subject.slice("wallet:".length) : null);

const namesNoToken = (figures: readonly Figure[] | null) =>
  figures !== null && figures.every(({ token }) => token === "");

type Compared = Days & { against: string };

type Two = { subject: string; now: Reading | null; before: Reading | null };

const SHOWN_ENTRIES = 20;

async function startOf(store: Db, tenant: string, day: string) {
  const [row] = await store
    .select({ startedAt: positionRound.startedAt, finishedAt: positionRound.finishedAt })
    .from(positionRound)
    .where(and(eq(positionRound.tenant, tenant), eq(positionRound.day, day)));
  return { at: row?.startedAt ?? civilInstant(`${day}T00:00`), isOver: row !== undefined && row.finishedAt !== null };
}

/** Of what a whole day does not list nothing was held. */
function heldOn(reading: Reading | null, isOver: boolean, key: SumKey): string | null {
  if (reading === null) return isOver ? "0" : null;
  const held = amountIn(reading.figures, key);
  return held === undefined ? "0" : held;
}

function sizeOf({ difference }: ChangedPart): bigint {
  const units = unitsOf(difference ?? "0");
  return units < 0n ? -units : units;
}

/** The accounts and wallets whose share of a sum differs between two days, the largest difference first. */
export async function readChange(store: Db, tenant: string, { key, day, against }: Compared): Promise<ChangedPart[]> {
  const [now, before, start, startThen] = await Promise.all([
    readingsOn(store, tenant, { key, day }),
    readingsOn(store, tenant, { key, day: against }),
    startOf(store, tenant, day),
    startOf(store, tenant, against),
  ]);
  const both = new Map<string, Two>();
  for (const one of now) both.set(one.subject, { subject: one.subject, now: one, before: null });
  for (const one of before)
    both.set(one.subject, { subject: one.subject, now: both.get(one.subject)?.now ?? null, before: one });
  const differing = [...both.values()].flatMap((two) => {
    const held = heldOn(two.now, start.isOver, key);
    const heldThen = heldOn(two.before, startThen.isOver, key);
    if (held !== null && held === heldThen) return [];
    const difference = differenceOf(held, heldThen);
    return difference !== null && isZero(difference) ? [] : [{ ...two, difference }];
  });
  const ofTimes = ({ now: one, before: other }: Two) => {
    const at = [one?.readAt ?? start.at, other?.readAt ?? startThen.at].toSorted((a, b) => a.getTime() - b.getTime());
    return { after: at[0] ?? start.at, until: at[1] ?? start.at };
  };
  const times = differing.flatMap((two) => Object.values(ofTimes(two)));
  const rows = await movementsOf(store, tenant, {
    network: key.network,
    ids: differing.flatMap(({ subject }) => walletIdOf(subject) ?? []),
    after: new Date(Math.min(...times.map(Number))),
    until: new Date(Math.max(...times.map(Number))),
  });
  const byWallet = rowsByWallet(rows);
  const sign = against > day ? -1n : 1n;
  const parts = differing.map((two): ChangedPart => {
    const { after, until } = ofTimes(two);
    const moved = byWallet.get(walletIdOf(two.subject)) ?? [];
    const own = moved.filter(({ at }) => at > after && at <= until);
    const hasNoToken = namesNoToken(two.now?.figures ?? []) && namesNoToken(two.before?.figures ?? []);
    const { entries, untold } = entriesOf(own, key, hasNoToken);
    const { difference } = two;
    const explained = sign * sumOf(entries);
    const isUnexplained = difference === null || explained === 0n;
    return {
      subject: two.subject,
      difference,
      entries: entries.slice(0, SHOWN_ENTRIES),
      left: Math.max(0, entries.length - SHOWN_ENTRIES),
      untold,
      unexplained: isUnexplained ? difference : decimalOf(unitsOf(difference) - explained),
    };
  });
  const sized = parts.map((part) => ({ part, size: sizeOf(part) }));
  return sized
    .toSorted((one, other) => Number(one.size < other.size) - Number(one.size > other.size))
    .map(({ part }) => part);
}

type FlowWanted = Days & { from: string };

/** What came in and went out of a sum's wallets on each day, as far as their chains tell it. */
export async function readFlow(store: Db, tenant: string, { key, day, from }: FlowWanted): Promise<SumFlow> {
  const readings = await readingsOn(store, tenant, { key, day });
  const noToken = new Map(readings.map(({ subject, figures }) => [walletIdOf(subject), namesNoToken(figures)]));
  const rows = await movementsOf(store, tenant, {
    network: key.network,
    ids: [...noToken.keys()].flatMap((id) => id ?? []),
    after: civilInstant(`${from}T00:00`),
    until: new Date(),
  });
  const flow: SumFlow = { days: [], untold: 0 };
  const byDay = new Map<string, { in: bigint; out: bigint }>();
  for (const [walletId, own] of rowsByWallet(rows)) {
    const { entries, untold } = entriesOf(own, key, noToken.get(walletId) === true);
    flow.untold += untold;
    for (const one of entries) {
      const on = civilDay(new Date(one.at));
      const had = byDay.get(on) ?? { in: 0n, out: 0n };
      const side = one.as === "in" ? "in" : "out";
      byDay.set(on, { ...had, [side]: had[side] + unitsOf(one.amount) });
    }
  }
  const days = [...byDay].toSorted(([one], [other]) => (one < other ? -1 : 1));
  flow.days = days.map(([on, sums]): DayFlow => ({ day: on, in: decimalOf(sums.in), out: decimalOf(sums.out) }));
  return flow;
}
