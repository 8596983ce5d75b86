"use client";

import { createContext, type ReactNode, use, useEffect, useId, useState } from "react";
import type { Whereabouts } from "./use-scope-watch";

export type Unsaved = {
  hold: (form: string, isWritten: boolean) => void;
  hasUnsaved: () => boolean;
  followNoneLeft: (listener: () => void) => () => void;
};

export function createUnsaved(): Unsaved {
  const written = new Set<string>();
  const followers = new Set<() => void>();
  return {
    hold: (form, isWritten) => {
      if (isWritten) written.add(form);
      else if (written.delete(form) && written.size === 0) for (const listener of followers) listener();
    },
    hasUnsaved: () => written.size > 0,
    followNoneLeft: (listener) => {
      followers.add(listener);
      return () => void followers.delete(listener);
    },
  };
}

export type ScopeHold = {
  /** Sent with every read and write. */
  id: string;
  revalidate: () => void;
  findWhere: () => Promise<Whereabouts>;
  refresh: () => void;
  announce: (scope: string) => void;
  announceEnd: () => void;
  unsaved: Unsaved;
  /** How often somebody signed in again in this tab: what a session that had ended refused is over then. */
  returns: number;
};

const NOBODY: ScopeHold = {
  id: "",
  revalidate: () => undefined,
  findWhere: async () => "unknown",
  refresh: () => undefined,
  announce: () => undefined,
  announceEnd: () => undefined,
  unsaved: createUnsaved(),
  returns: 0,
};

export const ScopeContext = createContext<ScopeHold>(NOBODY);

export const useScope = () => use(ScopeContext);

export const useStaffId = () => useScope().id.split(":")[0] ?? "";

export function useUnsaved(isWritten: boolean): void {
  const { unsaved } = useScope();
  const form = useId();
  useEffect(() => {
    unsaved.hold(form, isWritten);
    return () => unsaved.hold(form, false);
  }, [form, unsaved, isWritten]);
}

export const NOBODYS = "nobody";

/** Content rendered for another scope is not shown: the tab keeps its own, or reloads when it has none. */
export function RenderedFor({ scope, children }: { scope: string; children: ReactNode }) {
  const { id, revalidate } = useScope();
  const isForeign = scope !== id;
  const [stored, setStored] = useState(isForeign ? null : children);
  if (!isForeign && stored !== children) setStored(children);
  const isEmpty = stored === null;
  useEffect(() => {
    if (!isForeign) return;
    if (isEmpty) window.location.reload();
    else revalidate();
  }, [isForeign, isEmpty, revalidate]);
  return isForeign ? stored : children;
}

// In memory only, until the page closes.
const stored = new Map<string, string>();

export function useUnsent(record: string): [string, (text: string) => void] {
  const key = `${useScope().id} ${record}`;
  const [text, setText] = useState(() => stored.get(key) ?? "");
  const save = (written: string) => {
    setText(written);
    if (written === "") stored.delete(key);
    else stored.set(key, written);
  };
  return [text, save];
}
