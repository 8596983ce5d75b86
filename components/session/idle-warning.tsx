"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { leave } from "@/lib/auth/view";
import { useScope } from "./scope";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";

/** Announced to screen readers, in seconds before the end. */
const ANNOUNCED_AT = [120, 60, 30, 10];

const secondsUntil = (atMs: number) => Math.max(0, Math.ceil((atMs - Date.now()) / 1000));

function useSecondsLeft(endsAtMs: number): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(endsAtMs));
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(endsAtMs)), 1000);
    return () => clearInterval(timer);
  }, [endsAtMs]);
  return seconds;
}

/** By default the dialog would focus its first button. */
const takeFocus = (button: HTMLButtonElement | null) => button?.focus();

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

export function IdleWarning({ endsAtMs, onStay }: { endsAtMs: number; onStay: () => void }) {
  const t = useTranslations("session");
  const common = useTranslations("common");
  const { announceEnd } = useScope();
  const seconds = useSecondsLeft(endsAtMs);
  const announced = ANNOUNCED_AT.findLast((at) => seconds <= at) ?? seconds;
  return (
    <Dialog
      isAbove
      title={t("warningTitle")}
      description={t("warningLead")}
      closeLabel={common("close")}
      onClose={onStay}
    >
      <div className="px-5 pb-5">
        <p aria-hidden className="text-2xl font-semibold tabular-nums">
          {clock(seconds)}
        </p>
        <p aria-live="polite" className="sr-only">
          {t("secondsLeft", { seconds: announced })}
        </p>
        <p className="mt-1 text-sm text-muted">{t("warningKept")}</p>
      </div>
      <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
        <Button onClick={() => void leave(announceEnd)}>{t("signOut")}</Button>
        <Button ref={takeFocus} tone="primary" onClick={onStay}>
          {t("stay")}
        </Button>
      </footer>
    </Dialog>
  );
}
