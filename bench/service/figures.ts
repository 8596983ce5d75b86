/** What one round measured of one thing, a second; latencies in milliseconds where they are known. */
export type Figure = { perSecond: number; p50Ms?: number; p99Ms?: number };

/** The figures of every round, by the name of what was measured. */
export type Figures = Map<string, Figure[]>;

/** One line of the table; `of`: the name of what its rate is a share of. */
export type Row = { name: string; of?: string; goal?: number };

function median(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined).toSorted((one, other) => one - other);
  return known[Math.floor(known.length / 2)];
}

const rate = (figures: Figures, name: string) => median((figures.get(name) ?? []).map((figure) => figure.perSecond));

function share(figures: Figures, { name, of, goal }: Row): string {
  if (of === undefined) return "";
  const ratio = (rate(figures, name) ?? Number.NaN) / (rate(figures, of) ?? Number.NaN);
  const wanted = goal === undefined ? "" : ` (goal ${goal.toFixed(2)}${ratio >= goal ? ", met" : ", missed"})`;
  return `${ratio.toFixed(2)} of ${of}${wanted}`;
}

const whole = (value: number | undefined) => (value === undefined ? "" : Math.round(value).toLocaleString("en-GB"));
const milliseconds = (value: number | undefined) => value?.toFixed(2) ?? "";

function spread(rounds: readonly Figure[]): string {
  const rates = rounds.map((figure) => figure.perSecond);
  return `${whole(Math.min(...rates))}–${whole(Math.max(...rates))}`;
}

const WIDTHS = [12, 18, 10, 10];

const line = (name: string, cells: readonly string[], last: string) =>
  `${name.padEnd(28)}${cells.map((cell, index) => cell.padStart(WIDTHS[index] ?? 0)).join("")}   ${last}`.trimEnd();

/** The table: of each thing the median of its rounds, the range of them, and its share. */
export function tableOf(rows: readonly Row[], figures: Figures): string[] {
  const lines = rows.map((row) => {
    const rounds = figures.get(row.name) ?? [];
    const p50 = median(rounds.map((figure) => figure.p50Ms));
    const p99 = median(rounds.map((figure) => figure.p99Ms));
    const cells = [whole(rate(figures, row.name)), spread(rounds), milliseconds(p50), milliseconds(p99)];
    return line(row.name, cells, share(figures, row));
  });
  return [line("", ["a second", "lowest–highest", "p50 ms", "p99 ms"], "share"), ...lines];
}
