import { expect, it } from "vitest";
import { adding, type Begun, editOf } from "./typed-ahead";

const pressed = (keys: readonly string[]): Begun | null =>
  keys.reduce<Begun | null>(
    (before, key) => {
      const edit = editOf({ key, ctrlKey: false, metaKey: false, altKey: false });
      return before === null || edit === undefined ? before : edit(before);
    },
    { text: "", isEntered: false },
  );

it("keeps what is typed before the search is there, and that Enter followed it", () => {
  expect(pressed(["4", "1", "x", "Backspace", "7"])).toEqual({ text: "417", isEntered: false });
  expect(pressed(["4", "1", "7", "Enter"])).toEqual({ text: "417", isEntered: true });
});

it("takes Enter back when more is typed or pasted", () => {
  expect(pressed(["4", "Enter", "1"])).toEqual({ text: "41", isEntered: false });
  expect(pressed(["4", "Enter", "Backspace"])).toEqual({ text: "", isEntered: false });
  expect(adding("05")({ text: "4", isEntered: true })).toEqual({ text: "405", isEntered: false });
});

it("opens nothing for Enter without a text, and closes by Escape", () => {
  expect(pressed(["Enter"])).toEqual({ text: "", isEntered: false });
  expect(pressed(["4", "Escape"])).toBeNull();
});

it("leaves other keys and shortcuts to the browser", () => {
  const held = { ctrlKey: false, metaKey: false, altKey: false };
  expect(editOf({ ...held, key: "Tab" })).toBeUndefined();
  expect(editOf({ ...held, key: "v", ctrlKey: true })).toBeUndefined();
});
