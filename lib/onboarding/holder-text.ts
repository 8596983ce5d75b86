type Said = { date: string; message: string; actionRequired: boolean; url: { href: string | null } | null };

/** What the provider wrote for the holder, ready to be passed on: each thing once, what is asked of them first. */
export function holderText(messages: readonly Said[]): string {
  const inOrder = messages
    .toSorted((one, other) => (one.date < other.date ? 1 : -1))
    .toSorted((one, other) => Number(other.actionRequired) - Number(one.actionRequired));
  const said = inOrder.map(({ message, url }) => [message.trim(), url?.href ?? ""].filter(Boolean).join("\n"));
  return [...new Set(said)].filter(Boolean).join("\n\n");
}
