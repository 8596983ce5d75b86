"use client";

import { useServerInsertedHTML } from "next/navigation";
import { useRef } from "react";

/** Runs in the page before any other script, as text, so it uses nothing from outside itself. */
function repeatEarlyEvents() {
  const patienceMs = 10_000;
  const mark = "__reactFiber$";
  let kept: { element: Element; type: string; at: number } | null = null;
  let repeated: Event | null = null;
  const forget = () => {
    kept = null;
  };
  // React names its node so once it has begun with an element, and stops what comes until it has ended.
  const isBegun = (element: Element) => Object.keys(element).some((name) => name.startsWith(mark));
  const hear = ({ currentTarget }: Event) => {
    if (currentTarget instanceof Element && isBegun(currentTarget)) forget();
  };
  const repeat = () => {
    if (kept === null) return;
    const { element, type, at } = kept;
    if (!element.isConnected || performance.now() - at > patienceMs) return forget();
    if (isBegun(element)) {
      const init = { bubbles: true, cancelable: true };
      repeated = type === "click" ? new MouseEvent(type, init) : new Event(type, init);
      element.dispatchEvent(repeated);
    }
    requestAnimationFrame(repeat);
  };
  const keep = (selector: string) => (event: Event) => {
    if (event === repeated) return;
    forget();
    const element = event.target instanceof Element ? event.target.closest(selector) : null;
    if (element === null) return;
    const { type } = event;
    element.addEventListener(type, hear);
    kept = { element, type, at: performance.now() };
    requestAnimationFrame(repeat);
  };
  addEventListener("click", keep("button[type=button]:not([popovertarget])"), true);
  addEventListener("change", keep("input[type=file]"), true);
  addEventListener("keydown", forget, true);
  // React writes a text area's first text again.
  const typed = ({ target }: Event) => {
    if (target instanceof HTMLTextAreaElement && !isBegun(target)) target.dataset.typed = target.value;
  };
  addEventListener("input", typed, true);
}

/** React drops a click on a button that it has not reached yet: it is repeated once it has. In the HTML alone. */
export function EarlyEvents({ nonce }: { nonce: string | undefined }) {
  const isSaid = useRef(false);
  useServerInsertedHTML(() => {
    // It is asked for with each part of a page; the browser's code leaves it out.
    if (typeof window !== "undefined" || isSaid.current) return null;
    isSaid.current = true;
    return <script nonce={nonce}>{`(${repeatEarlyEvents.toString()})()`}</script>;
  });
  return null;
}
