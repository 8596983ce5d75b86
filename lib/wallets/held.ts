import { isAboveSupply, isCoin } from "@/lib/contract/coins";
import type { BalanceEntry, Network } from "@/lib/contract/crypto";
import { amountKey, assetKey } from "@/lib/contract/identity";
import { tenantOf } from "@/lib/settings/env";
import type { CoinBalances } from "@/lib/settings/tenants-file";
import type { Doubt } from "./view";
import { withToken } from "./xrpl-token";

const DECIMALS_MAX = 40;

export type Held = { balance: string; decimals: number | null; doubt: Doubt | null };

function inUnits(whole: string, decimals: number): string {
  if (decimals === 0) return amountKey(whole);
  const digits = whole.padStart(decimals + 1, "0");
  return amountKey(`${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`);
}

const decimalsOf = ({ decimals }: BalanceEntry): number | null =>
  typeof decimals === "number" && Number.isInteger(decimals) && decimals >= 0 && decimals <= DECIMALS_MAX
    ? decimals
    : null;

/** Uses only the entry and the setting, as no entry gives another's unit. */
function readEntry<Entry extends BalanceEntry>(network: Network, entry: Entry, counted: CoinBalances): Entry & Held {
  const decimals = decimalsOf(entry);
  const isWhole = /^\d+$/.test(entry.balance);
  const isConvertible = counted === "smallest" && isWhole && decimals !== null;
  const balance = isConvertible ? inUnits(entry.balance, decimals) : entry.balance;
  const read = { ...entry, balance, decimals: decimals === 0 ? null : decimals };
  if (counted === "smallest" && !isConvertible && /[1-9]/.test(balance)) return { ...read, doubt: "no-smallest" };
  if (isCoin(network, entry) && isAboveSupply(network, balance)) return { ...read, doubt: "above-supply" };
  return { ...read, doubt: null };
}

/** A repeated entry counts once; two different balances are both shown and flagged. */
export function heldAs<Entry extends BalanceEntry>(
  counted: CoinBalances,
  network: Network,
  entries: readonly Entry[],
): (Entry & Held)[] {
  const byAsset = new Map<string, (Entry & Held)[]>();
  for (const entry of entries) {
    const key = assetKey(network, withToken(network, entry));
    const held = readEntry(network, entry, counted);
    const others = byAsset.get(key) ?? [];
    byAsset.set(key, others);
    if (!others.some((one) => amountKey(one.balance) === amountKey(held.balance))) others.push(held);
  }
  return [...byAsset.values()].flatMap((told): (Entry & Held)[] =>
    told.length === 1 ? told : told.map((one) => ({ ...one, doubt: "told-twice" })),
  );
}

export const countedIn = (tenant: string): CoinBalances => tenantOf(tenant)?.coinBalances ?? "units";

export const heldIn = <Entry extends BalanceEntry>(
  tenant: string,
  network: Network,
  entries: readonly Entry[],
): (Entry & Held)[] => heldAs(countedIn(tenant), network, entries);
