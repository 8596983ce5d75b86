import { describe, expect, it } from "vitest";
import { maskDocument } from "@/lib/contract/document";
import { isOfDocument, shownOfDocument } from "@/lib/text/typed-document";
import { KycFilter } from "./inputs";
import { beginningShown } from "./beginning-shown";

describe("what somebody searches for", () => {
  it.each([
    ["52998224725", "982247"],
    ["529.982.247-25", "982247"],
    ["529 982 247 26", "982247"],
    [maskDocument("52998224725"), "982247"],
    ["982.247", "982247"],
    ["11222333000181", "2223330001"],
    ["12.abc.345/01de-35", "ABC34501DE"],
    [maskDocument("12ABC34501DE35"), "ABC34501DE"],
    ["abc.345/01de", "ABC34501DE"],
  ])("keeps a document out of the URL, whole or masked: %s", (typed, shown) => {
    expect(shownOfDocument(typed)).toBe(shown);
    expect(KycFilter.parse({ search: typed }).search).toBeUndefined();
  });

  it.each(["982.2", "3f2a", "3f2a77b0-51d2-4b6e-9a57-0b1c2d3e4f50", "pep", "filial sul", "2026"])(
    "keeps other text in the URL: %s",
    (typed) => {
      expect(shownOfDocument(typed)).toBeNull();
      expect(KycFilter.parse({ search: typed }).search).toBe(typed);
    },
  );

  it.each(["982247", "982 247", "2223330", "222.333/0001"])(
    "keeps text with six digits out of the URL: %s",
    (typed) => {
      expect(isOfDocument(typed)).toBe(true);
      expect(KycFilter.parse({ search: typed }).search).toBeUndefined();
    },
  );

  it("finds a document by the beginning of its masked digits", () => {
    expect(beginningShown("982.2")).toBe("9822");
    expect(beginningShown("pep")).toBeNull();
  });
});
