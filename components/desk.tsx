"use client";

import { createContext, use, useEffect, useId } from "react";
import { createUnsaved, type Unsaved } from "./unsaved";
import type { Whereabouts } from "./use-desk-watch";

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
