import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { givenEnv } from "@/lib/testing";
import { lookupHash, seal, unseal } from "./seal";

beforeEach(() => {
  givenEnv();
});

const otherKey = () => givenEnv({ dataKey: Buffer.alloc(32, 8) });

/** The sealed text with one of its bytes changed. */
function tamper(sealed: string, at: number): string {
  const [version = "", body = ""] = sealed.split(".");
  const bytes = Buffer.from(body, "base64");
  const position = at % bytes.length;
  bytes[position] = Number(bytes[position]) ^ 1;
  return `${version}.${bytes.toString("base64")}`;
}

describe("sealed personal data", () => {
  it("opens to what it was, accents and all", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (clear) => {
        expect(unseal(seal(clear))).toBe(clear);
      }),
    );
  });

  it("looks different each time and shows nothing of what is in it", () => {
    const [one, other] = [seal("52998224725"), seal("52998224725")];
    expect(one).not.toBe(other);
    expect(one).not.toContain("52998224725");
    expect(Buffer.from(one.slice(3), "base64").toString("latin1")).not.toContain("52998224725");
  });

  it("does not open once any byte of it was changed", () => {
    const sealed = seal("52998224725");
    fc.assert(
      fc.property(fc.nat(), (at) => {
        expect(() => unseal(tamper(sealed, at))).toThrow(/authenticate/);
      }),
    );
  });

  it("does not open with another key", () => {
    const sealed = seal("52998224725");
    otherKey();
    expect(() => unseal(sealed)).toThrow(/authenticate/);
  });

  it("does not open with a shorter proof of its authenticity", () => {
    const short = Buffer.from(seal("").slice(3), "base64").subarray(0, 12 + 4);
    expect(() => unseal(`v1.${short.toString("base64")}`)).toThrow(/tag length/);
  });

  it.each(["", "v1.", "v1.AAAA", "52998224725"])("is not %j", (odd) => {
    expect(() => unseal(odd)).toThrow(/./);
  });

  it.each(["v2", "v11", "v1 ", ""])("does not open when it says that it is of version %j", (version) => {
    const [, body = ""] = seal("52998224725").split(".");
    expect(() => unseal(`${version}.${body}`)).toThrow("sealed data is not of version v1");
  });
});

describe("the hash by which it is found", () => {
  it("is the same for the same text and different for any other", () => {
    expect(lookupHash("52998224725")).toBe(lookupHash("52998224725"));
    expect(lookupHash("52998224725")).not.toBe(lookupHash("39053344705"));
  });

  it("cannot be made by who has the list of all CPFs but not the key", () => {
    const hash = lookupHash("52998224725");
    otherKey();
    expect(lookupHash("52998224725")).not.toBe(hash);
  });
});
