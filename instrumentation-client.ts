type Rules = Record<"createHTML" | "createScriptURL", (text: string) => string | null>;

declare global {
  interface Window {
    trustedTypes?: { createPolicy: (name: string, rules: Rules) => unknown };
  }
}

const isOwnFile = (address: string) =>
  new URL(address, location.href).href.startsWith(`${location.origin}/_next/static/`);

// Next's own files, and the empty script element that it parses.
window.trustedTypes?.createPolicy("default", {
  createScriptURL: (address) => (isOwnFile(address) ? address : null),
  createHTML: (markup) => (markup === "<script></script>" ? markup : null),
});

// For the style element of Radix's scroll lock.
Object.assign(window, { __webpack_nonce__: document.querySelector("script")?.nonce });
