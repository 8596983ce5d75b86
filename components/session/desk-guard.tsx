"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState, useTransition } from "react";
import { type SessionTime, usePresence } from "@/components/live/presence";
import { deferred } from "@/components/ui/deferred";
import type { Action } from "@/lib/action";
import { createUnsaved, DeskContext, RenderedFor } from "./desk";
import { type DeskNow, type DeskState, useDeskWatch } from "./use-desk-watch";

/** One at a time: concurrent refreshes may not fit each other, and Next then loads the page. */
function useOneRefresh(): () => void {
  const router = useRouter();
  const [isOnItsWay, start] = useTransition();
  const turns = useRef({ isTaken: false, isDue: false });
  const refresh = useCallback(() => {
    const { current } = turns;
    current.isDue = current.isTaken;
    current.isTaken = true;
    if (!current.isDue) start(() => router.refresh());
  }, [router]);
  useEffect(() => {
    const { current } = turns;
    if (isOnItsWay) return;
    current.isTaken = false;
    if (current.isDue) refresh();
  }, [isOnItsWay, refresh]);
  return refresh;
}

const Blank = () => <div aria-busy className="fixed inset-0 z-60 bg-canvas" />;

// Hardly any tab is ever covered: until its code is there, nothing shows.
const DeskCover = dynamic(() => import("./desk-cover").then((loaded) => loaded.DeskCover), {
  ssr: false,
  loading: Blank,
});
const SessionCover = dynamic(() => import("./session-cover").then((loaded) => loaded.SessionCover), {
  ssr: false,
  loading: Blank,
});
const IdleWarning = deferred(() => import("./idle-warning").then((loaded) => loaded.IdleWarning));

/** With other roles come other screens; after any other end the page stays as it was. */
function useNewRoles(state: DeskState, refresh: () => void): void {
  const haveChanged = useRef(false);
  useEffect(() => {
    if (state.kind === "ended") haveChanged.current = state.reason === "roles-changed";
    if (state.kind !== "here" || !haveChanged.current) return;
    haveChanged.current = false;
    refresh();
  }, [state, refresh]);
}

type DeskGuardProps = {
  desk: DeskNow;
  session: SessionTime;
  switchTenant: Action<string, string>;
  signIn: ReactNode;
  children: ReactNode;
};

/** What was typed stays under the cover and cannot reach another session scope. */
export function DeskGuard({ desk, session, switchTenant, signIn, children }: DeskGuardProps) {
  // A tab never changes scope under what was typed in it.
  const [own] = useState(desk);
  const { state, endsIn, look, findWhere, end, announce, announceEnd } = useDeskWatch(own.id);
  const refresh = useOneRefresh();
  useNewRoles(state, refresh);
  const onOver = useCallback(() => end("idle"), [end]);
  const { warnsOf, stay } = usePresence({ time: session, endsIn, onOver, onEnded: look });
  const [unsaved] = useState(createUnsaved);
  const hold = useMemo(
    () => ({ id: own.id, look, findWhere, refresh, announce, announceEnd, unsaved }),
    [own.id, look, findWhere, refresh, announce, announceEnd, unsaved],
  );
  return (
    <DeskContext value={hold}>
      <RenderedFor desk={desk.id}>{children}</RenderedFor>
      {state.kind === "here" && warnsOf !== null ? <IdleWarning endsAtMs={warnsOf} onStay={stay} /> : null}
      {state.kind === "moved" ? <DeskCover shown={own} now={state.now} switchTenant={switchTenant} /> : null}
      {state.kind === "ended" ? (
        <SessionCover
          person={own.person.name}
          reason={state.reason}
          hasUnsaved={unsaved.hasUnsaved()}
          signIn={signIn}
        />
      ) : null}
    </DeskContext>
  );
}
