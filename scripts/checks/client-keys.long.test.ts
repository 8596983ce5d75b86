import { expect, test } from "vitest";
import portuguese from "@/messages/pt-BR.json";
import { chosen, clientKeys, patternsOf } from "./client-keys.mjs";
import { heavier } from "./size.mjs";

const asked = (code: string) =>
  [...patternsOf(`const X = () => { ${code} };`)].toSorted((one, other) => (one < other ? -1 : 1));

test("code asks for a sentence by name, by each name of a choice, or by prefix", () => {
  expect(
    asked('const t = useTranslations("kyc"); return t("title") + t(isOn ? "on" : "off") + t(`view.${view}`);'),
  ).toEqual(["kyc.off", "kyc.on", "kyc.title", "kyc.view.*"]);
});

test("whose name the code does not say brings its whole namespace", () => {
  expect(asked('const t = useTranslations("kyc"); return t(name);')).toEqual(["kyc.**"]);
  expect(asked('const t = useTranslations("kyc"); return wordsOf(t);')).toEqual(["kyc.**"]);
});

test("two functions of one file may call different namespaces by one name", () => {
  const code =
    'const A = () => { const t = useTranslations("a"); return t("x"); }; const B = () => { const t = useTranslations("b"); return t("y"); };';
  expect(asked(code)).toEqual(["a.x", "b.y"]);
});

test("a name that no sentence has ends the build", () => {
  expect(() => chosen(["kyc.title"], new Set(["kyc.titel"]))).toThrow("No sentence is called kyc.titel.");
});

const inPortuguese = (key: string) =>
  key
    .split(".")
    .reduce<unknown>((words, name) => Object.entries(Object(words)).find(([known]) => known === name)?.[1], portuguese);

test("each page names itself to what gives its sentences, and the catalogue has them", () => {
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

test("a page gets no sentences from unused parts of a module", () => {
  const keys = clientKeys();
  expect(keys["app/(console)/layout"]).toContain("environment.EMBEDDED");
  expect(keys["app/(console)/layout"]).not.toContain("kyc.status.PENDING");
});

test("a page over its size limit is named, with a margin for names and times", () => {
  const limits = { "/kyc": { js: 100, html: 10 } };
  expect(heavier([{ route: "/kyc", js: 101, html: 10.1 }], limits)).toEqual([]);
  expect(heavier([{ route: "/kyc", js: 103, html: 10 }], limits)).toEqual([
    "/kyc has 103 kB of js; at most 100 are kept in size.json.",
  ]);
});
