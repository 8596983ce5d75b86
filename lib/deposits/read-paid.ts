import { and, desc, eq, inArray, type SQL } from "drizzle-orm";
import { z } from "zod";
import { record } from "@/lib/audit/record";
import { familyOf } from "@/lib/contract/addresses";
import { CHAIN_FAMILIES } from "@/lib/contract/crypto";
import { addressKey, tokenKey } from "@/lib/contract/identity";
import { isStorable } from "@/lib/contract/shared";
import { type Db, db } from "@/lib/db/connection";
import { lookupHashes } from "@/lib/db/seal";
import { deposit, depositNotice } from "@/lib/db/tables/deposits";
import { chainMovement, chainReading, hashKey } from "@/lib/db/tables/wallets";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { can } from "@/lib/permission/permission";
import { allowancesFor } from "@/lib/provider/allowance";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { isDecimal } from "@/lib/text/format";
import { glanceAtHistory, type Glanced } from "@/lib/wallets/look-up";
import { addressesOf, movementState, publicLink, type StoredMovement } from "@/lib/wallets/records";
import { movementDirection } from "@/lib/wallets/view";
import {
  askedIn,
  type FoundArrival,
  type FoundExpectation,
  type Findings,
  judgePayment,
  type Judgement,
  type PlannedRead,
  planReads,
} from "./ask-paid";
import type { AddressKey } from "./cash-in";
import {
  findAsked,
  isOfHashes,
  isOfReference,
  movementsOf,
  placesToRead,
  readOwn,
  readTokens,
  type Subject,
  wasSentHere,
} from "./find-asked";
import { keepDeposits } from "./keep";
import { selectRows } from "./list";
import { isThere, sumsOf } from "./paid-tally";
import {
  MOST_CALLS,
  type PaidAnswer,
  type PaidDeposit,
  type PaidFacts,
  type PaidRead,
  type PaidTally,
  PAID_TEXT_MAX,
  type ReadState,
} from "./paid-view";
import { catchUp } from "./watch";

type Asker = Actor<"deposits:ask">;

/** Cut where it was copied, or longer than anything that has its beginning. */
const isCut = (text: string): boolean => {
  const [word = "", ...more] = text.trim().split(/\s+/);
  if (more.length > 0) return false;
  return /…|\.\.\./.test(word) || (/^0x[\da-f]+$/i.test(word) && ![42, 66].includes(word.length));
};

export const PaidQuestion = z.strictObject({
  text: z
    .string()
    .trim()
    .min(1, { error: "is required" })
    .max(PAID_TEXT_MAX)
    .refine(isStorable, { params: { code: "characters" } })
    .refine((text) => !isCut(text), { params: { code: "not-whole" } }),
});

type Outcome = { read: PlannedRead; outcome: Glanced };

/** Each place's queries one after the other, places beside each other. */
async function readAll(actor: Asker, reads: readonly PlannedRead[]): Promise<{ outcomes: Outcome[]; calls: number }> {
  const allowances = allowancesFor(reads.length, MOST_CALLS);
  const places = [...new Set(reads.map(({ place }) => place))];
  const outcomes = await Promise.all(
    places.map(async (place): Promise<Outcome[]> => {
      const [everything, ...others] = reads.filter((read) => read.place === place);
      if (everything === undefined) return [];
      const glanced = await glanceAtHistory(actor, place, [
        { token: null, allowance: allowances.next() },
        ...others.map(({ token }) => ({ token, allowance: allowances.next() })),
      ]);
      return [everything, ...others].flatMap((read, nth) => {
        const outcome = glanced[nth];
        return outcome === undefined ? [] : [{ read, outcome }];
      });
    }),
  );
  return { outcomes: outcomes.flat(), calls: allowances.used() };
}

