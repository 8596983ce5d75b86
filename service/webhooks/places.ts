/** Attempts under way at once at one endpoint. */
export const PER_ENDPOINT = 2;

/** Attempts beyond the first of their endpoint, at all endpoints together. */
const BEYOND_THE_FIRST = 50;

export type Places = {
  busyAt: (clientId: string) => number;
  isFreeFor: (clientId: string) => boolean;
  /** How many attempts may still begin at these endpoints together. */
  freeAmong: (clientIds: readonly string[]) => number;
  take: (clientId: string) => void;
  leave: (clientId: string) => void;
};

/**
 * The places for attempts. An endpoint's first is its own, however many others hang: endpoints are as many as the tenants
 * file names, so that these are bounded, too. Only what is beyond it is shared.
 */
export function createPlaces(): Places {
  const busy = new Map<string, number>();
  const busyAt = (clientId: string) => busy.get(clientId) ?? 0;
  const freeBeyond = () => BEYOND_THE_FIRST - [...busy.values()].reduce((sum, attempts) => sum + attempts - 1, 0);
  return {
    busyAt,
    isFreeFor: (clientId) => busyAt(clientId) === 0 || (busyAt(clientId) < PER_ENDPOINT && freeBeyond() > 0),
    freeAmong: (clientIds) => clientIds.filter((clientId) => busyAt(clientId) === 0).length + freeBeyond(),
    take: (clientId) => {
      busy.set(clientId, busyAt(clientId) + 1);
    },
    leave: (clientId) => {
      const left = busyAt(clientId) - 1;
      if (left === 0) busy.delete(clientId);
      else busy.set(clientId, left);
    },
  };
}
