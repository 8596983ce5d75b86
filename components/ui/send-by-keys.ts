import type { KeyboardEvent } from "react";
import { keyOf } from "./keys";

export const isSending = (event: KeyboardEvent): boolean =>
  keyOf(event) === "Enter" && (event.ctrlKey || event.metaKey) && !event.isDefaultPrevented();

export const SENT_BY_KEYS = {
  "aria-keyshortcuts": "Control+Enter",
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (!isSending(event)) return;
    // Otherwise the dialog around it would send it again.
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  },
};
