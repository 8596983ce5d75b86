export const TIME_ZONE = "America/Sao_Paulo";
const DAY_MS = 24 * 60 * 60 * 1000;

const civil = new Intl.DateTimeFormat("sv-SE", { timeZone: TIME_ZONE });

/** The civil day of an instant in São Paulo: `yyyy-MM-dd`. */
export function civilDay(instant: Date): string {
  return civil.format(instant);
}

const minute = new Intl.DateTimeFormat("sv-SE", { timeZone: TIME_ZONE, dateStyle: "short", timeStyle: "short" });

/** The minute of an instant on São Paulo's clock, as a form's field has it: `yyyy-MM-ddTHH:mm`. */
export function civilMinute(instant: Date): string {
  return minute.format(instant).replace(" ", "T");
}

const WRITTEN_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

function validOrNull(instant: Date): Date | null {
  return Number.isNaN(instant.getTime()) ? null : instant;
}

/** An instant of São Paulo's own clock, which runs an hour ahead in the summers that the law gives one. */
function localInstant(day: string, clock: string, seconds: string): Date | null {
  const usual = validOrNull(new Date(`${day}T${clock}${seconds}-03:00`));
  if (usual === null || civilMinute(usual) === `${day}T${clock}`) return usual;
  return new Date(`${day}T${clock}${seconds}-02:00`);
}

/**
 * A time as a provider writes it (ISO 8601): an instant, in São Paulo when it says no zone, or a civil day without a clock.
 * Null for what is neither.
 */
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

/** The first of the last `days` civil days in São Paulo, today among them. */
export const firstOfLastDays = (days: number, now?: Date): string => civilDaysAgo(days - 1, now);

/** The civil day `days` before today in São Paulo. */
export function civilDaysAgo(days: number, now: Date = new Date()): string {
  const noon = new Date(`${civilDay(now)}T12:00:00Z`);
  return civilDay(new Date(noon.getTime() - days * DAY_MS));
}
