/** On the page itself: nobody took it yet, or what had it is gone. */
export const isFocusLost = () => document.activeElement === null || document.activeElement.matches("body, main");

export function focusTitle(options?: FocusOptions): void {
  document.querySelector<HTMLElement>("main h1")?.focus(options);
}

/** For a page that is opened to type into: whoever scrolled or began elsewhere before its script came is left there. */
export function focusOnArrival(field: HTMLElement | null): void {
  const isBegun = document.querySelector("main")?.contains(document.activeElement) === true;
  if (!isBegun || isFocusLost()) field?.focus({ preventScroll: true });
}
