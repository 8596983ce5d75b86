/** How many days figures can go back. */
export const FIGURE_DAYS = [14, 30, 90] as const;
export type FigureDays = (typeof FIGURE_DAYS)[number];

/** The days an address names; two weeks by default. */
export function readDays(value: unknown): FigureDays {
  return FIGURE_DAYS.find((days) => String(days) === value) ?? 14;
}
