type Since = () => string | null;

declare global {
  var retaguardaSilence: Map<string, Since> | undefined;
}

const followed = () => (globalThis.retaguardaSilence ??= new Map<string, Since>());

export const followSilence = (tenant: string, since: Since): void => void followed().set(tenant, since);

/** When the last valid answer came (a 5xx is none), else the first failure, while no call for the lists of a tenant is answered. */
export const silentSince = (tenant: string): string | null => followed().get(tenant)?.() ?? null;

/** Our own rows that the provider moves on are, while it is silent, as old as its last answer. */
export function followedUntil(tenant: string, read: Date): string {
  const at = read.toISOString();
  const since = silentSince(tenant);
  return since !== null && since < at ? since : at;
}
