import { expect, it } from "vitest";
import { createMemory } from "./memory";

it("keeps the newest values and forgets the oldest", () => {
  const memory = createMemory<number>(2);
  memory.set("a", 1);
  memory.set("b", 2);
  memory.set("a", 3);
  memory.set("c", 4);
  expect([memory.get("a"), memory.get("b"), memory.get("c")]).toEqual([3, undefined, 4]);
});
