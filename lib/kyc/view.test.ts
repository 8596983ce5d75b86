import { expect, it } from "vitest";
import { KycFilter } from "./inputs";
import { mayHoldUnread } from "./view";

it.each([
  ["every open case", {}, true],
  ["the unassigned", { view: "unassigned" }, true],
  ["one's own", { view: "mine" }, false],
  ["a state", { status: "APPROVED" }, false],
  ["a search", { sought: "4f5e" }, false],
])("a list of %s may hold records that were not understood: %j, %s", (_list, asked, may) => {
  expect(mayHoldUnread(KycFilter.parse(asked))).toBe(may);
});
