"use client";

import { useState } from "react";
import { useDesk } from "@/components/desk";

// In this tab's memory alone: it is gone with the page, and nobody else's desk asks for it by its name.
const kept = new Map<string, string>();

/** What was written about a record and not sent yet: it waits while one looks at the others. */
export function useUnsent(record: string): [string, (text: string) => void] {
  const key = `${useDesk().id} ${record}`;
  const [text, setText] = useState(() => kept.get(key) ?? "");
  const keep = (written: string) => {
    setText(written);
    if (written === "") kept.delete(key);
    else kept.set(key, written);
  };
  return [text, keep];
}
