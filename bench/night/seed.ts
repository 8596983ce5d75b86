import { randomUUID } from "node:crypto";
import { BalanceEntry, type ChainFamily, type Wallet } from "@/lib/contract/crypto";
import type { Db } from "@/lib/db/connection";
import { sealDocument } from "@/lib/db/document";
import { accountReading } from "@/lib/db/tables/accounts";
import { account } from "@/lib/db/tables/customers";
import { chainReading, wallet, walletBalance, walletLabel } from "@/lib/db/tables/wallets";
import { networksOf } from "@/lib/wallets/inputs";

export const DOCUMENT = "52998224725";
const AT_ONCE = 500;
const HOUR_MS = 3_600_000;
/** The company's own, whose histories are read each minute. */
const OWN = 5;

/** Two in five are EVM; one in three forwards what it receives. */
const FAMILIES = ["EVM", "BTC", "TRON", "EVM", "SOLANA", "XRPL", "EVM", "BTC", "TRON", "EVM"] as const;

export type Listed = Pick<Wallet, "id" | "address" | "isForwardPayment"> & { network: ChainFamily };

export const walletsFor = (count: number): Listed[] =>
  Array.from({ length: count }, (_, nth) => ({
    id: `w${nth}`,
    address: `0x${nth.toString(16).padStart(40, "0")}`,
    network: FAMILIES[nth % FAMILIES.length] ?? "EVM",
    isForwardPayment: nth % 3 === 0 ? 1 : 0,
  }));

/** One in a hundred holds something else each hour. */
export function heldBy(address: string) {
  const hour = Math.floor(Date.now() / HOUR_MS);
  const balance = Number(address) % 100 === hour % 100 ? String(hour) : "1";
  return { address, asset: "COIN", decimals: 18, balance, type: "native" };
}

async function inParts<Row>(rows: readonly Row[], insert: (part: Row[]) => PromiseLike<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += AT_ONCE) await insert(rows.slice(at, at + AT_ONCE));
}

const before = (hours: number) => new Date(Date.now() - hours * HOUR_MS);

/** Everything was read in the hours before. */
export async function seedNight(db: Db, tenant: string, { count, wallets }: { count: number; wallets: Listed[] }) {
  const accounts = Array.from({ length: count }, (_, nth) => {
    const ref = randomUUID();
    const named = { accountId: `a${nth}`, branch: "0001", number: String(nth), firstSeenAt: before(9_000) };
    const document = sealDocument({ table: "account", id: ref }, DOCUMENT);
    return { ref, tenant, ...named, ...document, standing: "OPEN" as const, balance: "1.00", balanceAt: before(2) };
  });
  await inParts(accounts, (part) => db.insert(account).values(part));
  const read = accounts.map(({ ref }) => ({ tenant, accountRef: ref, fromDay: "2020-01-01", until: before(2) }));
  await inParts(read, (part) => db.insert(accountReading).values(part));
  const listed = wallets.map(({ id, address, network: family, isForwardPayment }) => {
    const named = { tenant, id, address, family, coin: "", status: "ACTIVE" };
    return { ...named, isForwardPayment: isForwardPayment === 1, createdAt: before(9_000), seenAt: before(1) };
  });
  await inParts(listed, (part) => db.insert(wallet).values(part));
  const places = wallets.flatMap(({ id, address, network: family }) => {
    const entries = [BalanceEntry.parse(heldBy(address))];
    return networksOf(family).map((network) => ({ tenant, walletId: id, network, entries }));
  });
  const at = { asOf: before(1), triedAt: before(1) };
  await inParts(places, (part) => db.insert(walletBalance).values(part.map((one) => ({ ...one, ...at }))));
  await inParts(places, (part) =>
    db
      .insert(chainReading)
      .values(part.map(({ walletId, network }) => ({ tenant, walletId, network, ...at, isWhole: true }))),
  );
  const own = wallets
    .slice(0, OWN)
    .map(({ id }) => ({ tenant, walletId: id, use: "own" as const, setBy: randomUUID(), setAt: before(9_000) }));
  await db.insert(walletLabel).values(own);
  return places.length;
}
