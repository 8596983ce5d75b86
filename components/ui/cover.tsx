"use client";

import * as Radix from "@radix-ui/react-dialog";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { giveFocusBack } from "./give-focus-back";
import { isTypedInto } from "./keys";

type CoverProps = { title: string; description: ReactNode; children: ReactNode };

const stay = (event: Event) => event.preventDefault();

/** Popovers are in the top layer, above the cover. */
function closePopovers() {
  for (const open of document.querySelectorAll<HTMLElement>(":popover-open")) open.hidePopover();
}

export function Cover({ title, description, children }: CoverProps) {
  const [covered] = useState(() => document.activeElement);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(closePopovers, []);
  return (
    <Radix.Root open>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-60 bg-canvas" />
        <Radix.Content
          role="alertdialog"
          onOpenAutoFocus={(event) => {
            // What somebody is typing must not go on in a password's field.
            if (!isTypedInto(covered)) return;
            event.preventDefault();
            heading.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            giveFocusBack(covered);
          }}
          onEscapeKeyDown={stay}
          onPointerDownOutside={stay}
          onInteractOutside={stay}
          className="fixed top-1/2 left-1/2 z-60 max-h-[calc(100dvh-2rem)] w-[min(36rem,calc(100vw-2rem))] -translate-1/2 overflow-y-auto rounded-lg bg-raised p-6 wrap-anywhere shadow-float outline-none"
        >
          <Radix.Title ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
            {title}
          </Radix.Title>
          <Radix.Description asChild>
            <div className="mt-2 space-y-2">{description}</div>
          </Radix.Description>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
