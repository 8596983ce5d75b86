import { expect, test } from "vitest";
import portuguese from "@/messages/pt-BR.json";
import { chosen, clientKeys, patternsOf } from "./client-keys.mjs";

const asked = (code: string) =>
  [...patternsOf(`const X = () => { ${code} };`)].toSorted((one, other) => (one < other ? -1 : 1));

test("reads messages by name, by each name of a choice, or by prefix", () => {
  expect(
    asked('const t = useTranslations("kyc"); return t("title") + t(isOn ? "on" : "off") + t(`view.${view}`);'),
  ).toEqual(["kyc.off", "kyc.on", "kyc.title", "kyc.view.*"]);
});

test("loads the whole namespace when code computes a message's name", () => {
  expect(asked('const t = useTranslations("kyc"); return t(name);')).toEqual(["kyc.**"]);
  expect(asked('const t = useTranslations("kyc"); return wordsOf(t);')).toEqual(["kyc.**"]);
});

test("reads the names that formatting asks for", () => {
  expect(asked('const t = useTranslations("kyc"); return t.rich("title", { name: () => t("name") });')).toEqual([
    "kyc.name",
    "kyc.title",
  ]);
});

test("tells two functions of one file apart that share a name", () => {
  const code =
    'const A = () => { const t = useTranslations("a"); return t("x"); }; const B = () => { const t = useTranslations("b"); return t("y"); };';
  expect(asked(code)).toEqual(["a.x", "b.y"]);
});

test("fails the build for an unknown message", () => {
  expect(() => chosen(["kyc.title"], new Set(["kyc.titel"]))).toThrow("No sentence is called kyc.titel.");
});

const inPortuguese = (key: string) =>
  key
    .split(".")
    .reduce<unknown>((words, name) => Object.entries(Object(words)).find(([known]) => known === name)?.[1], portuguese);

test("maps every page to its messages, which the catalogue has", () => {
  const keys = clientKeys();
  expect(keys["app/(console)/kyc/page"]).toContain("kycQueue.arrivals");
  expect(keys["app/(console)/kyc/page"]).not.toContain("states.reference");
  expect(Object.keys(keys["app/(console)/kyc/page"] ?? {}).length).toBeLessThan(150);
  expect(
    Object.values(keys)
      .flat()
      .filter((key) => typeof inPortuguese(String(key)) !== "string"),
  ).toEqual([]);
});

test("gives a page no messages from unused parts of a module", () => {
  const keys = clientKeys();
  expect(keys["app/(console)/layout"]).toContain("environment.EMBEDDED");
  expect(keys["app/(console)/layout"]).not.toContain("kyc.status.PENDING");
});
