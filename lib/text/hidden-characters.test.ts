import { describe, expect, it } from "vitest";
import { namingHidden, linkParts } from "./safe-link";

describe("a text that somebody else wrote", () => {
  it.each([
    ["a right-to-left override", "Conta \u202e12345\u202c", "Conta [U+202E]12345[U+202C]"],
    ["an isolate", "R$ \u2067100\u2069", "R$ [U+2067]100[U+2069]"],
    ["marks of direction", "a\u200eb\u200fc\u061cd", "a[U+200E]b[U+200F]c[U+061C]d"],
    ["a zero-width space", "pay\u200bpal", "pay[U+200B]pal"],
    ["joiners", "b\u200can\u200dco", "b[U+200C]an[U+200D]co"],
    ["a soft hyphen", "ban\u00adco", "ban[U+00AD]co"],
    ["a byte order mark", "\ufeffAna", "[U+FEFF]Ana"],
    ["NUL and escape", "Ana\u0000\u001b[31m", "Ana[U+0000][U+001B][31m"],
    ["a lone carriage return", "Ana\rBia", "Ana[U+000D]Bia"],
    ["half of a pair", "Ana\ud800", "Ana[U+D800]"],
    ["invisible tags", "Ana\u{e0041}", "Ana[U+E0041]"],
    ["letters that look like nothing", "Ana\u3164\u2800", "Ana[U+3164][U+2800]"],
  ])("names the hidden character %s", (_, text, seen) => {
    expect(namingHidden(text)).toBe(seen);
  });

  it("keeps every visible character and line", () => {
    for (const text of ["José d'Ávila & Filhos", "Linha 1\nLinha 2\tfim", "שלום", "日本", "👍🏽", "<b>R$ 1,00</b>"]) {
      expect(linkParts(text).every(({ isHidden }) => !isHidden)).toBe(true);
      expect(namingHidden(text)).toBe(text);
    }
    expect(namingHidden("a\r\nb")).toBe("a\nb");
  });
});
