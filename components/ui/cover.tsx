"use client";

import * as Radix from "@radix-ui/react-dialog";
import { type ReactNode, useEffect, useState } from "react";
import { giveFocusBack } from "./give-focus-back";

type CoverProps = { title: string; description: ReactNode; children: ReactNode };

const stay = (event: Event) => event.preventDefault();

/** Popovers are in the top layer, above the cover. */
function closePopovers() {
  for (const open of document.querySelectorAll<HTMLElement>(":popover-open")) open.hidePopover();
}

export function Cover({ title, description, children }: CoverProps) {
  const [covered] = useState(() => document.activeElement);
  useEffect(closePopovers, []);
  return (
    <Radix.Root open>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-60 bg-canvas" />
        <Radix.Content
          role="alertdialog"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            giveFocusBack(covered);
          }}
          onEscapeKeyDown={stay}
          onPointerDownOutside={stay}
          onInteractOutside={stay}
          className="fixed top-1/2 left-1/2 z-60 max-h-[calc(100dvh-2rem)] w-[min(36rem,calc(100vw-2rem))] -translate-1/2 overflow-y-auto rounded-lg bg-raised p-6 wrap-anywhere shadow-float outline-none"
        >
          <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
          <Radix.Description asChild>
            <div className="mt-2 space-y-2">{description}</div>
          </Radix.Description>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
