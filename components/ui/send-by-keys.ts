import type { KeyboardEvent } from "react";

/** Ctrl+Enter, or Command+Enter, that nothing has answered yet. */
export const isSending = (event: KeyboardEvent): boolean =>
  event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isDefaultPrevented();

/** From within a long text, where Enter begins a line: Ctrl+Enter, or Command+Enter, sends the form. */
export const SENT_BY_KEYS = {
  "aria-keyshortcuts": "Control+Enter",
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (!isSending(event)) return;
    // Else the dialog around it would send it once more.
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  },
};
