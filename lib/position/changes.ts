import { and, eq, gt, inArray, isNull, lte } from "drizzle-orm";
import { isCoin } from "@/lib/contract/coins";
import { NETWORKS } from "@/lib/contract/crypto";
import { assetKey } from "@/lib/contract/identity";
import type { Db } from "@/lib/db/connection";
import { type Figure, isInReais, type SumKey } from "@/lib/db/enums/position";
import { positionReading, positionRound } from "@/lib/db/tables/position";
import { chainMovement } from "@/lib/db/tables/wallets";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { isDecimal, isZero } from "@/lib/text/format";
import { civilDay, civilDaysAgo, civilInstant } from "@/lib/text/time";
import { movementState, paidFees } from "@/lib/wallets/records";
import { movedAsset, movementDirection } from "@/lib/wallets/view";
import { knownEntries } from "./account-entries";
import { explainBySends, readSends, sumOf } from "./sent-coins";
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

const walletIdOf = (subject: string) => (subject.startsWith("wallet:") ? subject.slice("wallet:".length) : null);

const namesNoToken = (figures: readonly Figure[] | null) =>
  figures !== null && figures.every(({ token }) => token === "");

type Compared = Days & { against: string };

type Two = { subject: string; now: Reading | null; before: Reading | null };

const SHOWN_ENTRIES = 20;

const NO_ENTRIES = { entries: [], left: 0, untold: 0, sum: "0", readUntil: null, gap: null };

async function startOf(store: Db, tenant: string, day: string) {
  const { startedAt, finishedAt, tried, total } = positionRound;
  const [row] = await store
    .select({ startedAt, finishedAt, tried, total })
    .from(positionRound)
    .where(and(eq(positionRound.tenant, tenant), eq(positionRound.day, day)));
  const isOver = row !== undefined && row.finishedAt !== null && row.tried >= row.total;
  return { at: row?.startedAt ?? civilInstant(`${day}T00:00`), isOver };
}

/** Of what a whole day does not list nothing was held. */
function heldOn(reading: Reading | null, isOver: boolean, key: SumKey): string | null {
  if (reading === null) return isOver ? "0" : null;
  const held = amountIn(reading.figures, key);
  return held === undefined ? "0" : held;
}

type Differing = Two & { difference: string | null; blocked: string | null; after: Date; until: Date };

function sizeOf({ difference }: Differing): bigint {
  const units = unitsOf(difference ?? "0");
  return units < 0n ? -units : units;
}

const bySize = (one: Differing, other: Differing) =>
  Number(sizeOf(one) < sizeOf(other)) - Number(sizeOf(one) > sizeOf(other));

async function differingIn(store: Db, tenant: string, { key, day, against }: Compared): Promise<Differing[]> {
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
  const isReais = isInReais(key.kind);
  return [...both.values()].flatMap((two): Differing[] => {
    const heldOf = (of: SumKey) =>
      [heldOn(two.now, start.isOver, of), heldOn(two.before, startThen.isOver, of)] as const;
    const [held, heldThen] = heldOf(key);
    if (held !== null && held === heldThen) return [];
    const difference = differenceOf(held, heldThen);
    if (difference !== null && isZero(difference)) return [];
    const blocked = isReais ? differenceOf(...heldOf({ ...key, part: "blocked" })) : null;
    const times = [two.now?.readAt ?? start.at, two.before?.readAt ?? startThen.at].map(Number);
    const [after, until] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
    return [{ ...two, difference, blocked, after, until }];
  });
}

const remainderOf = (difference: string | null, explained: bigint): string | null =>
  difference === null || explained === 0n ? difference : decimalOf(unitsOf(difference) - explained);

type Explaining = Compared & { differing: readonly Differing[] };

async function byMovements(store: Db, tenant: string, { key, day, against, differing }: Explaining) {
  const network = NETWORKS.find((name) => name === key.network);
  const ids = differing.flatMap(({ subject }) => walletIdOf(subject) ?? []);
  const after = new Date(Math.min(...differing.map((one) => Number(one.after))));
  const until = new Date(Math.max(...differing.map((one) => Number(one.until))));
  const period = { after, until };
  const isOfAsset = ({ asset, token }: { asset: string | null; token: string | null }) =>
    assetOf({ network: key.network, asset: asset ?? "", token: token ?? "" }) === assetOf(key);
  const [rows, sends] = await Promise.all([
    movementsOf(store, tenant, { network: key.network, ids, ...period }),
    network === undefined ? null : readSends(store, tenant, { network, walletIds: ids, isOfAsset, ...period }),
  ]);
  const byWallet = rowsByWallet(rows);
  const sign = against > day ? -1n : 1n;
  return differing.map((two): ChangedPart => {
    const { subject, difference } = two;
    const walletId = walletIdOf(subject);
    const own = (byWallet.get(walletId) ?? []).filter(({ at }) => at > two.after && at <= two.until);
    const hasNoToken = namesNoToken(two.now?.figures ?? []) && namesNoToken(two.before?.figures ?? []);
    const { entries: moved, untold } = entriesOf(own, key, hasNoToken);
    const ofWallet = sends?.get(walletId ?? "") ?? [];
    const unmoved = difference === null ? 0n : sign * unitsOf(difference) - sumOf(moved);
    const entries = [...explainBySends(unmoved, ofWallet, two), ...moved];
    return {
      subject,
      difference,
      entries: entries.slice(0, SHOWN_ENTRIES),
      left: Math.max(0, entries.length - SHOWN_ENTRIES),
      leftSum: decimalOf(sumOf(entries.slice(SHOWN_ENTRIES))),
      untold,
      blocked: null,
      readUntil: null,
      gap: null,
      unexplained: remainderOf(difference, sign * sumOf(entries)),
    };
  });
}

const refOf = (subject: string) => subject.slice("account:".length);

/** What is blocked leaves the available balance without an entry, until it is settled. */
async function byEntries(store: Db, tenant: string, { key, day, against, differing }: Explaining) {
  const isBlocked = key.part === "blocked";
  const intervals = isBlocked
    ? []
    : differing.map(({ subject, after, until }) => ({ ref: refOf(subject), after, until }));
  const known = await knownEntries(store, tenant, { intervals, most: SHOWN_ENTRIES });
  const sign = against > day ? -1n : 1n;
  return differing.map(({ subject, difference, blocked }): ChangedPart => {
    const { sum, ...told } = known.get(refOf(subject)) ?? NO_ENTRIES;
    const leftSum = decimalOf(unitsOf(sum) - sumOf(told.entries));
    const held = unitsOf(blocked ?? "0");
    const explained = isBlocked ? held : sign * unitsOf(sum) - held;
    return {
      subject,
      difference,
      blocked,
      ...told,
      leftSum,
      unexplained: remainderOf(difference, explained),
    };
  });
}

/** The accounts and wallets whose share of a sum differs between two days: the `most` with the largest difference. */
export async function readChange(
  store: Db,
  tenant: string,
  { most, ...compared }: Compared & { most: number },
): Promise<{ parts: ChangedPart[]; total: number }> {
  const all = await differingIn(store, tenant, compared);
  const differing = all.toSorted(bySize).slice(0, most);
  const explain = isInReais(compared.key.kind) ? byEntries : byMovements;
  const parts = differing.length === 0 ? [] : await explain(store, tenant, { ...compared, differing });
  return { parts, total: all.length };
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
    until: civilInstant(`${civilDaysAgo(-1, civilInstant(`${day}T12:00`))}T00:00`),
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
