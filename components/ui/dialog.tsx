"use client";

import * as Radix from "@radix-ui/react-dialog";
import { X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { cn } from "@/lib/cn";
import { giveFocusBack } from "./give-focus-back";

type DialogProps = {
  title: string;
  description: string;
  closeLabel: string;
  onClose: () => void;
  /** Lies over another dialog, which stays as it is. */
  isAbove?: boolean;
  children: ReactNode;
};

/** A modal that is open as long as it is rendered; focus returns to what opened it, or to the page if that is gone. */
export function Dialog({ title, description, closeLabel, onClose, isAbove = false, children }: DialogProps) {
  const [opener] = useState(() => document.activeElement);
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={cn("fixed inset-0 bg-scrim", isAbove ? "z-50" : "z-40")} />
        <Radix.Content
          onCloseAutoFocus={(event) => {
            // Radix only knows of openers that are its own triggers.
            event.preventDefault();
            giveFocusBack(opener);
          }}
          className="fixed top-[max(1rem,12vh)] left-1/2 z-50 flex max-h-[calc(100dvh-max(2rem,14vh))] w-[min(35rem,calc(100vw-2rem))] -translate-x-1/2 flex-col overflow-y-auto scroll-pb-20 rounded-lg bg-raised wrap-anywhere shadow-float outline-none"
        >
          <header className="px-5 pt-4.5 pr-14 pb-3">
            <Radix.Title className="text-md font-semibold">{title}</Radix.Title>
            <Radix.Description className="mt-0.5 text-sm text-muted">{description}</Radix.Description>
          </header>
          {children}
          {/* Last, so that focus begins in the form. */}
          <Radix.Close
            aria-label={closeLabel}
            className="absolute top-3.5 right-3.5 grid size-7 place-items-center rounded text-muted hover:bg-hover hover:text-ink"
          >
            <X aria-hidden size={16} />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
