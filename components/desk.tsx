"use client";

import { createContext, use, useEffect, useId } from "react";

export type DeskHold = {
  /** Who works where in this tab; goes along with all that it reads and writes. */
  id: string;
  /** Asks where this browser works by now; a tab of another desk covers itself then. */
  look: () => void;
  /** Tells the browser's other tabs that it works at this desk now. */
  announce: (desk: string) => void;
  /** A form tells whether something was written in it that leaving the page would lose. */
  hold: (form: string, isWritten: boolean) => void;
  hasUnsaved: () => boolean;
};

const NOBODY: DeskHold = {
  id: "",
  look: () => undefined,
  announce: () => undefined,
  hold: () => undefined,
  hasUnsaved: () => false,
};

export const DeskContext = createContext<DeskHold>(NOBODY);

export const useDesk = () => use(DeskContext);

/** Keeps a switch of tenant from losing what was written without a question. */
export function useUnsaved(isWritten: boolean): void {
  const { hold } = useDesk();
  const form = useId();
  useEffect(() => {
    hold(form, isWritten);
    return () => hold(form, false);
  }, [form, hold, isWritten]);
}
