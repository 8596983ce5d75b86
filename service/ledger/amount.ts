/** A decimal string as whole base units of an asset, or null when it has more decimals than the asset. */
export function toUnits(decimal: string, decimals: number): bigint | null {
  const [whole = "", fraction = ""] = decimal.split(".");
  return fraction.length > decimals ? null : BigInt(whole + fraction.padEnd(decimals, "0"));
}

function split(units: bigint, decimals: number): { sign: string; whole: string; fraction: string } {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return { sign: units < 0n ? "-" : "", whole: digits.slice(0, point), fraction: digits.slice(point) };
}

/** Base units as a decimal string without trailing zeros: `1.5`, `0`. */
export function fromUnits(units: bigint, decimals: number): string {
  const { sign, whole, fraction } = split(units, decimals);
  const significant = /^\d*[1-9]/.exec(fraction)?.[0] ?? "";
  return significant === "" ? `${sign}${whole}` : `${sign}${whole}.${significant}`;
}

/** Cents as reais with both decimals: `10.00`. */
export function centsToReais(cents: bigint): string {
  const { sign, whole, fraction } = split(cents, 2);
  return `${sign}${whole}.${fraction}`;
}

/** Reais with at most two decimals, as the contract has checked them, in cents. */
export function reaisToCents(reais: string): bigint {
  const cents = toUnits(reais, 2);
  if (cents === null) throw new RangeError("reais have at most two decimals");
  return cents;
}
