import { expect, it } from "vitest";
import { keyOf } from "./keys";

it("a keydown without a key, as of a browser that fills in a form, has none", () => {
  expect(keyOf({})).toBe("");
  expect(keyOf({ key: "Unidentified", nativeEvent: {} })).toBe("");
});

it("the Enter that ends a composition is the input method's, in every browser's way of saying so", () => {
  expect(keyOf({ key: "Enter", isComposing: true })).toBe("");
  expect(keyOf({ key: "Enter", isComposing: false, keyCode: 229 })).toBe("");
  expect(keyOf({ key: "Enter", nativeEvent: { key: "Enter", isComposing: true } })).toBe("");
  expect(keyOf({ key: "Enter", isComposing: false, keyCode: 13 })).toBe("Enter");
});
