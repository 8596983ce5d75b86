type Values = Record<string, string | number | boolean | null | undefined>;

/** A path with the query it needs; what is absent, false or empty is left out, so that the plain list has a plain address. */
export function hrefWith(path: string, values: Values): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== false && value !== "") search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}

/** The screen that an address belongs to: what it says beyond that is a record or a filter of one tenant. */
export function screenAddress(path: string): string {
  const [, screen = ""] = path.split("/");
  return `/${screen}`;
}
