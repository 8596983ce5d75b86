import type { KeyboardEvent } from "react";

export const isSending = (event: KeyboardEvent): boolean =>
  event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isDefaultPrevented();

export const SENT_BY_KEYS = {
  "aria-keyshortcuts": "Control+Enter",
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (!isSending(event)) return;
    // Otherwise the dialog around it would send it again.
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  },
};