function stateOf(outcome: Glanced): Pick<PaidRead, "state" | "until"> {
  if (!(outcome instanceof AppError)) return { state: outcome === "whole" ? "read" : "part", until: null };
  const { kind, details } = outcome;
  if (kind === "unavailable") return { state: "silent", until: null };
  if (kind !== "rate-limited") return { state: "refused", until: null };
  const { retryAfterMs } = details;
  return {
    state: "put-off",
    until: retryAfterMs === undefined ? null : new Date(Date.now() + retryAfterMs).toISOString(),
  };
}

const isRead = ({ state }: Pick<PaidRead, "state">) => state === "read" || state === "part";

/** With the time of each query's last answer, which a failure leaves as it was. */
async function describeReads(
  store: Db,
  tenant: string,
  all: readonly { read: PlannedRead; state: ReadState; until: string | null }[],
): Promise<PaidRead[]> {
  const ids = [...new Set(all.map(({ read }) => read.place.walletId))];
  const readings =
    ids.length === 0
      ? []
      : await store
          .select()
          .from(chainReading)
          .where(and(eq(chainReading.tenant, tenant), inArray(chainReading.walletId, ids)));
  return all.map(({ read: { place, token }, state, until }) => {
    const key = tokenKey(place.network, token?.address);
    const reading = readings.find(
      ({ walletId, network, tokenAddress }) =>
        walletId === place.walletId && network === place.network && tokenKey(network, tokenAddress) === key,
    );
    return {
      address: place.address,
      network: place.network,
      asset: token === null ? null : (token.asset ?? token.address),
      state,
      asOf: reading?.asOf?.toISOString() ?? null,
      until,
    };
  });
}

const MOST_ROWS = 50;
type Row = Awaited<ReturnType<typeof selectRows>>[number];

const keysIn = (subject: Subject): string[] => [
  ...subject.known.map((one) => one.addressKey),
  ...subject.foreign.flatMap((address) => CHAIN_FAMILIES.map((family) => addressKey(family, address))),
];

/** Rows of what was asked, arrivals by the most precise of it. */
async function readRows(store: Db, actor: Asker, subject: Subject): Promise<{ arrivals: Row[]; expected: Row[] }> {
  const { tenant } = actor;
  const isArrival = eq(deposit.kind, "arrival");
  const of = async (where: SQL | undefined) => selectRows(store, actor, and(isArrival, where), MOST_ROWS);
  const arrivalsOf = async (): Promise<Row[]> => {
    if (subject.kind === "hash") return ofHash(store, tenant, subject.hashes, of);
    const keys = keysIn(subject);
    if (subject.kind === "reference" && subject.reference !== null) return of(isOfReference(subject.reference));
    return keys.length === 0 ? [] : of(inArray(deposit.addressKey, [...new Set(keys)]));
  };
  const arrivals = await arrivalsOf();
  const references = [
    ...[subject.reference, ...subject.known.map((one) => one.reference)].flatMap((one) => one ?? []),
    ...arrivals.flatMap(({ row }) => row.reference ?? []),
  ];
  const hashes = [...new Set(references)].flatMap(lookupHashes);
  const isExpected = and(eq(deposit.kind, "expected"), inArray(deposit.referenceHash, hashes));
  const expected = hashes.length === 0 ? [] : await selectRows(store, actor, isExpected, MOST_ROWS);
  return { arrivals, expected };
}

/** Of the transaction itself, or of the sweep that it is. */
async function ofHash(
  store: Db,
  tenant: string,
  hashes: readonly string[],
  read: (where: SQL | undefined) => Promise<Row[]>,
): Promise<Row[]> {
  const movements = (await movementsOf(store, tenant, hashes)).filter(isIncoming);
  const places = new Set(movements.map(({ walletId, key }) => `${walletId} ${key}`));
  const own = await read(isOfHashes(hashes));
  const ids = [...new Set(movements.map(({ walletId }) => walletId))];
  if (own.length > 0 || ids.length === 0) return own;
  const keys = movements.map(({ network, counterAddress }) => addressKey(familyOf(network), counterAddress));
  const isSwept = and(inArray(deposit.sweepWalletId, ids), inArray(deposit.addressKey, keys));
  const isOfIt = ({ stored: { evidence } }: Row) =>
    evidence?.sweep != null && places.has(`${evidence.sweep.walletId} ${evidence.sweep.key}`);
  return (await read(isSwept)).filter(isOfIt);
}

