"use client";

import { type ReactNode, useState } from "react";
import { Button, buttonClass, type ButtonSize, type ButtonTone } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";

type DialogButtonProps = {
  label: ReactNode;
  /** Needed when several buttons share a label. */
  name?: string;
  tone?: ButtonTone;
  size?: ButtonSize;
  denial?: string | null;
  load: () => Promise<unknown>;
  children: (close: () => void) => ReactNode;
};

/** Opens a dialog that starts loading on hover or focus. */
export function DialogButton({
  label,
  name,
  tone = "plain",
  size = "medium",
  denial = null,
  load,
  children,
}: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const preload = () => void load();
  if (denial !== null) {
    return (
      <DeniedButton reason={denial} className={buttonClass(tone, size)}>
        {label}
      </DeniedButton>
    );
  }
  return (
    <>
      <Button
        tone={tone}
        size={size}
        aria-label={name}
        onClick={() => setOpen(true)}
        onFocus={preload}
        onPointerEnter={preload}
      >
        {label}
      </Button>
      {isOpen ? children(() => setOpen(false)) : null}
    </>
  );
}
