"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useMemo, useState } from "react";
import type { Action } from "@/lib/action";
import { DeskContext } from "./desk";
import { RenderedFor } from "./rendered-for";
import { createUnsaved } from "./unsaved";
import { type DeskNow, useDeskWatch } from "./use-desk-watch";

// A dialog's code is a tenth of a screen's, and hardly any tab is ever covered: until it is there, nothing shows at all.
const DeskCover = dynamic(() => import("./desk-cover").then((loaded) => loaded.DeskCover), {
  ssr: false,
  loading: () => <div aria-busy className="fixed inset-0 z-60 bg-canvas" />,
});

type DeskGuardProps = { desk: DeskNow; switchTenant: Action<string, string>; children: ReactNode };

/**
 * Holds a tab to the desk it was rendered for. When this browser has moved to another one, the tab covers itself: what was
 * typed stays, and nothing of it can reach the other desk.
 */
export function DeskGuard({ desk, switchTenant, children }: DeskGuardProps) {
  // The first one: a tab never turns into another desk's under what was typed in it.
  const [own] = useState(desk);
  const { now, look, announce } = useDeskWatch(own.id);
  const [unsaved] = useState(createUnsaved);
  const hold = useMemo(() => ({ id: own.id, look, announce, unsaved }), [own.id, look, announce, unsaved]);
  return (
    <DeskContext value={hold}>
      <RenderedFor desk={desk.id}>{children}</RenderedFor>
      {now === null ? null : <DeskCover shown={own} now={now} switchTenant={switchTenant} />}
    </DeskContext>
  );
}
