import { headers } from "next/headers";

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

  // React leaves this mark on each element that it has taken hold of.
  const isAwake = (node: Element) => Object.keys(node).some((key) => key.startsWith("__reactProps$"));
  // Not in every browser.
  const whenIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, IDLE_MS / 4));
  const lookLater = () => setTimeout(look, LOOK_EVERY_MS);
  // It takes hold of a part of the page at once, but in several goes: it is through once it leaves the browser idle.
  const tellWhenIdle = ({ node, tell }: Kept) =>
    whenIdle(
      () => {
        if (node.isConnected) tell();
        kept.shift();
        lookLater();
      },
      { timeout: IDLE_MS },
    );
  function look() {
    const [first] = kept;
    if (first === undefined) return;
    const passed = Date.now() - first.since;
    const isWhole = document.readyState === "complete" || passed > SURE_AFTER_MS;
    if (isAwake(first.node) && isWhole) return tellWhenIdle(first);
    if (passed > PATIENCE_MS) kept.shift();
    lookLater();
  }
  const whenAwake = (node: Element, tell: () => void) => {
    if (kept.push({ node, since: Date.now(), tell }) === 1) lookLater();
  };
  return { isAwake, whenAwake };
}

/**
 * Runs in the browser before anything else of a page. What somebody presses, sends, ticks or types before the page's own
 * script has come is kept, and done again once it has: no click is lost, none acts twice, and no form goes to the server as
 * the browser alone would send it, with what was typed in its address.
 */
function keepEarlyInput({ isAwake, whenAwake }: ReturnType<typeof createKeeper>): void {
  const values = new Map<EventTarget, string>();
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const onClick = (event: Event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    // A button that sends a form is heard as that form.
    if (!event.isTrusted || button === null || (button.type === "submit" && button.form !== null)) return;
    if (isAwake(button)) return;
    swallow(event);
    whenAwake(button, () => button.click());
  };
  const onSubmit = (event: SubmitEvent) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.hasAttribute("action") || isAwake(form)) return;
    swallow(event);
    whenAwake(form, () => form.requestSubmit(event.submitter));
  };
  const tellTick = (box: HTMLInputElement) => {
    const { checked } = box;
    whenAwake(box, () => {
      box.checked = !checked;
      box.click();
    });
  };
  /** React hears of a value only when it differs from the one it has seen set. */
  const tellValue = (field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement) => {
    const value = values.get(field);
    if (value === undefined) return;
    values.delete(field);
    field.value = "";
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
    field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
  };
  const onInput = ({ target: field }: Event) => {
    const isField =
      field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement;
    if (!isField || field.type === "file") return;
    if (isAwake(field)) return void values.delete(field);
    if (field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type)) return tellTick(field);
    const isKnown = values.has(field);
    values.set(field, field.value);
    if (!isKnown) whenAwake(field, () => tellValue(field));
  };
  addEventListener("click", onClick, true);
  addEventListener("submit", onSubmit, true);
  addEventListener("input", onInput, true);
}

// oxlint-enable unicorn/consistent-function-scoping

/** The first script of every page; see `keepEarlyInput`. */
export async function EarlyInput() {
  const policy = (await headers()).get("content-security-policy") ?? "";
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  return (
    <script
      nonce={nonce}
      // Browsers hide a nonce from scripts, so from React, too.
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: `(${keepEarlyInput.toString()})((${createKeeper.toString()})())` }}
    />
  );
}
