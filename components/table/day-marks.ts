import { formatMoment, type Locale } from "@/lib/text/format";

const DATES = 3;

export function dayMarks(days: readonly string[], locale: Locale): string[] {
  const last = days.length - 1;
  const shown = Array.from({ length: DATES + 1 }, (_, nth) => days[Math.round((nth * last) / DATES)] ?? "");
  return shown.map((day) => formatMoment(day, locale).day);
}
