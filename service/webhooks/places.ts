/** Attempts under way at once: at one endpoint, and at all of them. */
export const PER_ENDPOINT = 2;
const IN_ALL = 50;

/** Of all places, those that only endpoints whose last attempt was delivered may take: the dead cannot fill the house. */
const FOR_THE_PROVEN = 10;

export type Places = {
  /** How many attempts may still begin. */
  free: () => number;
  busyAt: (clientId: string) => number;
  isFreeFor: (clientId: string) => boolean;
  take: (clientId: string) => void;
  /** Gives the place back; `isDelivered` tells how the attempt went. */
  leave: (clientId: string, isDelivered: boolean) => void;
};

export function createPlaces(): Places {
  const busy = new Map<string, number>();
  const proven = new Set<string>();
  const busyAt = (clientId: string) => busy.get(clientId) ?? 0;
  const taken = (clientIds: Iterable<string>) => [...clientIds].reduce((sum, clientId) => sum + busyAt(clientId), 0);
  const unproven = () => [...busy.keys()].filter((clientId) => !proven.has(clientId));
  const free = () => IN_ALL - taken(busy.keys());
  return {
    free,
    busyAt,
    isFreeFor: (clientId) => {
      if (busyAt(clientId) >= PER_ENDPOINT || free() <= 0) return false;
      return proven.has(clientId) || taken(unproven()) < IN_ALL - FOR_THE_PROVEN;
    },
    take: (clientId) => {
      busy.set(clientId, busyAt(clientId) + 1);
    },
    leave: (clientId, isDelivered) => {
      const left = busyAt(clientId) - 1;
      if (left === 0) busy.delete(clientId);
      else busy.set(clientId, left);
      if (isDelivered) proven.add(clientId);
      else proven.delete(clientId);
    },
  };
}
