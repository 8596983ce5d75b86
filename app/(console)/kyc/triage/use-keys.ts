"use client";

import { useEffect, useEffectEvent } from "react";

/** What a key does here, by the sign it writes, in small letters. */
export type Bindings = Readonly<Record<string, (() => void) | undefined>>;

const TYPED_INTO = "textarea, select, [contenteditable=true], input:not([type=checkbox], [type=radio])";
const IN_FRONT = "[role=dialog], [role=alertdialog], :popover-open:not([role=tooltip])";
/** A key that is held goes on moving, and does nothing else again. */
const REPEATED: readonly string[] = ["j", "k"];

/** What a press means to the page; null when it belongs to the browser, to a field or to a dialog. */
function signOf(event: KeyboardEvent): string | null {
  const { key, target } = event;
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return null;
  // The question mark alone is written with shift, on most keyboards.
  if (event.shiftKey && key !== "?") return null;
  if (target instanceof Element && target.closest(TYPED_INTO)) return null;
  if (document.querySelector(IN_FRONT)) return null;
  const sign = key.toLowerCase();
  return event.repeat && !REPEATED.includes(sign) ? null : sign;
}

/** Pressed while the next case is on its way: it is meant for that one, and not for the case still in sight. */
const ahead: { isHeld: boolean; sign: string | null } = { isHeld: false, sign: null };

export function holdKeys(): void {
  ahead.isHeld = true;
  ahead.sign = null;
}

/** Ends that, and says which key was pressed first meanwhile. */
export function releaseKeys(): string | null {
  const { sign } = ahead;
  ahead.isHeld = false;
  ahead.sign = null;
  return sign;
}

/** Shortcuts of one key, on the whole page: never while somebody types, in dialogs or menus, or with another key held. */
export function useKeys(bindings: Bindings, isOn: boolean): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const sign = signOf(event);
    const act = sign === null ? undefined : bindings[sign];
    if (act === undefined) return;
    event.preventDefault();
    if (sign === null || !ahead.isHeld) act();
    else ahead.sign ??= sign;
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const hear = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  }, [isOn]);
}
