import { expect, test } from "vitest";
import { FilterMinute } from "./filter";

test.each(["2026-11-21T16:07", "2024-02-29T00:00", "9999-12-31T23:59"])(
  "accepts %s as a minute of a filter",
  (text) => {
    expect(FilterMinute.safeParse(text).success).toBe(true);
  },
);

test.each([
  "2026-02-31T10:00",
  "2025-02-29T10:00",
  "2026-13-01T10:00",
  "0000-01-01T00:00",
  "2026-11-21T24:00",
  "2026-11-21",
])("refuses %s, a moment that the store cannot hold", (text) => {
  expect(FilterMinute.safeParse(text).success).toBe(false);
});

test("reads a typed minute, as a form without a script sends it", () => {
  expect(FilterMinute.parse("21/11/2026 16:07")).toBe("2026-11-21T16:07");
  expect(FilterMinute.safeParse("31/02/2026 16:07").success).toBe(false);
});
