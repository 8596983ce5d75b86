/** What the provider is told: the text of the reason, and what the person adds to it. The dialog shows it as it is sent. */
export function composeReason(text: string, addition: string): string {
  const added = addition.trim();
  if (added === "") return text;
  return `${text}${/[.!?:;…]$/.test(text) ? "" : "."} ${added}`;
}

/** Whether what is sent begins with this reason. */
export const tellsReason = (told: string, text: string): boolean =>
  told === text || told.startsWith(composeReason(text, "+").slice(0, -1));
