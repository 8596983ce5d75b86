"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent } from "react";
import { useStaffId } from "@/components/session/scope";
import { focusTitle, isFocusLost } from "@/components/ui/focus";
import { caseCan } from "@/lib/kyc/can";
import type { KycRow } from "@/lib/kyc/queries";
import type { Decision } from "@/app/(console)/kyc/use-deciding";
import { type Bindings, releaseKeys, showCase, useKeys, wayBack } from "./use-keys";
import type { Triage } from "./use-triage";

const NEIGHBOURS = { j: "main a[rel=next]", k: "main a[rel=prev]" } as const;

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
  const sameAs = (decision: Decision) => blockedReason ?? (caseCan.choose(subject, decision) && kyc("sameDecision"));
  const bindings: Bindings = {
    j: go(NEIGHBOURS.j),
    k: go(NEIGHBOURS.k),
    a: unless(sameAs("APPROVED"), () => begin(subject, "APPROVED")),
    r: unless(sameAs("REPROVED"), () => begin(subject, "REPROVED")),
    c: unless(denial, () => handing.toggle(subject)),
    // Otherwise one key could claim the queue case by case.
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
    // Without a scroll: somebody may be pressing a button further down.
    if (isFocusLost()) focusTitle({ preventScroll: true });
  }, [kycUUID]);
}
