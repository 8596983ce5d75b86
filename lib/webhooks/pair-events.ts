type Change = { key: string; at: Date };
type Delivery = { ref: string; at: Date };

/** How well a delivery fits a change, 0 best; null: it is of another. */
type Rank<C, D> = (change: C, delivery: D) => number | null;

const byText = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** Each change with at most one delivery, the best first and then the nearest in time, whatever their order. By `key`. */
export function pairEvents<C extends Change, D extends Delivery>(
  changes: readonly C[],
  deliveries: readonly D[],
  rankOf: Rank<C, D>,
): Map<string, D> {
  const fits = changes.flatMap((change) =>
    deliveries.flatMap((delivery) => {
      const rank = rankOf(change, delivery);
      const apartMs = Math.abs(change.at.getTime() - delivery.at.getTime());
      return rank === null ? [] : [{ key: change.key, delivery, rank, apartMs }];
    }),
  );
  const ordered = fits.toSorted(
    (one, other) =>
      one.rank - other.rank ||
      one.apartMs - other.apartMs ||
      byText(one.key, other.key) ||
      byText(one.delivery.ref, other.delivery.ref),
  );
  const pairs = new Map<string, D>();
  const taken = new Set<string>();
  for (const { key, delivery } of ordered) {
    if (pairs.has(key) || taken.has(delivery.ref)) continue;
    pairs.set(key, delivery);
    taken.add(delivery.ref);
  }
  return pairs;
}
