/** The first letters of a name's first and last word. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const ends = [words.at(0), words.length > 1 ? words.at(-1) : undefined];
  // Half of a sign beyond the first plane is none.
  return ends
    .map((word) => word?.match(/^./u)?.[0] ?? "")
    .join("")
    .toUpperCase();
}
