import { expect, it } from "vitest";
import { nextToDecide } from "./use-refusing";

it("goes to the next request after what was refused, then back to the top", () => {
  const order = ["a", "b", "c", "d"];
  expect(nextToDecide(order, ["b"])).toBe("c");
  expect(nextToDecide(order, ["b", "c"])).toBe("d");
  expect(nextToDecide(order, ["c", "d"])).toBe("a");
  expect(nextToDecide(order, order)).toBeNull();
});
