import { expect, test } from "vitest";
import { readLocale } from "./view";

test.each([
  ["en", "en"],
  ["en-GB,en;q=0.9", "en"],
  ["de-DE,de;q=0.9,en;q=0.5,pt;q=0.4", "en"],
  ["pt-PT", "pt-BR"],
  ["en;q=0.3, pt;q=0.8", "pt-BR"],
  ["en;q=0", "pt-BR"],
  ["en;q=many", "pt-BR"],
  ["*", "pt-BR"],
  ["de", "pt-BR"],
  ["", "pt-BR"],
])("answers a browser that asks for %j without a choice in %s", (accepted, locale) => {
  expect(readLocale(undefined, accepted)).toBe(locale);
});

test("prefers a person's choice over the browser's", () => {
  expect(readLocale("pt-BR", "en")).toBe("pt-BR");
  expect(readLocale("en", "pt-BR")).toBe("en");
  expect(readLocale("tlh", "en")).toBe("en");
  expect(readLocale("tlh")).toBe("pt-BR");
});