const isIncoming = ({ subtype }: StoredMovement) => movementDirection(subtype) === "in";
const isGone = (row: StoredMovement) => ["dropped", "failed"].includes(movementState(row));

const toArrival = ({ row, stored }: Row): FoundArrival => ({
  id: row.id,
  reference: row.reference,
  network: row.network,
  amount: row.amount,
  token: stored.token,
  asset: row.asset,
  at: stored.at,
  stage: row.stage,
  hasEvent: (stored.evidence?.notices ?? []).length > 0,
  expectedId: stored.expectedId,
});

const toExpectation = ({ row, stored: { asset, seenAt } }: Row): FoundExpectation => ({
  id: row.id,
  amount: row.amount,
  network: row.network,
  asset,
  typedAt: seenAt,
  isOpen: row.class !== null,
});

/** Addresses of ours at which what was read may have brought something about. */
async function touchedBy(store: Db, tenant: string, { known, hashes }: Subject): Promise<AddressKey[]> {
  const movements = hashes.length === 0 ? [] : await movementsOf(store, tenant, hashes);
  const ids = [...new Set(movements.map(({ walletId }) => walletId))];
  const at = ids.length === 0 ? new Map<string, string>() : await addressesOf(store, tenant, ids);
  const counterparties = movements.map(({ counterAddress }) => counterAddress);
  const moved = await readOwn(store, tenant, [...at.values(), ...counterparties]);
  return [...known, ...moved];
}

const newestOf = (store: Db, tenant: string, walletIds: readonly string[]): Promise<StoredMovement[]> =>
  store
    .select()
    .from(chainMovement)
    .where(and(eq(chainMovement.tenant, tenant), inArray(chainMovement.walletId, [...walletIds])))
    .orderBy(desc(chainMovement.at))
    .limit(MOST_ROWS);

type Elsewhere = { what: Findings["elsewhere"]; movement: StoredMovement | null };

/** What deposits do not tell: of wallets that are no checkout addresses, and of what left. */
async function readElsewhere(store: Db, tenant: string, { kind, hashes, known }: Subject): Promise<Elsewhere> {
  const ids = known.filter(({ isCheckout }) => !isCheckout).flatMap(({ walletIds }) => walletIds);
  const isHash = kind === "hash";
  if (!isHash && (kind !== "address" || ids.length === 0)) return { what: null, movement: null };
  const movements = isHash ? await movementsOf(store, tenant, hashes) : await newestOf(store, tenant, ids);
  const arrived = movements.find((one) => isIncoming(one) && !isGone(one));
  if (arrived !== undefined) return { what: "own-wallet", movement: arrived };
  const movement = movements.find((one) => !isIncoming(one)) ?? movements[0];
  const state = movement === undefined || !isIncoming(movement) ? null : movementState(movement);
  if (isHash && movement !== undefined && (state === "dropped" || state === "failed")) return { what: state, movement };
  if (isHash && (movement !== undefined || (await wasSentHere(store, tenant, hashes))))
    return { what: "left", movement: movement ?? null };
  return { what: null, movement: null };
}

const UNKNOWN: PaidFacts = {
  amount: null,
  asset: null,
  network: null,
  at: null,
  hash: null,
  explorer: null,
  reference: null,
  standing: null,
  cause: null,
  expected: null,
  difference: null,
};

const difference = (one: string, other: string): string | null => {
  if (!isDecimal(one) || !isDecimal(other)) return null;
  const units = unitsOf(one) - unitsOf(other);
  return decimalOf(units < 0n ? -units : units);
};

