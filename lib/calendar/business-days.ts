import { DAY_MS } from "@/lib/text/time";

const noon = (day: string) => new Date(`${day}T12:00:00Z`);

export const dayAfter = (day: string, days = 1): string =>
  new Date(noon(day).getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** Meeus, Jones and Butcher: `yyyy-MM-dd` of Easter Sunday in the Gregorian calendar. */
function easter(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  const month = Math.floor(n / 31);
  const day = (n % 31) + 1;
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

const FIXED = [
  ["newYear", "01-01"],
  ["tiradentes", "04-21"],
  ["labour", "05-01"],
  ["independence", "09-07"],
  ["aparecida", "10-12"],
  ["allSouls", "11-02"],
  ["republic", "11-15"],
  ["christmas", "12-25"],
] as const;

const FROM_EASTER = [
  ["carnivalMonday", -48],
  ["carnivalTuesday", -47],
  ["goodFriday", -2],
  ["corpusChristi", 60],
] as const;

/** Law 14.759 of 2023. */
const CONSCIOUSNESS_SINCE = 2024;

export type NationalHoliday = (typeof FIXED)[number][0] | (typeof FROM_EASTER)[number][0] | "consciousness";

/** Days on which no bank in the country settles, each `yyyy-MM-dd`, in their order. */
export function nationalHolidays(year: number): { day: string; name: NationalHoliday }[] {
  const sunday = easter(year);
  return [
    ...FIXED.map(([name, at]) => ({ name, day: `${year}-${at}` })),
    ...(year >= CONSCIOUSNESS_SINCE ? [{ name: "consciousness" as const, day: `${year}-11-20` }] : []),
    ...FROM_EASTER.map(([name, days]) => ({ name, day: dayAfter(sunday, days) })),
  ].toSorted((one, other) => one.day.localeCompare(other.day));
}

const nationalDays = new Map<number, ReadonlySet<string>>();

function nationalDaysOf(year: number): ReadonlySet<string> {
  const known = nationalDays.get(year);
  if (known !== undefined) return known;
  const days = new Set(nationalHolidays(year).map(({ day }) => day));
  nationalDays.set(year, days);
  return days;
}

export function isWeekend(day: string): boolean {
  const weekday = noon(day).getUTCDay();
  return weekday === 0 || weekday === 6;
}

/** `closed`: further days without work, each `yyyy-MM-dd`. */
export const isBusinessDay = (day: string, closed: ReadonlySet<string> = new Set()): boolean =>
  !isWeekend(day) && !nationalDaysOf(Number(day.slice(0, 4))).has(day) && !closed.has(day);

export function firstBusinessDay(from: string, closed?: ReadonlySet<string>): string {
  let day = from;
  while (!isBusinessDay(day, closed)) day = dayAfter(day);
  return day;
}
