import { keyOf } from "@/components/ui/keys";

/** `isEntered`: Enter came after the text, and what is found first is opened. */
export type Begun = { text: string; isEntered: boolean };

export type Edit = (before: Begun) => Begun | null;

export const adding =
  (added: string): Edit =>
  ({ text }) => ({ text: text + added, isEntered: false });

const EDITS: Readonly<Record<string, Edit>> = {
  Escape: () => null,
  Backspace: ({ text }) => ({ text: text.slice(0, -1), isEntered: false }),
  Enter: ({ text }) => ({ text, isEntered: text !== "" }),
};

/** What the key makes of the text; undefined for a key that writes nothing. */
export function editOf(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">): Edit | undefined {
  const key = keyOf(event);
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  return key.length === 1 ? adding(key) : EDITS[key];
}
