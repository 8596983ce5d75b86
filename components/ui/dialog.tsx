"use client";

import * as Radix from "@radix-ui/react-dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";

type DialogProps = {
  title: string;
  description: string;
  closeLabel: string;
  onClose: () => void;
  children: ReactNode;
};

/** A modal that is open as long as it is rendered; focus returns to what opened it. */
export function Dialog({ title, description, closeLabel, onClose, children }: DialogProps) {
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Radix.Content className="fixed top-[max(1rem,12vh)] left-1/2 z-50 flex max-h-[calc(100dvh-max(2rem,14vh))] w-[min(32rem,calc(100vw-2rem))] -translate-x-1/2 flex-col overflow-y-auto rounded-lg bg-raised shadow-float outline-none">
          <header className="flex items-start gap-3 px-5 pt-4.5 pb-3">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-md font-semibold">{title}</Radix.Title>
              <Radix.Description className="mt-0.5 text-sm text-muted">{description}</Radix.Description>
            </div>
            <Radix.Close
              aria-label={closeLabel}
              className="-mr-1.5 grid size-7 shrink-0 place-items-center rounded text-muted hover:bg-hover hover:text-ink"
            >
              <X aria-hidden size={16} />
            </Radix.Close>
          </header>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
