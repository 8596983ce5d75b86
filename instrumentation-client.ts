type Rules = Record<"createHTML" | "createScriptURL", (text: string) => string | null>;

declare global {
  interface Window {
    trustedTypes?: { createPolicy: (name: string, rules: Rules) => unknown };
  }
}

const isOwnFile = (address: string) =>
  new URL(address, location.href).href.startsWith(`${location.origin}/_next/static/`);

// The page's policy lets no text become markup or a script, save what the framework itself does with it: load its own
// files, and make an empty script element by parsing one.
window.trustedTypes?.createPolicy("default", {
  createScriptURL: (address) => (isOwnFile(address) ? address : null),
  createHTML: (markup) => (markup === "<script></script>" ? markup : null),
});

// Where the scroll lock of Radix's dialogs looks for the nonce of its style element.
Object.assign(window, { __webpack_nonce__: document.querySelector("script")?.nonce });
