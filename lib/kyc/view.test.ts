import { assert, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { KycFilter } from "./inputs";
import { composeReason, includesReason, mayHoldUnread } from "./view";

it.each([
  ["every open case", {}, true],
  ["the unassigned", { view: "unassigned" }, true],
  ["one's own", { view: "mine" }, false],
  ["a state", { status: "APPROVED" }, false],
  ["a search", { search: "4f5e" }, false],
])("marks a list of %s as possibly incomplete: %j, %s", (_list, asked, may) => {
  expect(mayHoldUnread(KycFilter.parse(asked))).toBe(may);
});

describe("what the provider is told", () => {
  it("sends the reason alone when nothing is added", () => {
    expect(composeReason("Documento ilegível.", "  \n")).toBe("Documento ilegível.");
  });

  it("sends the reason followed by the addition, as sentences", () => {
    expect(composeReason("Documento ilegível.", " Verso cortado. ")).toBe("Documento ilegível. Verso cortado.");
    expect(composeReason("Documento ilegível", "Verso cortado")).toBe("Documento ilegível. Verso cortado");
  });

  it("yields the standard reason back, whatever was added", () => {
    assert(
      property(string({ unit: "binary" }), string({ minLength: 1 }), (addition, text) => {
        expect(includesReason(composeReason(text, addition), text)).toBe(true);
      }),
    );
  });

  it("yields no other reason", () => {
    expect(includesReason("Documento ilegível demais.", "Documento ilegível.")).toBe(false);
    expect(includesReason("Qualquer coisa", "Documento ilegível.")).toBe(false);
  });
});
