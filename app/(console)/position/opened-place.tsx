"use client";

import { type ReactNode, useEffect, useRef } from "react";

type OpenedPlaceProps = { id: string; label: string; children: ReactNode };

/** A link to it brings the keyboard there too: following one on the same screen moves the window alone. */
export function OpenedPlace({ id, label, children }: OpenedPlaceProps) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (window.location.hash !== `#${id}`) return;
    place.current?.scrollIntoView();
    place.current?.focus({ preventScroll: true });
  }, [id]);
  return (
    <section ref={place} id={id} tabIndex={-1} aria-label={label} className="border-t border-line-strong outline-none">
      {children}
    </section>
  );
}
