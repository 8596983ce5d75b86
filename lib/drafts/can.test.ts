import { expect, test } from "vitest";
import { draftCan } from "./can";

const known = { ref: "a", isUnconfirmed: false };

test("sends a form that resembles no other", () => {
  expect(draftCan.send([], [])).toBeNull();
});

test("sends a repeat once its author has seen every similar one", () => {
  expect(draftCan.send([known, { ...known, ref: "b" }], ["a"])).toBe("unseen");
  expect(draftCan.send([known, { ...known, ref: "b" }], ["a", "b"])).toBeNull();
});

test("sends nothing beside a similar order with an unknown outcome", () => {
  expect(draftCan.send([known, { ref: "b", isUnconfirmed: true }], ["a", "b"])).toBe("unconfirmed");
});
