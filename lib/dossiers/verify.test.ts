import { createPublicKey } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyName } from "@/lib/audit/head";
import { DossierFile, sealFile, canonicalJson } from "./file";
import { Sections } from "./contents";
import { CONTENTS, OTHER_KEY, OUR_KEY } from "@/test/support/dossiers";
import { verifyDossier } from "./verify";

const KNOWN = [createPublicKey(OUR_KEY)];
const contents = Sections.parse(CONTENTS);
const sealed = sealFile(contents, OUR_KEY);
const bytes = Buffer.from(sealed.text);
const parsed = () => DossierFile.parse(JSON.parse(sealed.text));

const check = (text: string | Buffer) => verifyDossier(Buffer.from(text), KNOWN);

describe("a dossier", () => {
  it("verifies a dossier as sealed", async () => {
    expect(check(sealed.text)).toMatchObject({
      kind: "valid",
      sha256: sealed.sha256,
      signedBy: keyName(createPublicKey(OUR_KEY)),
    });
  });

  it("reports a dossier as altered when any byte differs", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Buffer.from(bytes);
        changed.writeUInt8((changed.readUInt8(at) ^ change) & 0xff, at);
        expect(check(changed).kind).not.toBe("valid");
      }),
      { numRuns: 500 },
    );
  });

  it("reports a dossier as altered when cut or extended anywhere", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), async (at) => {
        expect(check(bytes.subarray(0, at))).toEqual({ kind: "altered", what: "file", sections: [] });
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length), fc.uint8Array({ minLength: 1, maxLength: 4 }), async (at, more) => {
        const longer = Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
        expect(check(longer).kind).toBe("altered");
      }),
    );
  });

  it.each(Object.keys(contents))("reports that a dossier's section %s was changed", async (name) => {
    const file = parsed();
    const changed = { ...file, contents: { ...file.contents, [name]: "another" } };
    expect(check(canonicalJson(changed))).toEqual({ kind: "altered", what: "sections", sections: [name] });
  });

  it("reports a dossier's removed or added section", async () => {
    const file = parsed();
    const { notes: _, ...others } = file.contents;
    expect(check(canonicalJson({ ...file, contents: others }))).toMatchObject({ sections: ["notes"] });
    const more = { ...file, contents: { ...file.contents, later: true } };
    expect(check(canonicalJson(more))).toMatchObject({ sections: ["later"] });
  });

  it("reports a dossier as altered when rehashed without the key", async () => {
    const other = parsed();
    const forged = sealFile({ ...other.contents, notes: [] }, OTHER_KEY);
    const seal = { ...DossierFile.parse(JSON.parse(forged.text)).seal };
    const withOurs = { ...seal, publicKey: other.seal.publicKey, signature: other.seal.signature };
    const file = { ...DossierFile.parse(JSON.parse(forged.text)), seal: withOurs };
    expect(check(canonicalJson(file))).toMatchObject({ kind: "altered", what: "seal" });
  });

  it("reports a dossier as altered when its text is reformatted", async () => {
    expect(check(JSON.stringify(parsed(), null, 2))).toMatchObject({ what: "layout" });
    expect(check(`${sealed.text}\n`)).toMatchObject({ what: "layout" });
  });

  it("names a dossier's seal made with another key", async () => {
    const { text, signedBy } = sealFile(contents, OTHER_KEY);
    expect(check(text)).toEqual({ kind: "unknown-key", signedBy });
    expect(verifyDossier(Buffer.from(text), [createPublicKey(OTHER_KEY)])).toMatchObject({ kind: "valid" });
  });

  it("refuses any file that is no dossier", async () => {
    for (const text of ["", "{}", "null", '{"format":"retaguarda-dossier-2"}', "\u0000"]) {
      expect(check(text)).toMatchObject({ kind: "altered", what: "file" });
    }
  });
});
