"use client";

import { useState } from "react";
import type * as addressText from "@/lib/text/address-text";

type Reader = typeof addressText;

let known: Reader | null = null;

export async function loadAddressText(): Promise<Reader> {
  known = await import("@/lib/text/address-text");
  return known;
}

/** What reads documents comes with `load`; until then a text with a digit is unread, and may not be sent. */
export function useAddressText() {
  const [reader, setReader] = useState(known);
  const [isLost, setLost] = useState(false);
  const load = () => {
    if (reader !== null) return;
    loadAddressText().then(setReader, () => setLost(true));
  };
  const isUnread = (typed: string) => reader === null && /\p{N}/u.test(typed);
  return {
    load,
    isUnread,
    isLost: (typed: string) => isLost && isUnread(typed),
    isRefused: (typed: string) => reader?.mayStandInAddress(typed) === false,
    isDocumentIn: (typed: string) => reader?.isDocumentIn(typed) === true,
  };
}
