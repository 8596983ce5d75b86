"use client";

import { useState } from "react";
import { useDesk } from "@/components/desk";

// In this tab's memory alone: it is gone with the page, and nobody else's desk asks for it by its name.
const drafts = new Map<string, string>();

/** What was written about a proposal and not sent yet: it waits while one looks at the others. */
export function useDraft(approvalId: string): [string, (text: string) => void] {
  const key = `${useDesk().id} ${approvalId}`;
  const [text, setText] = useState(() => drafts.get(key) ?? "");
  const keep = (written: string) => {
    setText(written);
    if (written === "") drafts.delete(key);
    else drafts.set(key, written);
  };
  return [text, keep];
}
