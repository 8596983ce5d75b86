"use client";

// oxlint-disable unicorn/consistent-function-scoping -- the texts of both go to the page, and nothing that stands outside of them.

/** Keeps what is to be told to elements until React has taken hold of them. */
function createKeeper() {
  const LOOK_EVERY_MS = 50;
  /** A page that still arrives in parts may lack the script of this one. */
  const SURE_AFTER_MS = 3_000;
  const PATIENCE_MS = 20_000;
  const IDLE_MS = 1_000;
  type Kept = { node: Element; since: number; tell: () => void };
  /** In the order in which it was done: a form is sent after its fields were typed. */
  const kept: Kept[] = [];
  let isLooking = false;

  // React leaves this mark on each element that it has taken hold of.
  const isAwake = (node: Element) => Object.keys(node).some((key) => key.startsWith("__reactProps$"));
  // Not in every browser.
  const whenIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, IDLE_MS / 4));
  const lookLater = () => setTimeout(look, LOOK_EVERY_MS);
  // It takes hold of a part of the page at once, but in several goes: it is through once it leaves the browser idle.
  const tellWhenIdle = ({ node, tell }: Kept) =>
    whenIdle(
      () => {
        kept.shift();
        if (node.isConnected) tell();
        lookLater();
      },
      { timeout: IDLE_MS },
    );
  function look() {
    const [first] = kept;
    isLooking = first !== undefined;
    if (first === undefined) return;
    const passed = Date.now() - first.since;
    const isWhole = document.readyState === "complete" || passed > SURE_AFTER_MS;
    if (isAwake(first.node) && isWhole) return tellWhenIdle(first);
    if (passed > PATIENCE_MS || !first.node.isConnected) kept.shift();
    lookLater();
  }
  const whenAwake = (node: Element, tell: () => void) => {
    kept.push({ node, since: Date.now(), tell });
    if (!isLooking) lookLater();
    isLooking = true;
  };
  const isKept = (node: Element) => kept.some((one) => one.node === node);
  const keepsOf = (part: Element) => kept.some(({ node }) => part.contains(node));
  return { isAwake, whenAwake, isKept, keepsOf };
}

/**
 * Runs in the browser before anything else of a page. What somebody presses, sends, ticks or types before the page's own
 * script has come is kept, and done again once it has: no click is lost, none acts twice, and no form goes to the server as
 * the browser alone would send it, with what was typed in its address.
 */
function keepEarlyInput({ isAwake, whenAwake, isKept, keepsOf }: ReturnType<typeof createKeeper>): void {
  type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
  const values = new Map<Field, { value: string; caret: number | null }>();
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const onClick = (event: Event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    // A button that sends a form is heard as that form.
    if (!event.isTrusted || button === null || (button.type === "submit" && button.form !== null)) return;
    // What the browser opens by itself needs no script: kept, it would open twice, and so not at all.
    if (button.popoverTargetElement !== null) return;
    if (isAwake(button) && !keepsOf(button.form ?? button)) return;
    swallow(event);
    // Who presses again has seen nothing happen, and means the same.
    if (!isKept(button)) whenAwake(button, () => button.click());
  };
  const onSubmit = (event: SubmitEvent) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.hasAttribute("action")) return;
    // What was typed early may not have been told yet.
    if (isAwake(form) && !keepsOf(form)) return;
    swallow(event);
    if (!isKept(form)) whenAwake(form, () => form.requestSubmit(event.submitter));
  };
  const tellTick = (box: HTMLInputElement) => {
    const { checked } = box;
    whenAwake(box, () => {
      box.checked = !checked;
      box.click();
    });
  };
  const caretOf = (field: Field) => (field instanceof HTMLSelectElement ? null : field.selectionStart);
  /** React hears of a value only when it differs from the one it has seen set. */
  const tellValue = (field: Field) => {
    const typed = values.get(field);
    if (typed === undefined || !isAwake(field)) return;
    const { value } = typed;
    const caret = field.value === value ? caretOf(field) : typed.caret;
    values.delete(field);
    field.value = "";
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
    field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
    if (caret !== null && !(field instanceof HTMLSelectElement)) field.setSelectionRange(caret, caret);
  };
  /** All at once: what one field tells draws the others anew, without what was typed in them. */
  const tellValues = () => [...values.keys()].forEach(tellValue);
  const onInput = ({ target: field }: Event) => {
    const isField =
      field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement;
    if (!isField || field.type === "file") return;
    if (isAwake(field)) return void values.delete(field);
    if (field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type)) return tellTick(field);
    const isKnown = values.has(field);
    values.set(field, { value: field.value, caret: caretOf(field) });
    if (!isKnown) whenAwake(field, tellValues);
  };
  addEventListener("click", onClick, true);
  addEventListener("submit", onSubmit, true);
  // Who goes on typing where React has wiped what was typed first adds to it.
  addEventListener("beforeinput", tellValues, true);
  addEventListener("input", onInput, true);
}

// oxlint-enable unicorn/consistent-function-scoping

// Only the server writes it: the page's data does not carry it once more, nor does the browser's bundle.
const script = () =>
  typeof window === "undefined" ? `(${keepEarlyInput.toString()})((${createKeeper.toString()})())` : "";

/** The first script of every page; see `keepEarlyInput`. */
export function EarlyInput({ nonce }: { nonce: string | undefined }) {
  // Browsers hide a nonce from scripts, so from React, too.
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script() }} />;
}
