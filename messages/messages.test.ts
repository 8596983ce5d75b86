import { describe, expect, it } from "vitest";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";

type Branch = { [key: string]: string | Branch };

function texts(branch: Branch, path = ""): [string, string][] {
  return Object.entries(branch).flatMap(([key, value]) =>
    typeof value === "string" ? [[`${path}${key}`, value]] : texts(value, `${path}${key}.`),
  );
}

/** Braces hold a value, or a choice whose texts may hold values again. */
function variables(text: string): Set<string> {
  const found = new Set<string>();
  let depth = 0;
  for (const [brace, name = ""] of text.matchAll(/\{(\w*)|\}/g)) {
    if (brace !== "}" && depth % 2 === 0) found.add(name);
    depth += brace === "}" ? -1 : 1;
  }
  return found;
}

describe("the two languages", () => {
  const inEnglish = new Map(texts(english));
  const inPortuguese = texts(portuguese);

  it("says the same in both languages, with nothing untranslated", () => {
    expect([...inEnglish.keys()].toSorted()).toEqual(inPortuguese.map(([path]) => path).toSorted());
    expect([...inEnglish.values(), ...inPortuguese.map(([, text]) => text)]).not.toContain("");
  });

  it.each(inPortuguese)("%s takes the same values in both languages", (path, text) => {
    expect(variables(inEnglish.get(path) ?? "")).toEqual(variables(text));
  });

  it("calls a background check by a Portuguese name in Portuguese", () => {
    expect(inPortuguese.filter(([, text]) => /background check/i.test(text))).toEqual([]);
  });

  it("names a wallet without a use alike in lists and sums", () => {
    for (const { wallets, position } of [english, portuguese]) {
      const unset = wallets.uses.untold.toLowerCase();
      expect(position.kinds.untold).toContain(unset);
      expect(position.groups.unset).toContain(unset);
    }
  });

  // Portuguese counts 0 as `one` too.
  it("never writes the number in singular forms", () => {
    const all = [...inEnglish, ...inPortuguese];
    expect(all.filter(([, text]) => /\bone \{[^{}]*\b1\b/.test(text))).toEqual([]);
  });
});
