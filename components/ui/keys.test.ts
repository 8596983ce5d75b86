import { expect, it, vi } from "vitest";
import { keyOf, moveInRows } from "./keys";

it("returns no key for a browser's autofill event", () => {
  expect(keyOf({})).toBe("");
  expect(keyOf({ key: "Unidentified", nativeEvent: {} })).toBe("");
});

it("ignores the Enter that ends a composition, in every browser's form", () => {
  expect(keyOf({ key: "Enter", isComposing: true })).toBe("");
  expect(keyOf({ key: "Enter", isComposing: false, keyCode: 229 })).toBe("");
  expect(keyOf({ key: "Enter", nativeEvent: { key: "Enter", isComposing: true } })).toBe("");
  expect(keyOf({ key: "Enter", isComposing: false, keyCode: 13 })).toBe("Enter");
});

it("moves to the next or previous row with J and K and stays within the list", () => {
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
