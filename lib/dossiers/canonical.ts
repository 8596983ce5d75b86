export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

const byCodeUnits = (one: string, other: string) => Number(one > other) - Number(one < other);

function written(value: Json): string {
  if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError("JSON has no such number");
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  const members = Object.entries(value).toSorted(([one], [other]) => byCodeUnits(one, other));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${written(member)}`).join(",")}}`;
}

/** RFC 8785. Throws `RangeError` on a number that JSON does not have. */
export const canonicalJson = (value: Json): string => written(value);
