// What stands in the review: enough to see that it is there, and no more than a passer-by may see.

const bare = (typed: string) => typed.replaceAll(/[\s./-]/g, "").toUpperCase();

/** The middle alone, as the provider shows it: the contract's own mask would bring its schemas to the browser. */
export function coveredDocument(typed: string): string {
  const signs = bare(typed);
  if (signs.length === 11) return signs.replace(/^...(...)(...)..$/, "***.$1.$2-**");
  return signs.length === 14 ? signs.replace(/^..(...)(...)(....)..$/, "**.$1.$2/$3-**") : "•••";
}

/** `Maria Aparecida dos Santos`: `M••• A••• d••• S•••`, however long each is. */
export const coveredName = (typed: string): string =>
  typed
    .trim()
    .split(/\s+/)
    .map((word) => `${Array.from(word)[0] ?? ""}•••`)
    .join(" ");

/** The year alone. */
export const coveredDate = (typed: string): string => `••/••/${typed.trim().slice(-4)}`;

/** The last four digits. */
export const coveredPhone = (typed: string): string => `•••• ${typed.replaceAll(/\D/g, "").slice(-4)}`;

export function coveredEmail(typed: string): string {
  const [name = "", host = ""] = typed.trim().split("@");
  return `${Array.from(name)[0] ?? ""}•••@${host}`;
}

/** The region, and the city with it. */
export const coveredAddress = (postalCode: string, city: string, state: string): string =>
  `${bare(postalCode).slice(0, 2)}•••-••• · ${city.trim()} · ${state}`;
