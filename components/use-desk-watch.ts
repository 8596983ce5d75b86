"use client";

import { useCallback, useEffect, useRef, useState } from "react";

export type DeskNow = {
  id: string;
  person: { name: string };
  tenant: { clientId: string; name: string; environment: "EMBEDDED" | "SANDBOX" | "PRODUCTION" };
};

const CHANNEL = "retaguarda-desk";

function tell(channel: BroadcastChannel | null, desk: string): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel's messages stay within its origin
  channel?.postMessage(desk);
}

/** Null when nobody is signed in or no answer came: the page's own reads tell of that. */
async function readNow(): Promise<DeskNow | null> {
  const [asked] = await Promise.allSettled([fetch("/api/desk")]);
  return asked.status === "fulfilled" && asked.value.ok ? asked.value.json() : null;
}

/**
 * Where this browser works now, when that is another desk than this tab's; null while they are one. Other tabs announce a
 * change at once; what they could not tell, such as a membership withdrawn, is found out when the tab is looked at again.
 */
export function useDeskWatch(own: string) {
  const [now, setNow] = useState<DeskNow | null>(null);
  const channel = useRef<BroadcastChannel>(null);
  const looks = useRef(0);
  const isMoved = useRef(false);

  const look = useCallback(() => {
    const seeWhere = async () => {
      looks.current += 1;
      const turn = looks.current;
      const found = await readNow();
      // An answer that was overtaken by a later question may be of an earlier desk.
      if (turn !== looks.current || found === null) return;
      isMoved.current = found.id !== own;
      setNow(isMoved.current ? found : null);
    };
    void seeWhere();
  }, [own]);

  const announce = useCallback((desk: string) => tell(channel.current, desk), []);

  useEffect(() => {
    const opened = new BroadcastChannel(CHANNEL);
    channel.current = opened;
    opened.addEventListener("message", ({ data }) => (data !== own || isMoved.current) && look());
    tell(opened, own);
    const lookWhenSeen = () => document.visibilityState === "visible" && look();
    document.addEventListener("visibilitychange", lookWhenSeen);
    // The browser brings a page back as it left it, whatever happened since.
    const lookWhenBroughtBack = ({ persisted }: PageTransitionEvent) => persisted && look();
    window.addEventListener("pageshow", lookWhenBroughtBack);
    return () => {
      opened.close();
      document.removeEventListener("visibilitychange", lookWhenSeen);
      window.removeEventListener("pageshow", lookWhenBroughtBack);
    };
  }, [look, own]);

  return { now, look, announce };
}
