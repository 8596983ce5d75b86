/** To what had it; if that is gone, to the page, unless somebody else took it meanwhile. */
export function giveFocusBack(opener: Element | null) {
  const focused = document.activeElement;
  if (!opener?.isConnected && focused !== null && focused !== document.body) return;
  const target = opener?.isConnected ? opener : document.querySelector("main");
  if (target instanceof HTMLElement) target.focus();
}
