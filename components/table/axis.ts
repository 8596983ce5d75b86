import { decimalOf, unitsOf } from "@/lib/text/decimal";

const STEPS = 10_000n;
const FEWEST_STEPS = 3n;

export type Axis = { low: bigint; high: bigint; step: bigint };

const floorTo = (units: bigint, step: bigint) => {
  const rest = units % step;
  return rest < 0n ? units - rest - step : units - rest;
};

/** The smallest of 1, 2, 5 and 10 times a power of ten that is not less. */
function niceStep(least: bigint): bigint {
  const power = 10n ** BigInt(String(least).length - 1);
  return [1n, 2n, 5n, 10n].map((times) => times * power).find((step) => step >= least) ?? least;
}

/**
 * From 0, or from below the lowest amount where none is less than half of the highest. `finest`: no step is smaller,
 * as counts have no halves.
 */
export function axisOf(amounts: readonly string[], finest = "0"): Axis {
  const units = amounts.map(unitsOf);
  const least = units.reduce((low, one) => (one < low ? one : low), units[0] ?? 0n);
  const most = units.reduce((high, one) => (one > high ? one : high), units[0] ?? 0n);
  const isHigh = least !== most && least > 0n && least * 2n >= most;
  const from = isHigh || least < 0n ? least : 0n;
  const to = most < 0n ? 0n : most;
  if (from === to) return { low: 0n, high: 0n, step: 1n };
  const wanted = niceStep((to - from + FEWEST_STEPS - 1n) / FEWEST_STEPS);
  const smallest = unitsOf(finest);
  const step = wanted < smallest ? smallest : wanted;
  return { low: floorTo(from, step), high: floorTo(to + step - 1n, step), step };
}

/** What the lines across stand for, the highest first. */
export function ticksOf({ low, high, step }: Axis): string[] {
  const ticks: string[] = [];
  for (let at = high; at >= low; at -= step) ticks.push(decimalOf(at));
  return ticks;
}

const partOf = ({ low, high }: Axis, units: bigint) =>
  low === high ? 0 : Number((units * STEPS) / (high - low)) / Number(STEPS);

/** How much of the axis an amount spans, where the whole is 1. */
export const shareOf = (axis: Axis, amount: string): number => partOf(axis, unitsOf(amount));

/** How much of the axis lies above 0, and how much below. */
export const sidesOf = (axis: Axis) => ({ up: partOf(axis, axis.high), down: partOf(axis, -axis.low) });

/** How far an amount stands from the foot of the axis. */
export const heightOf = (axis: Axis, amount: string): number => partOf(axis, unitsOf(amount) - axis.low);
