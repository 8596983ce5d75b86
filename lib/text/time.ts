export const TIME_ZONE = "America/Sao_Paulo";
const DAY_MS = 24 * 60 * 60 * 1000;

const civil = new Intl.DateTimeFormat("sv-SE", { timeZone: TIME_ZONE });

/** `yyyy-MM-dd` in São Paulo. */
export function civilDay(instant: Date): string {
  return civil.format(instant);
}

const minute = new Intl.DateTimeFormat("sv-SE", { timeZone: TIME_ZONE, dateStyle: "short", timeStyle: "short" });

/** `yyyy-MM-ddTHH:mm` in São Paulo. */
export function civilMinute(instant: Date): string {
  return minute.format(instant).replace(" ", "T");
}

const WRITTEN_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

function validOrNull(instant: Date): Date | null {
  return Number.isNaN(instant.getTime()) ? null : instant;
}

/** Through the zone's rules, with daylight saving where the law had it. */
function localInstant(day: string, clock: string, seconds: string): Date | null {
  const usual = validOrNull(new Date(`${day}T${clock}${seconds}-03:00`));
  if (usual === null || civilMinute(usual) === `${day}T${clock}`) return usual;
  return new Date(`${day}T${clock}${seconds}-02:00`);
}

/** ISO 8601; without a zone, São Paulo. Null for anything else. */
export function readTime(text: string): { instant: Date } | { day: string } | null {
  const [matched, day = "", clock, seconds = ":00", zone] = WRITTEN_TIME.exec(text.trim()) ?? [];
  if (matched === undefined) return null;
  if (clock === undefined) return validOrNull(new Date(`${day}T12:00:00Z`)) === null ? null : { day };
  const instant =
    zone === undefined
      ? localInstant(day, clock, seconds)
      : validOrNull(new Date(`${day}T${clock}${seconds}${zone.replace(/(\d{2})(\d{2})$/, "$1:$2")}`));
  return instant === null ? null : { instant };
}

/** Of São Paulo; what is no time stays as it is written. */
export function dayOf(text: string): string {
  const read = readTime(text);
  if (read === null) return text;
  return "day" in read ? read.day : civilDay(read.instant);
}

/** Between two days, each `yyyy-MM-dd`. */
export function wholeYears(from: string, to: string): number {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return to.slice(4) < from.slice(4) ? years - 1 : years;
}

export const firstOfLastDays = (days: number, now?: Date): string => civilDaysAgo(days - 1, now);

export function civilDaysAgo(days: number, now: Date = new Date()): string {
  const noon = new Date(`${civilDay(now)}T12:00:00Z`);
  return civilDay(new Date(noon.getTime() - days * DAY_MS));
}
