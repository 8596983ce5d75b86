import { type Axis, axisOf, heightOf } from "./axis";

/** `unread`: how many are not in the amount. */
export type PlotPoint = { day: string; amount: string; unread: number };

export const HEIGHT = 100;

const isWhole = ({ unread }: PlotPoint) => unread === 0;

export const axisOfPoints = (points: readonly PlotPoint[]): Axis => axisOf(points.map(({ amount }) => amount));

export type Placed = PlotPoint & { x: number; y: number };

/** Each day that was read at all, down from the top. */
export function placesOf(points: readonly PlotPoint[], days: readonly string[]): Placed[] {
  const axis = axisOfPoints(points);
  return points.flatMap((point) => {
    const x = days.indexOf(point.day);
    return x < 0 ? [] : [{ ...point, x, y: HEIGHT - heightOf(axis, point.amount) * HEIGHT }];
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
