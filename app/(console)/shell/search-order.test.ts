import { expect, it } from "vitest";
import { inOrder } from "./search-order";

it("puts actions before screens, records and the handbook, which is last", () => {
  const found = { help: ["help"], records: ["transfers"], screens: ["screens"], actions: ["new transfer"] };
  expect(inOrder({ ...found, recent: [], asks: ["provider"] })).toEqual([
    "new transfer",
    "screens",
    "transfers",
    "provider",
    "help",
  ]);
});
