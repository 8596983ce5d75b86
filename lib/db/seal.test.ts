import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { dataKey } from "@/lib/settings/keys";
import { givenEnv } from "@/test/support/console";
import { isHashOf, lookupHash, lookupHashes, seal, unseal } from "./seal";
import type { SealedTarget } from "./sealed-columns";

const CPF = "52998224725";
const here: SealedTarget = { column: "account.document_sealed", row: ["one"] };
const first = dataKey(Buffer.alloc(32, 7));
const second = dataKey(Buffer.alloc(32, 8));

beforeEach(() => {
  givenEnv({ dataKeys: [first] });
});

const bodyOf = (sealed: string) => sealed.split(".").at(-1) ?? "";

/** The sealed text with one of its bytes changed. */
function tamper(sealed: string, at: number): string {
  const bytes = Buffer.from(bodyOf(sealed), "base64");
  const position = at % bytes.length;
  bytes[position] = Number(bytes[position]) ^ 1;
  return sealed.replace(bodyOf(sealed), bytes.toString("base64"));
}

describe("sealed personal data", () => {
  it("unseals the original text, accents included", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (clear) => {
        expect(unseal(seal(clear, here), here)).toBe(clear);
      }),
    );
  });

  it("seals a text differently each time and shows nothing of it", () => {
    const one = seal(CPF, here);
    const other = seal(CPF, here);
    expect(one).not.toBe(other);
    expect(one).not.toContain(CPF);
    expect(Buffer.from(bodyOf(one), "base64").toString("latin1")).not.toContain(CPF);
  });

  it("does not unseal after any byte was changed", () => {
    const sealed = seal(CPF, here);
    fc.assert(
      fc.property(fc.nat(), (at) => {
        expect(() => unseal(tamper(sealed, at), here)).toThrow(/authenticate/);
      }),
    );
  });

  it.each<SealedTarget>([
    { column: "account.document_sealed", row: ["two"] },
    { column: "onboarding.document_sealed", row: ["one"] },
    { column: "account.document_sealed", row: [] },
    { column: "bank_intent.body_sealed", row: ["one", "one"] },
  ])("does not unseal in another place: $column $row", (elsewhere) => {
    expect(() => unseal(seal(CPF, here), elsewhere)).toThrow(/authenticate/);
  });

  it("unseals a text that an earlier version sealed without its tenant", () => {
    const column = "kyc_decision.reason";
    expect(unseal(seal(CPF, { column, row: ["intent"] }), { column, row: ["aurora", "intent"] })).toBe(CPF);
    expect(() =>
      unseal(seal(CPF, { column, row: ["aurora", "intent"] }), { column, row: ["boreal", "intent"] }),
    ).toThrow(/authenticate/);
  });

  it("does not unseal with a shortened authentication tag", () => {
    const sealed = seal("", here);
    const short = Buffer.from(bodyOf(sealed), "base64").subarray(0, 12 + 4);
    expect(() => unseal(sealed.replace(bodyOf(sealed), short.toString("base64")), here)).toThrow(/tag length/);
  });

  it.each(["", "v1", "v2.AAAA", "v3.00000000.AAAA", "v2.0000000g.AAAA", "v1.", "v1.AAAA", CPF])(
    "refuses the sealed text %j",
    (odd) => {
      expect(() => unseal(odd, here)).toThrow("what stands in account.document_sealed is not sealed");
    },
  );
});

describe("while keys are exchanged", () => {
  it("unseals with any known key and seals with the first", () => {
    const sealed = seal(CPF, here);
    givenEnv({ dataKeys: [second, first] });
    expect(unseal(sealed, here)).toBe(CPF);
    expect(seal(CPF, here)).toMatch(new RegExp(`^v2\\.${second.id}\\.`));
  });

  it("does not unseal without the key, and gives its id", () => {
    const sealed = seal(CPF, here);
    givenEnv({ dataKeys: [second] });
    expect(() => unseal(sealed, here)).toThrow(`sealed with key ${first.id}, which is not known here`);
  });

  it("does not accept one key under another's id", () => {
    const sealed = seal(CPF, here);
    givenEnv({ dataKeys: [second, first] });
    expect(() => unseal(sealed.replace(first.id, second.id), here)).toThrow(/authenticate/);
  });
});

describe("the hash by which it is found", () => {
  it("hashes equal texts alike and others differently", () => {
    expect(lookupHash(CPF)).toBe(lookupHash(CPF));
    expect(lookupHash(CPF)).not.toBe(lookupHash("39053344705"));
  });

  it("computes no hash from a list of all CPFs without the key", () => {
    const hash = lookupHash(CPF);
    givenEnv({ dataKeys: [second] });
    expect(isHashOf(hash, CPF)).toBe(false);
  });

  it("recognises a hash under any known key", () => {
    const hash = lookupHash(CPF);
    givenEnv({ dataKeys: [second, first] });
    for (const known of [hash, lookupHash(CPF)]) expect(isHashOf(known, CPF)).toBe(true);
    expect(isHashOf(hash, "39053344705")).toBe(false);
    expect(lookupHashes(CPF)[0]).toBe(lookupHash(CPF));
  });
});
