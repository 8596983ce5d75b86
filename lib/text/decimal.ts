/** More decimals than a number in an answer can have. */
const SCALE = 160;

/** An exact decimal such as `-1.30` in its smallest units, for sums and comparisons. */
export function unitsOf(decimal: string): bigint {
  const [whole = "0", fraction = ""] = decimal.replace("-", "").split(".");
  const units = BigInt(`${whole}${fraction.padEnd(SCALE, "0")}`);
  return decimal.startsWith("-") ? -units : units;
}

/** The decimal for that many units, with at least two decimals. */
export function decimalOf(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(SCALE + 1, "0");
  const whole = digits.slice(0, -SCALE);
  const fraction = digits.slice(-SCALE);
  let end = SCALE;
  while (end > 2 && fraction[end - 1] === "0") end -= 1;
  return `${units < 0n ? "-" : ""}${whole}.${fraction.slice(0, end)}`;
}

/** Exact while both together have no more decimals than `SCALE`. */
export const productOf = (one: string, other: string): string =>
  decimalOf((unitsOf(one) * unitsOf(other)) / 10n ** BigInt(SCALE));

const CENT = 10n ** BigInt(SCALE - 2);

/** To the nearest cent, halves away from zero. */
export function roundToCents(decimal: string): string {
  const units = unitsOf(decimal);
  const half = units < 0n ? -CENT / 2n : CENT / 2n;
  return decimalOf(((units + half) / CENT) * CENT);
}