function factsOf(tenant: string, judged: Judgement, rows: readonly Row[], movement: StoredMovement | null): PaidFacts {
  const rowOf = (id: string | undefined) => rows.find(({ row }) => row.id === id)?.row;
  const wanted = rowOf(judged.expected?.id);
  const expected =
    wanted === undefined ? null : { amount: wanted.amount, asset: wanted.asset, network: wanted.network };
  const arrived = rowOf(judged.arrival?.id);
  if (arrived !== undefined) {
    const { amount, asset, network, at, hash, explorer, reference, class: standing, cause } = arrived;
    const apart = expected === null ? null : difference(amount, expected.amount);
    return { amount, asset, network, at, hash, explorer, reference, standing, cause, expected, difference: apart };
  }
  if (movement === null) return { ...UNKNOWN, expected, reference: wanted?.reference ?? null };
  const { amount, asset, network, hash, at, isDated } = movement;
  const seenAt = isDated ? at.toISOString() : null;
  return { ...UNKNOWN, amount, asset, network, hash, at: seenAt, explorer: publicLink(tenant, network, hash) };
}

async function describeDeposits(store: Db, { tenant, roles }: Asker, rows: readonly Row[]): Promise<PaidDeposit[]> {
  const identities = rows.flatMap(({ stored }) => stored.evidence?.notices ?? []);
  const notices =
    identities.length === 0
      ? []
      : await store
          .select({ identity: depositNotice.identity, receivedAt: depositNotice.receivedAt })
          .from(depositNotice)
          .where(and(eq(depositNotice.tenant, tenant), inArray(depositNotice.identity, identities)));
  const mayOpen = can(roles, "wallets:read");
  return rows.map(({ row, stored }) => {
    const told = notices.filter(({ identity }) => stored.evidence?.notices.includes(identity) === true);
    const [first] = told.map(({ receivedAt }) => receivedAt.toISOString()).toSorted();
    // Whose it is and what was noted on it are for those who may open it.
    const shown = mayOpen ? row : { ...row, owner: null, reason: null, note: null };
    return { row: shown, eventAt: first ?? null, href: mayOpen ? `/deposits/${row.id}` : null };
  });
}

/** What was expected and has arrived stands among the arrivals. */
const stillOpen = (expected: readonly Row[]) => expected.filter(({ row }) => row.class !== null);

type Said = Record<"arrivals" | "expected", readonly Row[]> & { judged: Judgement };

/** Of several deposits, or of one that the verdict is not about. */
function tallyOf({ kind, reference }: Subject, { arrivals, expected, judged }: Said): PaidTally | null {
  const there = arrivals.map(({ row }) => row).filter(isThere);
  const isAll = there.every(({ id }) => id === judged.arrival?.id);
  if (kind === "hash" || isAll) return null;
  const open = stillOpen(expected).map(({ row: { id, amount, asset } }) => ({ id, amount, asset }));
  const isSaid = judged.arrival === null && open.every(({ id }) => id === judged.expected?.id);
  return {
    reference: kind === "reference" ? reference : null,
    count: there.length,
    isPart: arrivals.length === MOST_ROWS,
    sums: sumsOf(there),
    expected: isSaid ? [] : open.map(({ amount, asset }) => ({ amount, asset })),
  };
}

async function isFromOwn(store: Db, tenant: string, { hash, network }: PaidFacts): Promise<boolean> {
  if (hash === null || network === null) return false;
  const isIts = and(
    eq(chainMovement.tenant, tenant),
    eq(chainMovement.network, network),
    eq(hashKey(chainMovement.hash), hash.toLowerCase().replace(/^0x/, "")),
    eq(chainMovement.isOwn, true),
  );
  const rows = await store.select({ subtype: chainMovement.subtype }).from(chainMovement).where(isIts);
  return rows.some(({ subtype }) => movementDirection(subtype) === "in");
}

const MOST_LISTED = 10;
const MOST_UNREAD = 20;

const unlistedAt = (address: string): PaidRead => ({
  address,
  network: null,
  asset: null,
  state: "unlisted",
  asOf: null,
  until: null,
});

