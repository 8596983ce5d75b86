/** What comes within this time of the first rings once. */
const GATHER_MS = 400;

/** Rings for a tenant a moment after the first event of several: however many come, what they wake is woken once. */
export function createBell(
  wake: (tenant: string) => Promise<void>,
  after: (ms: number, run: () => void) => void,
): (tenant: string) => void {
  const ringing = new Set<string>();
  return (tenant) => {
    if (ringing.has(tenant)) return;
    ringing.add(tenant);
    after(GATHER_MS, () => {
      ringing.delete(tenant);
      void wake(tenant);
    });
  };
}
