"use client";

import { type ReactNode, useEffect, useState } from "react";
import { useDesk } from "./desk";

/**
 * What the server rendered for a desk; shown in a tab of that desk and in no other. When what is in sight is rendered
 * anew for another one, the tab keeps what it had, with all that was typed, and looks where this browser works by now.
 * When there was nothing before, because a link was followed, the tab begins anew.
 */
export function RenderedFor({ desk, children }: { desk: string; children: ReactNode }) {
  const { id, look } = useDesk();
  const isForeign = desk !== id;
  const [kept, setKept] = useState(isForeign ? null : children);
  if (!isForeign && kept !== children) setKept(children);
  const isEmpty = kept === null;
  useEffect(() => {
    if (!isForeign) return;
    if (isEmpty) window.location.reload();
    else look();
  }, [isForeign, isEmpty, look]);
  return isForeign ? kept : children;
}
