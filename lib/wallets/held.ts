import type { BalanceEntry, Network } from "@/lib/contract/crypto";

const NATIVE_DIGITS: Readonly<Record<Network, number>> = {
  ETHEREUM: 9,
  POLYGON: 11,
  BSC: 9,
  BITCOIN: 8,
  TRON: 12,
  SOLANA: 9,
  XRPL: 12,
};
const TOKEN_DIGITS = 15;
const LEAST_DIGITS_AFTER = 5;
const DECIMALS_MAX = 40;

type Entry = Pick<BalanceEntry, "balance" | "decimals" | "tokenAddress">;

/** `other`: what it is as well if the provider means its other reading; null where only one can be. */
export type Held = { balance: string; decimals: number | null; other: string | null };

const wholeIn = (balance: string): string | null => (/^\d+$/.test(balance) ? balance.replace(/^0+(?=\d)/, "") : null);

function scaled(whole: string, decimals: number): string {
  const digits = whole.padStart(decimals + 1, "0");
  let end = digits.length;
  while (end > digits.length - decimals && digits.charAt(end - 1) === "0") end -= 1;
  const fraction = digits.slice(digits.length - decimals, end);
  const units = digits.slice(0, digits.length - decimals);
  return fraction === "" ? units : `${units}.${fraction}`;
}

type Meaning = "units" | "smallest" | "either";

function meaningOf(network: Network, { balance, decimals, tokenAddress }: Entry): Meaning {
  const whole = wholeIn(balance);
  if (whole === null || whole === "0" || decimals === null) return "units";
  const most = tokenAddress === undefined || tokenAddress === "" ? NATIVE_DIGITS[network] : TOKEN_DIGITS;
  if (whole.length > most && whole.length - decimals <= most) return "smallest";
  return whole.length > decimals - LEAST_DIGITS_AFTER ? "either" : "units";
}

const decimalsOf = ({ decimals }: Entry): number | null =>
  typeof decimals === "number" && Number.isInteger(decimals) && decimals > 0 && decimals <= DECIMALS_MAX
    ? decimals
    : null;

/** In units, as the interface says; some pass on smallest ones. Where one entry shows which, the others of the answer are so. */
export function heldIn<T extends Entry>(network: Network, entries: readonly T[]): (T & Held)[] {
  const read = entries.map((entry) => ({ ...entry, decimals: decimalsOf(entry) }));
  const meanings = read.map((entry) => meaningOf(network, entry));
  const hasFraction = read.some(({ balance, decimals }) => decimals !== null && /^\d+\.\d+$/.test(balance));
  const isRaw = !hasFraction && meanings.includes("smallest");
  return read.map((entry, at) => {
    const { balance, decimals } = entry;
    const meaning = meanings[at];
    const inUnits = { ...entry, balance, decimals, other: null };
    if (decimals === null || wholeIn(balance) === null) return inUnits;
    const smallest = scaled(wholeIn(balance) ?? balance, decimals);
    if (meaning === "smallest" || isRaw) return { ...inUnits, balance: smallest };
    return meaning === "either" && !hasFraction ? { ...inUnits, other: smallest } : inUnits;
  });
}
