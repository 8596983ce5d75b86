import { describe, expect, it } from "vitest";
import { formatDuration, formatShare } from "./measures";

const NBSP = "\u00a0";

describe("a duration", () => {
  it.each([
    [0, `0${NBSP}ms`],
    [231, `231${NBSP}ms`],
    [999.6, `1,00${NBSP}s`],
    [1_000, `1,00${NBSP}s`],
    [30_012, `30,01${NBSP}s`],
  ])("shows a duration of %s ms as %s", (ms, shown) => expect(formatDuration(ms, "pt-BR")).toBe(shown));
});

describe("a share", () => {
  it.each([
    [0, 0, "0%"],
    [1, 1, "100%"],
    [1, 120, "0,8%"],
  ])("shows a share of %s in %s as %s", (part, whole, shown) => expect(formatShare(part, whole, "pt-BR")).toBe(shown));
});
