import { expect, it } from "vitest";
import { createWordFiles } from "./word-files";

const english = { common: { close: "Close", retry: "Retry" }, kyc: { title: "KYC", one: "one case" } };

it("makes one file of what each page says, called by its text", () => {
  const { names, texts } = createWordFiles(english, { a: ["common.close", "kyc.title"], b: ["kyc.title", "kyc.one"] });
  const textOf = (of: string): unknown => JSON.parse(texts.get(names.get(of) ?? "") ?? "null");
  expect(textOf("a")).toEqual({ common: { close: "Close" }, kyc: { title: "KYC" } });
  expect(textOf("b")).toEqual({ kyc: { title: "KYC", one: "one case" } });
});

const nameIn = (title: string) => createWordFiles({ kyc: { title } }, { a: ["kyc.title"] }).names.get("a");

it("gives a file a new name when a sentence changes", () => {
  expect(nameIn("KYC")).toBe(nameIn("KYC"));
  expect(nameIn("KYC")).not.toBe(nameIn("Cases"));
});

it("makes no file for a page whose scripts say nothing", () => {
  const { names, texts } = createWordFiles(english, { a: [] });
  expect(names.get("a")).toBe("");
  expect(texts.size).toBe(0);
});

it("makes no file for a frame, whose words are in the HTML", () => {
  const { names, texts } = createWordFiles(english, { "app/layout": ["kyc.title"], a: ["common.close"] });
  expect([...names.keys()]).toEqual(["a"]);
  expect(texts.size).toBe(1);
});

it("fails for a name without a sentence", () => {
  expect(() => createWordFiles(english, { a: ["common.open"] })).toThrow("no sentence is called open");
});
