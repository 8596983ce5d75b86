import { civilMinute } from "@/lib/text/time";

// Our assumption: the interface states no hours; most institutions send TEDs in these.
const OPENS = "06:30";
const CLOSES = "17:00";

const DAY_MS = 24 * 60 * 60 * 1000;
const noon = (day: string) => new Date(`${day}T12:00:00Z`);
const dayAfter = (day: string, days = 1): string =>
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

const FIXED = ["01-01", "04-21", "05-01", "09-07", "10-12", "11-02", "11-15", "12-25"];
/** Carnival's Monday and Tuesday, Good Friday, Corpus Christi. */
const FROM_EASTER = [-48, -47, -2, 60];
/** Law 14.759 of 2023. */
const CONSCIOUSNESS_SINCE = 2024;

/** Days on which no bank in the country settles, `yyyy-MM-dd`. */
export function bankHolidays(year: number): string[] {
  const sunday = easter(year);
  return [
    ...FIXED.map((day) => `${year}-${day}`),
    ...(year >= CONSCIOUSNESS_SINCE ? [`${year}-11-20`] : []),
    ...FROM_EASTER.map((days) => dayAfter(sunday, days)),
  ].toSorted();
}

export function isBusinessDay(day: string): boolean {
  const weekday = noon(day).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !bankHolidays(Number(day.slice(0, 4))).includes(day);
}

export type TedWindow = {
  /** A TED ordered now leaves today. */
  isOpen: boolean;
  /** Why it does not leave now. */
  reason: "early" | "late" | "weekend" | "holiday" | null;
  /** The day on which it leaves, `yyyy-MM-dd`. */
  day: string;
  opens: string;
  closes: string;
};

function firstBusinessDay(from: string): string {
  let day = from;
  while (!isBusinessDay(day)) day = dayAfter(day);
  return day;
}

/** When a TED ordered at this instant leaves, in São Paulo time. */
export function tedWindow(now: Date): TedWindow {
  const [today = "", clock = ""] = civilMinute(now).split("T");
  const hours = { opens: OPENS, closes: CLOSES };
  if (!isBusinessDay(today)) {
    const weekday = noon(today).getUTCDay();
    const reason = weekday === 0 || weekday === 6 ? "weekend" : "holiday";
    return { isOpen: false, reason, day: firstBusinessDay(today), ...hours };
  }
  if (clock < OPENS) return { isOpen: false, reason: "early", day: today, ...hours };
  if (clock < CLOSES) return { isOpen: true, reason: null, day: today, ...hours };
  return { isOpen: false, reason: "late", day: firstBusinessDay(dayAfter(today)), ...hours };
}
