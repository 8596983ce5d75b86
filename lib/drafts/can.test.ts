import { expect, test } from "vitest";
import { draftCan } from "./can";

const known = { ref: "a", isUnconfirmed: false };

test("a form like no other is sent", () => {
  expect(draftCan.send([], [])).toBeNull();
});

test("a repeat is sent once its person saw every like one", () => {
  expect(draftCan.send([known, { ...known, ref: "b" }], ["a"])).toBe("unseen");
  expect(draftCan.send([known, { ...known, ref: "b" }], ["a", "b"])).toBeNull();
});

test("beside one whose outcome is unknown nothing is sent, seen or not", () => {
  expect(draftCan.send([known, { ref: "b", isUnconfirmed: true }], ["a", "b"])).toBe("unconfirmed");
});
