"use client";

import * as Radix from "@radix-ui/react-dialog";
import { Icon } from "./icons";
import { type KeyboardEvent as ReactKeyboardEvent, type ReactNode, useRef, useState } from "react";
import { cn } from "./cn";
import { giveFocusBack } from "./give-focus-back";
import { isSending } from "./send-by-keys";

/** Works from anywhere in the dialog. */
function sendByKeys(event: ReactKeyboardEvent<HTMLDivElement>): void {
  const form = event.currentTarget.querySelector("form");
  // For React alone, a dialog opened from this one is its child.
  const isOwn = event.target instanceof Node && event.currentTarget.contains(event.target);
  if (form === null || !isOwn || !isSending(event)) return;
  event.preventDefault();
  form.requestSubmit();
}

/** A popover over the dialog closes first. */
function closePopover(event: KeyboardEvent): void {
  const open = document.querySelector<HTMLElement>(":popover-open:not([role=tooltip])");
  if (open === null) return;
  event.preventDefault();
  open.hidePopover();
}

type DialogProps = {
  title: string;
  description: string;
  closeLabel: string;
  onClose: () => void;
  /** Takes the place of the dialog that asked for it, which shows again afterwards. */
  isAbove?: boolean;
  isDrawer?: boolean;
  children: ReactNode;
};

/** Focus returns to the opener, or to the page if that is gone. */
export function Dialog({
  title,
  description,
  closeLabel,
  onClose,
  isAbove = false,
  isDrawer = false,
  children,
}: DialogProps) {
  const [opener] = useState(() => document.activeElement);
  const heading = useRef<HTMLHeadingElement>(null);
  const givesWay = !isAbove && !isDrawer && "gives-way";
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={cn("fixed inset-0 bg-scrim", isAbove ? "z-50" : "z-40", givesWay)} />
        <Radix.Content
          data-above={isAbove || undefined}
          onKeyDown={sendByKeys}
          onEscapeKeyDown={closePopover}
          onOpenAutoFocus={(event) => {
            if (!isDrawer) return;
            // A dialog for reading does not focus its first button, which may be a dead one.
            event.preventDefault();
            heading.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            // Radix only knows openers that are its own triggers.
            event.preventDefault();
            giveFocusBack(opener);
          }}
          className={cn(
            givesWay,
            "fixed z-50 flex flex-col overflow-y-auto scroll-pb-20 bg-raised wrap-anywhere shadow-float outline-none",
            isDrawer
              ? "inset-y-0 right-0 w-[min(28rem,100vw)]"
              : "top-[max(1rem,12vh)] left-1/2 max-h-[calc(100dvh-max(2rem,14vh))] w-[min(35rem,calc(100vw-2rem))] -translate-x-1/2 rounded-lg",
          )}
        >
          <header className="px-5 pt-4.5 pr-14 pb-3">
            <Radix.Title ref={heading} tabIndex={-1} className="text-md font-semibold outline-none">
              {title}
            </Radix.Title>
            <Radix.Description className="mt-0.5 text-sm text-muted">{description}</Radix.Description>
          </header>
          {children}
          {/* Last, so that focus starts in the form. */}
          <Radix.Close
            aria-label={closeLabel}
            className="absolute top-3.5 right-3.5 grid size-7 place-items-center rounded text-muted hover:bg-hover hover:text-ink"
          >
            <Icon of="x" size={16} />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
