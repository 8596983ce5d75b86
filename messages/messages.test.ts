import { describe, expect, it } from "vitest";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";

type Branch = { [key: string]: string | Branch };

function texts(branch: Branch, path = ""): [string, string][] {
  return Object.entries(branch).flatMap(([key, value]) =>
    typeof value === "string" ? [[`${path}${key}`, value]] : texts(value, `${path}${key}.`),
  );
}

const variables = (text: string) => new Set([...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name));

describe("the two languages", () => {
  const inEnglish = new Map(texts(english));
  const inPortuguese = texts(portuguese);

  it("say the same things, none left untranslated", () => {
    expect([...inEnglish.keys()].toSorted()).toEqual(inPortuguese.map(([path]) => path).toSorted());
    expect([...inEnglish.values(), ...inPortuguese.map(([, text]) => text)]).not.toContain("");
  });

  it.each(inPortuguese)("%s takes the same values in both", (path, text) => {
    expect(variables(inEnglish.get(path) ?? "")).toEqual(variables(text));
  });
});
