import type { LinePoint } from "@/lib/position/view";
import { decimalOf, unitsOf } from "@/lib/text/decimal";

export const HEIGHT = 100;
const STEPS = 10_000n;
const FEWEST_STEPS = 3n;

type Scale = { low: bigint; high: bigint; step: bigint };

const floorTo = (units: bigint, step: bigint) => {
  const rest = units % step;
  return rest < 0n ? units - rest - step : units - rest;
};

/** The smallest of 1, 2, 5 and 10 times a power of ten that is not less. */
function niceStep(least: bigint): bigint {
  const power = 10n ** BigInt(String(least).length - 1);
  return [1n, 2n, 5n, 10n].map((times) => times * power).find((step) => step >= least) ?? least;
}

/** From 0, or from below the lowest amount where none is less than half of the highest. */
function scaleOf(amounts: readonly string[]): Scale {
  const units = amounts.map(unitsOf);
  const least = units.reduce((low, one) => (one < low ? one : low), units[0] ?? 0n);
  const most = units.reduce((high, one) => (one > high ? one : high), units[0] ?? 0n);
  const isHigh = least !== most && least > 0n && least * 2n >= most;
  const from = isHigh || least < 0n ? least : 0n;
  const to = most < 0n ? 0n : most;
  if (from === to) return { low: 0n, high: 0n, step: 1n };
  const step = niceStep((to - from + FEWEST_STEPS - 1n) / FEWEST_STEPS);
  const low = floorTo(from, step);
  const high = floorTo(to + step - 1n, step);
  return { low, high, step };
}

const isWhole = ({ unread }: LinePoint) => unread === 0;

const scaleOfPoints = (points: readonly LinePoint[]) => scaleOf(points.map(({ amount }) => amount));

/** What the lines across stand for, the highest first. */
export function ticksOf(points: readonly LinePoint[]): string[] {
  const { low, high, step } = scaleOfPoints(points);
  const ticks: string[] = [];
  for (let at = high; at >= low; at -= step) ticks.push(decimalOf(at));
  return ticks;
}

export type Placed = LinePoint & { x: number; y: number };

/** Each day that was read at all, down from the top. */
export function placesOf(points: readonly LinePoint[], days: readonly string[]): Placed[] {
  const { low, high } = scaleOfPoints(points);
  const span = high - low;
  return points.flatMap((point) => {
    const x = days.indexOf(point.day);
    const share = span === 0n ? 0 : Number(((unitsOf(point.amount) - low) * STEPS) / span) / Number(STEPS);
    return x < 0 ? [] : [{ ...point, x, y: HEIGHT - share * HEIGHT }];
  });
}

/** Days in a row that were read whole: what was not read, or in part, parts the line. */
function runsOf(places: readonly Placed[]): Placed[][] {
  const runs: Placed[][] = [];
  for (const one of places.filter(isWhole)) {
    const last = runs.at(-1);
    if (last?.at(-1)?.x === one.x - 1) last.push(one);
    else runs.push([one]);
  }
  return runs;
}

export const pathOf = (places: readonly Placed[]): string =>
  runsOf(places)
    .flatMap((run) => run.map(({ x, y }, nth) => `${nth === 0 ? "M" : "L"}${x} ${y}h0`))
    .join("");

export const areaOf = (places: readonly Placed[]): string =>
  runsOf(places)
    .map((run) => `M${run[0]?.x} ${HEIGHT}${run.map(({ x, y }) => `L${x} ${y}`).join("")}L${run.at(-1)?.x} ${HEIGHT}z`)
    .join("");

/** At the foot, where no amount is read off: the sum of such a day lacks something. */
export const marksOf = (places: readonly Placed[]): string =>
  places.flatMap((one) => (isWhole(one) ? [] : [`M${one.x} ${HEIGHT}h0`])).join("");
