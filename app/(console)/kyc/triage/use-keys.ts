"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useLayoutEffect } from "react";
import { signOf } from "@/components/ui/keys";
import { useShortcutSetting } from "@/app/(console)/shell/shortcut-setting";
import { useStaffId } from "@/components/session/scope";
import type { KycRow } from "@/lib/kyc/queries";
import type { Decision } from "@/app/(console)/kyc/decision-fields";
import type { Triage } from "./use-triage";

type Path = { href: string | null; order: readonly string[]; at: string | null; isReturning: boolean };

let path: Path = { href: null, order: [], at: null, isReturning: false };

export function showList(href: string, order: readonly string[]): void {
  path = { ...path, href, order };
}

export function showCase(kycUUID: string): void {
  path = { ...path, at: kycUUID };
}

/** `known` when this window has shown none. */
export function wayBack(known: string): string {
  path = { ...path, isReturning: true };
  return path.href ?? known;
}

/** The case they came from, else the one after it, else the one before. */
export function takeArrival(shown: readonly string[]): string | null {
  const { isReturning, at, order } = path;
  path = { ...path, isReturning: false };
  if (!isReturning || at === null) return null;
  const place = order.indexOf(at);
  const heirs = [at, ...order.slice(place + 1), ...order.slice(0, Math.max(place, 0)).toReversed()];
  return heirs.find((kycUUID) => shown.includes(kycUUID)) ?? shown[0] ?? null;
}

type Bindings = Readonly<Record<string, (() => void) | undefined>>;

/** Pressed while the next case loads, so meant for that one. */
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

/** Never while somebody types, in dialogs or menus, or with another key held. */
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
  // With the screen: later, a key pressed at once would go to the list that has just left it.
  useLayoutEffect(() => {
    if (!isOn) return undefined;
    const onKey = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOn]);
}

const NEIGHBOURS = { j: "main a[rel=next]", k: "main a[rel=prev]" } as const;

const isLost = (focused: Element | null) => focused === null || focused.matches("body, main");

const go = (selector: string) => () => document.querySelector<HTMLElement>(selector)?.click();

type CaseKeys = {
  subject: KycRow;
  queue: string;
  denial: string | null;
  blockedReason: string | null;
  isOver: boolean;
  triage: Triage;
};

export function useCaseKeys({ subject, queue, denial, blockedReason, isOver, triage }: CaseKeys): void {
  const t = useTranslations("triage.next");
  const kyc = useTranslations("kyc");
  const router = useRouter();
  const { kycUUID } = subject;
  const { say, begin, handing, next } = triage;
  const staffId = useStaffId();
  const isOpenWork =
    !isOver && subject.assignee?.id === staffId && subject.status === "PENDING" && subject.pendingApproval === null;
  const unless = (reason: string | null, act: () => void) => () => (reason === null ? act() : say(reason, "hint"));
  const sameAs = (decision: Decision) => blockedReason ?? (subject.status === decision ? kyc("sameDecision") : null);
  const bindings: Bindings = {
    j: go(NEIGHBOURS.j),
    k: go(NEIGHBOURS.k),
    a: unless(sameAs("APPROVED"), () => begin(subject, "APPROVED")),
    r: unless(sameAs("REPROVED"), () => begin(subject, "REPROVED")),
    c: unless(denial, () => handing.toggle(subject)),
    // From case to case it would empty the queue one by one.
    n: unless(denial, () => (isOpenWork ? say(t("ownFirst"), "hint") : next.take())),
    u: () => router.push(wayBack(queue)),
    "?": triage.showHelp,
  };
  useKeys(bindings);
  const press = useEffectEvent((sign: string) => bindings[sign]?.());
  useEffect(() => {
    showCase(kycUUID);
    const sign = releaseKeys();
    if (sign !== null) press(sign);
    if (isLost(document.activeElement)) document.querySelector<HTMLElement>("main h1")?.focus();
  }, [kycUUID]);
}
