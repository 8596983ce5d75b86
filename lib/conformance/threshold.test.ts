import { expect, it } from "vitest";
import { changesOn, type CountedFinding } from "./threshold";

const TODAY = "2026-03-10";
const YESTERDAY = "2026-03-09";

const one = (day: string, is: CountedFinding["is"], answers: number, field = ""): CountedFinding => ({
  day,
  operation: "GET /v1/kyc/list",
  is,
  field,
  found: "",
  answers,
});

const before = one(YESTERDAY, "ANSWERED", 400);

it("names a documented field that is missing or retyped since today", () => {
  const today = [one(TODAY, "ANSWERED", 50), one(TODAY, "MISSING", 50, "limit"), one(TODAY, "RETYPED", 6, "page")];
  expect(changesOn(TODAY, [before, ...today]).map(({ is, field, answers, of }) => [is, field, answers, of])).toEqual([
    ["MISSING", "limit", 50, 50],
    ["RETYPED", "page", 6, 50],
  ]);
});

it.each([
  ["an unknown field", [before, one(TODAY, "ANSWERED", 50), one(TODAY, "UNKNOWN", 50, "extra")]],
  ["fewer than five answers", [before, one(TODAY, "ANSWERED", 4), one(TODAY, "MISSING", 4, "limit")]],
  ["less than a tenth", [before, one(TODAY, "ANSWERED", 100), one(TODAY, "MISSING", 9, "limit")]],
  [
    "what was so before",
    [before, one(YESTERDAY, "MISSING", 1, "limit"), one(TODAY, "ANSWERED", 50), one(TODAY, "MISSING", 50, "limit")],
  ],
  ["a provider's first day", [one(TODAY, "ANSWERED", 50), one(TODAY, "MISSING", 50, "limit")]],
])("is quiet about %s", (_, findings) => {
  expect(changesOn(TODAY, findings)).toEqual([]);
});
