import { describe, expect, it } from "vitest";
import { maskDocument } from "@/lib/contract/document";
import { addressable, readSearch } from "./view";

describe("what somebody searches for", () => {
  it.each([
    ["52998224725", "***.982.247-**"],
    ["529.982.247-25", "***.982.247-**"],
    ["529 982 247 26", "***.982.247-**"],
    ["11222333000181", "**.222.333/0001-**"],
    ["12.abc.345/01de-35", "**.ABC.345/01DE-**"],
  ])("gets into an address without the document that it is: %s", (typed, address) => {
    expect(addressable(typed)).toBe(address);
  });

  it.each(["982.247", "982247", "3f2a", "3f2a77b0-51d2-4b6e-9a57-0b1c2d3e4f50", "pep", "filial sul", "***.982.247-**"])(
    "stays as it is when it is no whole document: %s",
    (typed) => {
      expect(addressable(typed)).toBe(typed);
    },
  );

  it.each(["52998224725", "11222333000181", "12ABC34501DE35"])("is masked as it is everywhere else: %s", (document) => {
    expect(addressable(document)).toBe(maskDocument(document));
  });

  it("is found by all of what the mask shows, or by the beginning of it", () => {
    expect(readSearch("***.982.247-**")).toEqual({ kind: "mask", shown: "982247" });
    expect(readSearch("982.2")).toEqual({ kind: "word", text: "982.2", shown: "9822" });
    expect(readSearch("pep")).toEqual({ kind: "word", text: "pep", shown: null });
  });
});
