/** To the page if it is gone, unless somebody took the focus meanwhile. */
export function giveFocusBack(opener: Element | null) {
  const focused = document.activeElement;
  if (!opener?.isConnected && focused !== null && focused !== document.body) return;
  const target = opener?.isConnected ? opener : document.querySelector("main");
  if (target instanceof HTMLElement) target.focus();
}
