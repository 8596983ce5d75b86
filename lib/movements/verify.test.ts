import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publicKeyOf } from "@/lib/audit/head";
import { signatureLine } from "@/lib/audit/signed-file";
import { sha256 } from "@/lib/text/decode";
import { OTHER_KEY, OUR_KEY } from "@/test/support/dossiers";
import { FILE_FORMAT, FILE_FORMATS } from "./format";
import { verifyMovementFile } from "./verify";

const KNOWN = [publicKeyOf(OUR_KEY)];
const body = Buffer.from('"source","note"\r\n"account","r","0001","7"\r\n');
const file = Buffer.concat([body, Buffer.from(signatureLine(FILE_FORMAT, sha256(body), OUR_KEY))]);

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "movements-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function verify(bytes: Buffer) {
  const path = join(folder, "file.csv");
  writeFileSync(path, bytes);
  return verifyMovementFile(path, KNOWN);
}

describe("a file of movements", () => {
  it("verifies a file as exported, with its SHA-256", async () => {
    const hash = createHash("sha256").update(file).digest("hex");
    expect(await verify(file)).toMatchObject({ kind: "valid", sha256: hash });
  });

  it("verifies a file of an earlier release", async () => {
    const [, ...earlier] = FILE_FORMATS;
    for (const format of earlier) {
      const before = Buffer.concat([body, Buffer.from(signatureLine(format, sha256(body), OUR_KEY))]);
      expect(await verify(before)).toMatchObject({ kind: "valid" });
    }
    expect(earlier).toEqual(["retaguarda-movements-1"]);
  });

  it("reports a file as altered whichever byte differs", async () => {
    for (let at = 0; at < file.length; at += 1) {
      const changed = Buffer.from(file);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect((await verify(changed)).kind, `byte ${at}`).not.toBe("valid");
    }
  });

  it("refuses a file cut short, extended or empty", async () => {
    for (const bytes of [file.subarray(0, -1), Buffer.concat([file, Buffer.from("\n")]), body, Buffer.alloc(0)])
      expect(await verify(bytes)).toEqual({ kind: "altered" });
  });

  it("names another installation's file apart from an altered one", async () => {
    const theirs = Buffer.concat([body, Buffer.from(signatureLine(FILE_FORMAT, sha256(body), OTHER_KEY))]);
    expect(await verify(theirs)).toMatchObject({ kind: "unknown-key" });
  });

  it("refuses another kind of file signed with the same key", async () => {
    const other = Buffer.concat([body, Buffer.from(signatureLine("retaguarda-dossier-pdf-1", sha256(body), OUR_KEY))]);
    expect(await verify(other)).toEqual({ kind: "altered" });
  });
});
