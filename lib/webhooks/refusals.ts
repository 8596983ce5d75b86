/** Why a delivery is not taken, as the record names it. */
export type Refusal = "signature" | "unreadable";

/** How often each, at one tenant; null: at none of ours. */
export type Refused = { tenant: string | null; counts: Partial<Record<Refusal, number>> };

const MINUTE_MS = 60_000;

/**
 * Counts what is refused, and tells of it a minute after the first, once for each tenant: whoever sends a thousand leaves no
 * more behind than whoever sends one, and learns nothing from how long it takes.
 */
export function createRefusals(
  tell: (refused: readonly Refused[]) => Promise<void>,
  after: (ms: number, run: () => void) => void,
): (tenant: string | null, why: Refusal) => void {
  const counts = new Map<string | null, Partial<Record<Refusal, number>>>();

  function tellAll() {
    const refused = [...counts].map(([tenant, counted]) => ({ tenant, counts: counted }));
    counts.clear();
    void tell(refused);
  }

  return (tenant, why) => {
    if (counts.size === 0) after(MINUTE_MS, tellAll);
    const counted = counts.get(tenant) ?? {};
    counts.set(tenant, { ...counted, [why]: (counted[why] ?? 0) + 1 });
  };
}
