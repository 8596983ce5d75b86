import { screenOf } from "@/lib/call-view";

/** How a deed can stand on record, in the order of a choice. Apart from the store, because the browser reads it. */
export const OUTCOMES = ["DONE", "REFUSED", "INTENT", "HELD", "UNKNOWN"] as const;

const OTHER_SCREENS = { staff: "/staff", approval: "/approvals" } as const;

/** What can be done to has a kind, an id and, where there is one, a screen. */
export function recordOf(object: string): { kind: string; id: string; href: string | null } {
  const [kind = "", ...rest] = object.split(":");
  const id = rest.join(":");
  if (kind === "staff" || kind === "approval")
    return { kind, id, href: `${OTHER_SCREENS[kind]}/${encodeURIComponent(id)}` };
  return { kind, id, href: screenOf(object)?.href ?? null };
}

export type Detail = Readonly<Record<string, string | number | boolean | null>>;
export type Change = { before: string | null; after: string | null };

const PAIRS = [
  ["before", "after"],
  ["from", "to"],
] as const;

const asText = (value: Detail[string] | undefined) => (value === null || value === undefined ? null : String(value));

/** What a deed changed, and what else is told of it: a value before and after is a change, all else a fact. */
export function readDetail(detail: Detail): { change: Change | null; facts: [string, string][] } {
  const pair = PAIRS.find(([before, after]) => before in detail && after in detail);
  const rest = Object.entries(detail).filter(([name]) => pair === undefined || (name !== pair[0] && name !== pair[1]));
  const facts = rest.map(([name, value]): [string, string] => [name, asText(value) ?? "–"]);
  if (pair === undefined) return { change: null, facts };
  return { change: { before: asText(detail[pair[0]]), after: asText(detail[pair[1]]) }, facts };
}
