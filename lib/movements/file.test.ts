import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { localHeader, refuseLargeZip, zipEnd } from "./file";

const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;

function refusal(entries: number, sizeBytes: number): unknown {
  try {
    refuseLargeZip({ entries, sizeBytes });
    return null;
  } catch (error) {
    return error;
  }
}

describe("a zip", () => {
  it("leads from its directory to each entry, with its size and its checksum", () => {
    const contents = [Buffer.from("control"), Buffer.from("Lançamentos"), Buffer.alloc(0)];
    const names = ["control.csv", "00001-0001-7.ofx", "00002-ã.ofx"];
    const entries = contents.map((bytes, at) => ({
      name: names[at] ?? "",
      sizeBytes: bytes.length,
      crc: crc32(bytes),
    }));
    const body = Buffer.concat(entries.flatMap((entry, at) => [localHeader(entry), contents[at] ?? Buffer.alloc(0)]));
    const comment = Buffer.from("\n%signature\n");
    const zip = Buffer.concat([body, zipEnd(entries, comment.length), comment]);
    const end = zip.length - comment.length - END_BYTES;
    expect(zip.readUInt32LE(end)).toBe(0x06054b50);
    expect(zip.readUInt16LE(end + 20)).toBe(comment.length);
    expect(zip.readUInt16LE(end + 10)).toBe(entries.length);
    let at = zip.readUInt32LE(end + 16);
    expect(at).toBe(body.length);
    for (const [index, { name, crc }] of entries.entries()) {
      expect(zip.readUInt32LE(at)).toBe(0x02014b50);
      const nameBytes = zip.readUInt16LE(at + 28);
      expect(zip.toString("utf8", at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes)).toBe(name);
      const local = zip.readUInt32LE(at + 42);
      expect(zip.readUInt32LE(local)).toBe(0x04034b50);
      const from = local + LOCAL_BYTES + zip.readUInt16LE(local + 26);
      const bytes = zip.subarray(from, from + zip.readUInt32LE(local + 22));
      expect(bytes).toEqual(contents[index]);
      expect(zip.readUInt32LE(at + 16)).toBe(crc);
      at += CENTRAL_BYTES + nameBytes;
    }
    expect(at).toBe(end);
  });

  it("holds 65,534 statements beside its control file, and just under 4 GiB", () => {
    const refused = { kind: "invalid", details: { code: "movement-file-large" } };
    expect(refusal(65_534, 0)).toBeNull();
    expect(refusal(65_535, 0)).toMatchObject(refused);
    expect(refusal(1, 4_000_000_000)).toBeNull();
    expect(refusal(1, 2 ** 32)).toMatchObject(refused);
  });
});
