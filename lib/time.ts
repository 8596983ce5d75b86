const TIME_ZONE = "America/Sao_Paulo";
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

/** The civil day `days` before today in São Paulo. */
export function civilDaysAgo(days: number, now: Date = new Date()): string {
  const noon = new Date(`${civilDay(now)}T12:00:00Z`);
  return civilDay(new Date(noon.getTime() - days * DAY_MS));
}
