import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { shortHash } from "@/lib/text/short";
import { ShortEnds } from "./short-code";

const HASH = "8f9e7626a7c1d2e3f4a5b6c7d8e9fae57511a8";

const headOf = (shown?: string) =>
  /<span class="([^"]*)">(\w+)<\/span>/.exec(renderToStaticMarkup(<ShortEnds text={HASH} shown={shown} />));

it("leaves no part of a sign and no gap before the dots", () => {
  for (const [shown, head] of [
    [undefined, "8f9e7626a7"],
    [shortHash(HASH), "8f9e76"],
  ] as const) {
    const [, style, text] = headOf(shown) ?? [];
    expect(text).toBe(head);
    expect(style).toContain("round(down,");
    // A sign is exactly 1ch wide only so.
    expect(renderToStaticMarkup(<ShortEnds text={HASH} shown={shown} />)).toContain("tracking-normal");
  }
});

const CUT_TWICE = /\btruncate\b[^>]*>\s*(?:<ProviderText text=)?\{short(?:Address|Hash)\(/g;

it("shortens an address or a hash once", () => {
  const found = ["app", "components"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".tsx"))
      .flatMap((path) => [...readFileSync(join(folder, path), "utf8").matchAll(CUT_TWICE)].map(() => path)),
  );
  expect(found).toEqual([]);
});
