"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent } from "react";
import { useStaffId } from "@/components/desk";
import type { KycRow } from "@/lib/kyc/queries";
import { showCase, wayBack } from "./path";
import { type Bindings, releaseKeys, useKeys } from "./use-keys";
import type { Triage } from "./use-triage";

const NEIGHBOURS = { j: "main a[rel=next]", k: "main a[rel=prev]" } as const;

const isLost = (focused: Element | null) => focused === null || focused.matches("body, main");

const go = (selector: string) => () => document.querySelector<HTMLElement>(selector)?.click();

type CaseKeys = {
  subject: KycRow;
  /** The list's address, as far as the case's own tells of it. */
  queue: string;
  isOn: boolean;
  /** Why the person may not work cases; null when they may. */
  denial: string | null;
  /** Why nobody may decide this one now. */
  hindrance: string | null;
  /** It has been decided, though what is in sight of it may be older. */
  isOver: boolean;
  triage: Triage;
};

/** Triage by keyboard on a case: the list's own keys, and the way back up to it. */
export function useCaseKeys({ subject, queue, isOn, denial, hindrance, isOver, triage }: CaseKeys): void {
  const t = useTranslations("triage.next");
  const router = useRouter();
  const { kycUUID } = subject;
  const { say, begin, handing, next } = triage;
  const staffId = useStaffId();
  const isOpenWork =
    !isOver && subject.assignee?.id === staffId && subject.status === "PENDING" && subject.proposal === null;
  const unless = (reason: string | null, act: () => void) => () => (reason === null ? act() : say(reason));
  const bindings: Bindings = {
    j: go(NEIGHBOURS.j),
    k: go(NEIGHBOURS.k),
    a: unless(hindrance, () => begin(subject, "APPROVED")),
    r: unless(hindrance, () => begin(subject, "REPROVED")),
    c: unless(denial, () => handing.toggle(subject)),
    // Pressed on from case to case, it would take one after the other from the queue.
    n: unless(denial, () => (isOpenWork ? say(t("ownFirst")) : next.take())),
    u: () => router.push(wayBack(queue)),
    "?": triage.showHelp,
  };
  useKeys(bindings, isOn);
  const press = useEffectEvent((sign: string) => bindings[sign]?.());
  useEffect(() => {
    showCase(kycUUID);
    const sign = releaseKeys();
    if (sign !== null) press(sign);
    // Whoever went on by keyboard stands at the top of the case, not nowhere.
    if (isLost(document.activeElement)) document.querySelector<HTMLElement>("main h1")?.focus();
  }, [kycUUID]);
}
