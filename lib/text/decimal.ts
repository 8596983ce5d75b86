/** More decimals than a number in an answer can have. */
const SCALE = 160;

/** An exact decimal such as `-1.30`, counted in its smallest units, to add and to compare. */
export function unitsOf(decimal: string): bigint {
  const [whole = "0", fraction = ""] = decimal.replace("-", "").split(".");
  const units = BigInt(`${whole}${fraction.padEnd(SCALE, "0")}`);
  return decimal.startsWith("-") ? -units : units;
}

/** The decimal that so many units are, with two decimals at least. */
export function decimalOf(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(SCALE + 1, "0");
  const [whole, fraction] = [digits.slice(0, -SCALE), digits.slice(-SCALE)];
  let end = SCALE;
  while (end > 2 && fraction[end - 1] === "0") end -= 1;
  return `${units < 0n ? "-" : ""}${whole}.${fraction.slice(0, end)}`;
}
