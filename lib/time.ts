const TIME_ZONE = "America/Sao_Paulo";
const DAY_MS = 24 * 60 * 60 * 1000;

const civil = new Intl.DateTimeFormat("sv-SE", { timeZone: TIME_ZONE });

/** The civil day of an instant in São Paulo: `yyyy-MM-dd`. */
export function civilDay(instant: Date): string {
  return civil.format(instant);
}

/** The civil day `days` before today in São Paulo. */
export function civilDaysAgo(days: number, now: Date = new Date()): string {
  const noon = new Date(`${civilDay(now)}T12:00:00Z`);
  return civilDay(new Date(noon.getTime() - days * DAY_MS));
}
