"use client";

import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useState } from "react";

export type Tone = "done" | "hint" | "failure";

const ICONS = { done: "check", hint: "info", failure: "triangle-alert" } as const;

const LEAVES_AFTER_MS = 6_000;

function useLeave(said: unknown, isHeld: boolean, onLeave: () => void): void {
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    if (!said || isHeld) return;
    const timer = setTimeout(() => leave(), LEAVES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [said, isHeld]);
}

type ConfirmationProps = {
  children: string | null | undefined;
  tone?: Tone;
  onDismiss: () => void;
};

/** Disappears after six seconds unless in use; a failure stays until dismissed. */
export function Confirmation({ children, tone = "done", onDismiss }: ConfirmationProps) {
  const t = useTranslations("common");
  const [isHeld, setHeld] = useState(false);
  const dismiss = () => {
    setHeld(false);
    onDismiss();
  };
  useLeave(children, isHeld || tone === "failure", dismiss);
  return (
    <div aria-live="polite" className="confirmation">
      {children ? (
        <div
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          onFocus={() => setHeld(true)}
          onBlur={() => setHeld(false)}
          className="pointer-events-auto flex max-w-xl items-center gap-2.5 rounded-lg bg-ink py-2 pr-2 pl-3.5 text-surface shadow-float"
        >
          <Icon of={ICONS[tone]} size={15} className="shrink-0" />
          <p>{children}</p>
          <button
            type="button"
            aria-label={t("close")}
            onClick={dismiss}
            className="grid size-6 shrink-0 place-items-center rounded-sm outline-surface hover:bg-surface/15"
          >
            <Icon of="x" size={14} />
          </button>
        </div>
      ) : null}
    </div>
  );
}

const forgetQuery = (state: unknown) =>
  window.history.replaceState(state, "", window.location.pathname + window.location.hash);

/** Confirms the action that led to this page, once, not at each reload. */
export function DoneNotice({ said }: { said: string }) {
  const [isShown, setShown] = useState(true);
  // Kept in its own state, since the router would remove the notice at the next refresh.
  useEffect(() => forgetQuery(window.history.state), []);
  const leave = () => {
    setShown(false);
    // A refresh meanwhile has restored the router's URL.
    forgetQuery(null);
  };
  return <Confirmation onDismiss={leave}>{isShown ? said : null}</Confirmation>;
}
