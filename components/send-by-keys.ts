import type { KeyboardEvent } from "react";

/** From within a long text, where Enter begins a line: Ctrl+Enter, or Command+Enter, sends the form. */
export const SENT_BY_KEYS = {
  "aria-keyshortcuts": "Control+Enter",
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
  },
};
