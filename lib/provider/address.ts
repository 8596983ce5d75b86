export type Query = Record<string, string | number | boolean | undefined>;

export function urlOf(baseUrl: string, path: string, query: Query = {}): URL {
  const url = new URL(baseUrl + path);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

export function fillPath(path: string, params: Record<string, string> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}
