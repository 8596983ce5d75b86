"use client";

import { useEffectEvent, useLayoutEffect } from "react";
import { signOf } from "@/components/ui/keys";
import { useShortcutSetting } from "@/app/(console)/shell/shortcut-setting";

type Path = { href: string | null; order: readonly string[]; at: string | null; isReturning: boolean };

let path: Path = { href: null, order: [], at: null, isReturning: false };

export function showList(href: string, order: readonly string[]): void {
  path = { ...path, href, order };
}

export function showCase(kycUUID: string): void {
  path = { ...path, at: kycUUID };
}

/** `known` when this window has shown no list. */
export function wayBack(known: string): string {
  path = { ...path, isReturning: true };
  return path.href ?? known;
}

/** The case they came from, else the next one, else the previous one. */
export function takeArrival(shown: readonly string[]): string | null {
  const { isReturning, at, order } = path;
  path = { ...path, isReturning: false };
  if (!isReturning || at === null) return null;
  const place = order.indexOf(at);
  const heirs = [at, ...order.slice(place + 1), ...order.slice(0, Math.max(place, 0)).toReversed()];
  return heirs.find((kycUUID) => shown.includes(kycUUID)) ?? shown[0] ?? null;
}

export type Bindings = Readonly<Record<string, (() => void) | undefined>>;

/** A key pressed while the next case loads is meant for that case. */
const ahead: { isHeld: boolean; sign: string | null } = { isHeld: false, sign: null };

export function holdKeys(): void {
  ahead.isHeld = true;
  ahead.sign = null;
}

export function releaseKeys(): string | null {
  const { sign } = ahead;
  ahead.isHeld = false;
  ahead.sign = null;
  return sign;
}

/** Ignored while typing, in dialogs or menus, or with another key held. */
export function useKeys(bindings: Bindings): void {
  const { isOn } = useShortcutSetting();
  const press = useEffectEvent((event: KeyboardEvent) => {
    const sign = signOf(event);
    const act = sign === null ? undefined : bindings[sign];
    if (act === undefined) return;
    event.preventDefault();
    if (sign === null || !ahead.isHeld) act();
    else ahead.sign ??= sign;
  });
  // A later effect would give an early key press to the previous screen.
  useLayoutEffect(() => {
    if (!isOn) return undefined;
    const onKey = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOn]);
}
