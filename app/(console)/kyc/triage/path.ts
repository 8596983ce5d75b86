/** The list that a case was opened from, as it stood then, and whether the person is on the way back to it. */
type Path = { href: string | null; order: readonly string[]; at: string | null; isReturning: boolean };

let path: Path = { href: null, order: [], at: null, isReturning: false };

/** The list in sight: `href` is its address, `order` its cases. */
export function showList(href: string, order: readonly string[]): void {
  path = { ...path, href, order };
}

export function showCase(kycUUID: string): void {
  path = { ...path, at: kycUUID };
}

/** Where the list is that the case was opened from; `known` when this window has shown none. */
export function wayBack(known: string): string {
  path = { ...path, isReturning: true };
  return path.href ?? known;
}

/** The case to stand on in the list: the one the person came from, else the one after it, else the one before. */
export function takeArrival(shown: readonly string[]): string | null {
  const { isReturning, at, order } = path;
  path = { ...path, isReturning: false };
  if (!isReturning || at === null) return null;
  const place = order.indexOf(at);
  const heirs = [at, ...order.slice(place + 1), ...order.slice(0, Math.max(place, 0)).toReversed()];
  return heirs.find((kycUUID) => shown.includes(kycUUID)) ?? shown[0] ?? null;
}
