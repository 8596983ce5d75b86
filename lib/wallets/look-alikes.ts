import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { addressBytes } from "@/lib/contract/address-bytes";
import { familyOf } from "@/lib/contract/addresses";
import { type ChainFamily, FAMILY_NETWORKS, type Network } from "@/lib/contract/crypto";
import type { Db, Tx } from "@/lib/db/connection";
import { chainMovement, END_LENGTH, addressEnd, wallet, walletRequest } from "@/lib/db/tables/wallets";
import { unitsOf } from "@/lib/text/decimal";
import { isDecimal } from "@/lib/text/format";
import { AppError } from "@/lib/errors/app-error";
import type { StoredMovement } from "./records";
import { ordersThatMayHaveLeft } from "./sent-order";
import { movementDirection, KNOWN_AS, LOOK_ALIKES_MAX, type LookAlike } from "./view";

const PREFIXES: Readonly<Record<ChainFamily, readonly string[]>> = {
  EVM: ["0x"],
  BTC: ["bc1q", "bc1p", "1", "3"],
  TRON: ["t"],
  SOLANA: [""],
  XRPL: ["r"],
};
function endsOf(family: ChainFamily, address: string): { first: string; last: string } {
  const text = address.toLowerCase();
  const prefix = PREFIXES[family].find((one) => text.startsWith(one)) ?? "";
  return { first: text.slice(prefix.length, prefix.length + END_LENGTH), last: text.slice(-END_LENGTH) };
}

/** Equal in the first or last four significant characters in any case, but not the same address. */
export function looksLike(family: ChainFamily, one: string, other: string): boolean {
  if (addressBytes(family, one) === addressBytes(family, other)) return false;
  const ends = endsOf(family, one);
  const others = endsOf(family, other);
  return ends.first === others.first || ends.last === others.last;
}

function hasEnds(column: AnyPgColumn, family: ChainFamily, addresses: readonly string[]): SQL | undefined {
  const ends = addresses.map((address) => endsOf(family, address));
  const begins = new Set(ends.flatMap(({ first }) => PREFIXES[family].map((prefix) => prefix + first)));
  const patterns = [...begins].map((text) => `${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
  return or(
    ...patterns.map((pattern) => sql`lower(${column}) like ${pattern}`),
    inArray(
      addressEnd(column),
      ends.map(({ last }) => last),
    ),
  );
}

type Store = Db | Tx;
type Sought = { tenant: string; family: ChainFamily; addresses: readonly string[] };

const told = (as: LookAlike["as"]) => (address: string | null) => (address === null ? [] : [{ address, as }]);

async function foundOurs(store: Store, { tenant, family, addresses }: Sought): Promise<LookAlike[]> {
  const isLike = hasEnds(wallet.address, family, addresses);
  const rows = await store
    .selectDistinct({ address: wallet.address })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), eq(wallet.family, family), isLike));
  return rows.map(({ address }) => address).flatMap(told("ours"));
}

async function foundSaved(store: Store, { tenant, family, addresses }: Sought): Promise<LookAlike[]> {
  const { address, family: of } = walletRequest;
  const isLike = and(isNotNull(address), hasEnds(address, family, addresses));
  const rows = await store
    .selectDistinct({ address })
    .from(walletRequest)
    .where(and(eq(walletRequest.tenant, tenant), eq(of, family), isLike));
  return rows.map((row) => row.address).flatMap(told("saved"));
}

async function foundOnChain(store: Store, { tenant, family, addresses }: Sought): Promise<LookAlike[]> {
  const { counterAddress, subtype, network } = chainMovement;
  const isLike = hasEnds(counterAddress, family, addresses);
  const rows = await store
    .selectDistinct({ address: counterAddress, subtype })
    .from(chainMovement)
    .where(
      and(
        eq(chainMovement.tenant, tenant),
        inArray(network, [...FAMILY_NETWORKS[family]]),
        isNull(chainMovement.droppedAt),
        isLike,
      ),
    );
  return rows.map((row) => ({
    address: row.address,
    as: movementDirection(row.subtype) === "out" ? "paid" : "history",
  }));
}

async function foundPaid(store: Store, { tenant, family }: Sought): Promise<LookAlike[]> {
  const orders = await ordersThatMayHaveLeft(store, tenant);
  return orders.filter(({ network }) => familyOf(network) === family).flatMap(({ to }) => told("paid")(to));
}

const SOURCES = [foundPaid, foundOnChain, foundOurs, foundSaved] as const;

/** Known addresses that people may mistake for this one, each once. */
export async function lookAlikesOf(
  store: Store,
  tenant: string,
  { network, to }: { network: Network; to: string },
): Promise<LookAlike[]> {
  const family = familyOf(network);
  const found: LookAlike[] = [];
  for (const source of SOURCES) found.push(...(await source(store, { tenant, family, addresses: [to] })));
  const alike = KNOWN_AS.flatMap((as) => found.filter((one) => one.as === as)).filter(({ address }) =>
    looksLike(family, to, address),
  );
  const byBytes = new Map<string, LookAlike>();
  for (const one of alike) {
    const bytes = addressBytes(family, one.address) ?? one.address;
    if (!byBytes.has(bytes)) byBytes.set(bytes, one);
  }
  return [...byBytes.values()]
    .toSorted((one, other) => one.address.localeCompare(other.address))
    .slice(0, LOOK_ALIKES_MAX);
}

type Arrival = Pick<StoredMovement, "network" | "subtype" | "counterAddress" | "amount">;

const SMALL = unitsOf("1");
const SMALL_BITCOIN = unitsOf("0.0001");

const isSmall = ({ network, amount }: Arrival) =>
  isDecimal(amount) && unitsOf(amount) <= (network === "BITCOIN" ? SMALL_BITCOIN : SMALL);

/** For each sender of a tiny amount, the paid address that it resembles. */
export async function posesOf(store: Store, tenant: string, rows: readonly Arrival[]): Promise<Map<string, string>> {
  const dust = rows.filter((row) => movementDirection(row.subtype) === "in" && isSmall(row));
  const poses = new Map<string, string>();
  for (const family of new Set(dust.map(({ network }) => familyOf(network)))) {
    const ofFamily = dust.filter(({ network }) => familyOf(network) === family);
    const addresses = [...new Set(ofFamily.map(({ counterAddress }) => counterAddress))];
    const sought = { tenant, family, addresses };
    const found = [...(await foundOnChain(store, sought)), ...(await foundPaid(store, sought))];
    const paid = found.filter(({ as }) => as === "paid");
    for (const address of addresses) {
      const like = paid.find((one) => looksLike(family, address, one.address));
      if (like !== undefined) poses.set(address, like.address);
    }
  }
  return poses;
}

/** Conflict `crypto-look-alike` for one that the person has not confirmed seeing. */
export async function requireSeen(
  tx: Tx,
  tenant: string,
  order: { network: Network; to: string; seenAlike: readonly string[] },
): Promise<void> {
  const alike = await lookAlikesOf(tx, tenant, order);
  if (alike.some(({ address }) => !order.seenAlike.includes(address)))
    throw new AppError("conflict", { code: "crypto-look-alike" });
}
