"use client";

import { createContext, type ReactNode, use, useEffect, useId, useState } from "react";
import type { Whereabouts } from "./use-desk-watch";

/** Which forms of this tab hold something that leaving the page would lose. */
export type Unsaved = {
  hold: (form: string, isWritten: boolean) => void;
  hasUnsaved: () => boolean;
  /** Hears when nothing unsaved is left, until the returned function is called. */
  followNoneLeft: (hear: () => void) => () => void;
};

export function createUnsaved(): Unsaved {
  const written = new Set<string>();
  const followers = new Set<() => void>();
  return {
    hold: (form, isWritten) => {
      if (isWritten) written.add(form);
      else if (written.delete(form) && written.size === 0) for (const hear of followers) hear();
    },
    hasUnsaved: () => written.size > 0,
    followNoneLeft: (hear) => {
      followers.add(hear);
      return () => void followers.delete(hear);
    },
  };
}

export type DeskHold = {
  /** Who works where in this tab; goes along with all that it reads and writes. */
  id: string;
  /** Asks where this browser works by now; a tab of another desk covers itself then. */
  look: () => void;
  /** The same, and says what it found. */
  findWhere: () => Promise<Whereabouts>;
  /** Renders the page anew, without asking where. */
  refresh: () => void;
  /** Tells the browser's other tabs that it works at this desk now. */
  announce: (desk: string) => void;
  /** Tells them that nobody works here any more. */
  announceEnd: () => void;
  unsaved: Unsaved;
};

const NOBODY: DeskHold = {
  id: "",
  look: () => undefined,
  findWhere: async () => "unknown",
  refresh: () => undefined,
  announce: () => undefined,
  announceEnd: () => undefined,
  unsaved: createUnsaved(),
};

export const DeskContext = createContext<DeskHold>(NOBODY);

export const useDesk = () => use(DeskContext);

/** The id of whoever works in this tab. */
export const useStaffId = () => useDesk().id.split(":")[0] ?? "";

/** Keeps what was written: a switch of tenant asks before it is lost, and the page under it is not rendered anew. */
export function useUnsaved(isWritten: boolean): void {
  const { unsaved } = useDesk();
  const form = useId();
  useEffect(() => {
    unsaved.hold(form, isWritten);
    return () => unsaved.hold(form, false);
  }, [form, unsaved, isWritten]);
}

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
