import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./file";

describe("canonical JSON", () => {
  it("writes RFC 8785's example of canonical JSON", () => {
    const value = {
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"/",
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it("sorts names by code unit", () => {
    const sorted = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\ud83d\ude00", "\ufb33"];
    const value = Object.fromEntries(sorted.toReversed().map((name) => [name, 0]));
    expect(Object.keys(JSON.parse(canonicalJson(value))).toSorted()).toEqual(sorted.toSorted());
    expect(canonicalJson(value)).toBe(`{${sorted.map((name) => `${JSON.stringify(name)}:0`).join(",")}}`);
  });

  it("refuses numbers that JSON cannot express", () => {
    expect(() => canonicalJson([Number.NaN])).toThrow(RangeError);
    expect(() => canonicalJson({ a: Infinity })).toThrow(RangeError);
    expect(canonicalJson(-0)).toBe("0");
  });

  it("round-trips canonical JSON to the letter", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const once = canonicalJson(JSON.parse(text));
        expect(canonicalJson(JSON.parse(once))).toBe(once);
      }),
    );
  });
});
