type Pressed = { key?: string; isComposing?: boolean; keyCode?: number };

const TAKEN_BY_INPUT_METHOD = 229;

/** Empty for a browser's autofill, and for the Enter that ends an input method's composition. */
export function keyOf(event: Pressed & { nativeEvent?: Pressed }): string {
  const { key, isComposing, keyCode } = event.nativeEvent ?? event;
  return isComposing === true || keyCode === TAKEN_BY_INPUT_METHOD ? "" : (key ?? "");
}

const TYPED_INTO = "textarea, select, [contenteditable=true], input:not([type=checkbox], [type=radio])";

export const isTypedInto = (element: Element | null) => element?.closest(TYPED_INTO) != null;

const IN_FRONT = "[role=dialog], [role=alertdialog], :popover-open:not([role=tooltip])";
/** Held keys repeat only these. */
const REPEATED: readonly string[] = ["j", "k"];

/** Null when the key belongs to the browser, a field or a dialog. */
export function signOf(event: KeyboardEvent): string | null {
  const { target } = event;
  const key = keyOf(event);
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return null;
  // Some keyboards write these with shift.
  if (event.shiftKey && key !== "?" && key !== "/") return null;
  if (target instanceof Element && isTypedInto(target)) return null;
  if (document.querySelector(IN_FRONT)) return null;
  const sign = key.toLowerCase();
  return event.repeat && !REPEATED.includes(sign) ? null : sign;
}

const rowLinks = () => [...document.querySelectorAll<HTMLElement>("main .ledger .row-link")];

export function moveInRows(step: 1 | -1): boolean {
  const links = rowLinks();
  const row = document.activeElement?.closest("tr") ?? null;
  const at = row === null ? -1 : links.findIndex((link) => row.contains(link));
  const next = at === -1 ? (step === 1 ? 0 : links.length - 1) : at + step;
  links[next]?.focus();
  return links[next] !== undefined;
}
