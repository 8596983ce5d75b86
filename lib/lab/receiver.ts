declare global {
  var retaguardaSleepers: Map<string, number> | undefined;
}

/** In memory alone: a console that starts anew takes deliveries. By tenant, in epoch milliseconds. */
const sleepers = (): Map<string, number> => (globalThis.retaguardaSleepers ??= new Map());

/** Epoch milliseconds; null: the tenant's deliveries are taken at `now`. */
export function asleepUntil(tenant: string, now: number = Date.now()): number | null {
  const until = sleepers().get(tenant);
  return until !== undefined && now < until ? until : null;
}

/** False where it sleeps already: then nothing is changed. */
export function fallAsleep(tenant: string, until: number, now: number = Date.now()): boolean {
  if (asleepUntil(tenant, now) !== null) return false;
  sleepers().set(tenant, until);
  return true;
}

export function wakeUp(tenant: string): void {
  sleepers().delete(tenant);
}