function unlistedOf({ known, foreign, isListWhole }: Subject): PaidRead[] {
  const ours = known.filter(({ walletIds }) => walletIds.length === 0).map(({ address }) => unlistedAt(address));
  return [...ours, ...(isListWhole ? [] : foreign.map(unlistedAt))];
}

/** Reads what it is about within twelve calls, keeps that as any reading, and says in one sentence what is known of it. */
export async function askPaid(actor: Asker, { text }: z.output<typeof PaidQuestion>): Promise<PaidAnswer> {
  const { tenant, id: by } = actor;
  const store = await db();
  const asked = askedIn(text);
  const before = await findAsked(store, tenant, asked);
  const known = await readRows(store, actor, before);
  const open = stillOpen(known.expected).map(({ stored }) => stored);
  const places = await placesToRead(store, tenant, before, open);
  const networks = [...new Set(places.map(({ network }) => network))];
  const tokens = await readTokens(store, tenant, networks, [...open, ...known.arrivals.map(({ stored }) => stored)]);
  const { reads, leftOut } = planReads(places, tokens);
  const [txHash = null] = asked.hashes;
  const onRecord = { tenant, actor: by, code: "deposits.ask" } as const;
  const [first] = places;
  const object = first === undefined ? {} : { object: `wallet:${first.walletId}` };
  await record(store, { ...onRecord, ...object, outcome: "INTENT", detail: { asked: before.kind, txHash } });

  const { outcomes, calls } = await readAll(actor, reads);
  const subject = await findAsked(store, tenant, asked);
  await keepDeposits(store, tenant, { keys: await touchedBy(store, tenant, subject) }, await catchUp(store, tenant));
  const { arrivals, expected } = await readRows(store, actor, subject);
  const elsewhere = await readElsewhere(store, tenant, subject);
  const all = [
    ...outcomes.map(({ read, outcome }) => ({ read, ...stateOf(outcome) })),
    ...leftOut.map((read) => ({ read, state: "left-out" as const, until: null })),
  ];
  const unlisted = unlistedOf(subject);
  const judged = judgePayment({
    subject: subject.kind,
    reference: subject.reference,
    arrivals: arrivals.map(toArrival),
    expected: expected.map(toExpectation),
    elsewhere: elsewhere.what,
    reads: [...all, ...unlisted],
  });
  const { verdict, arrival } = judged;
  const about = arrival === null ? object : { object: `deposit:${arrival.id}` };
  await record(store, { ...onRecord, ...about, outcome: "DONE", detail: { verdict, calls } });

  const listed = [
    ...all.filter(({ state }) => state !== "left-out"),
    ...all.filter(({ state }) => state === "left-out"),
  ];
  const shown = listed.slice(0, Math.max(MOST_UNREAD, outcomes.length));
  const address = arrivals.find(({ row }) => row.id === arrival?.id)?.row.address ?? null;
  const isAt = ({ place }: PlannedRead) =>
    place.address === address && (arrival?.network === null || place.network === arrival?.network);
  const isReadNow = all.some((one) => isAt(one.read) && isRead(one));
  const facts = factsOf(tenant, judged, [...arrivals, ...expected], elsewhere.movement);
  return {
    verdict,
    tally: tallyOf(subject, { arrivals, expected, judged }),
    isHandler: can(actor.roles, "wallets:label"),
    unfound: verdict === "hash-nowhere" ? [] : subject.unfound,
    facts,
    isFromOwn: arrival !== null && (await isFromOwn(store, tenant, facts)),
    isFromBefore: arrival !== null && places.length > 0 && !isReadNow,
    deposits: await describeDeposits(store, actor, [...arrivals, ...stillOpen(expected)].slice(0, MOST_LISTED)),
    reads: [...(await describeReads(store, tenant, shown)), ...unlisted],
    moreUnread: listed.length - shown.length,
    calls,
    asOf: new Date().toISOString(),
  };
}
