/** To what had it, or to the page if that is gone. */
export function giveFocusBack(opener: Element | null) {
  const target = opener?.isConnected ? opener : document.querySelector("main");
  if (target instanceof HTMLElement) target.focus();
}
