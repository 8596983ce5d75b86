import { expect, it, vi } from "vitest";
import { keyOf, moveInRows } from "./keys";

it("a keydown without a key, as of a browser that fills in a form, has none", () => {
  expect(keyOf({})).toBe("");
  expect(keyOf({ key: "Unidentified", nativeEvent: {} })).toBe("");
});

it("ignores the Enter that ends a composition, however the browser reports it", () => {
  expect(keyOf({ key: "Enter", isComposing: true })).toBe("");
  expect(keyOf({ key: "Enter", isComposing: false, keyCode: 229 })).toBe("");
  expect(keyOf({ key: "Enter", nativeEvent: { key: "Enter", isComposing: true } })).toBe("");
  expect(keyOf({ key: "Enter", isComposing: false, keyCode: 13 })).toBe("Enter");
});

it("J and K move to the row beside, begin at either end and stay within the list", () => {
  const links = ["first", "second", "third"].map((name) => ({ name, focus: () => (focused = name) }));
  let focused = "";
  const row = { contains: ({ name }: { name: string }) => name === focused };
  const activeElement = { closest: () => (focused === "" ? null : row) };
  vi.stubGlobal("document", { querySelectorAll: () => links, activeElement });
  const moved = ([1, 1, 1, 1, -1] as const).map((step) => [moveInRows(step), focused]);
  expect(moved).toEqual([
    [true, "first"],
    [true, "second"],
    [true, "third"],
    [false, "third"],
    [true, "second"],
  ]);
  focused = "";
  moveInRows(-1);
  expect(focused).toBe("third");
  vi.unstubAllGlobals();
});
