import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { givenEnv } from "@/test/support/console";
import { unwrap, wrap } from "./seal";

const target = { column: "casework_content.key_sealed", row: ["aurora", randomUUID()] } as const;
const clear = Buffer.from("%PDF-1.7 contrato social");

beforeEach(() => void givenEnv());

describe("bytes under a key of their own", () => {
  it("opens the bytes again, and shows nothing of their content", () => {
    const wrapped = wrap(clear, target);
    expect(Buffer.from(unwrap(wrapped, target))).toEqual(clear);
    expect(Buffer.from(wrapped.bytes).includes("contrato")).toBe(false);
    expect(Buffer.from(unwrap(wrap(Buffer.alloc(0), target), target))).toHaveLength(0);
  });

  it("refuses bytes that were altered, cut short or moved to another file", () => {
    const wrapped = wrap(clear, target);
    for (let at = 0; at < wrapped.bytes.length; at += 1) {
      const bytes = Buffer.from(wrapped.bytes);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      expect(() => unwrap({ ...wrapped, bytes }, target)).toThrow(/./);
    }
    const cut = { ...wrapped, bytes: wrapped.bytes.subarray(0, -1) };
    expect(() => unwrap(cut, target)).toThrow(/./);
    expect(() => unwrap(wrapped, { ...target, row: ["boreal", target.row[1]] })).toThrow(/./);
    expect(() => unwrap({ ...wrapped, bytes: wrap(clear, target).bytes }, target)).toThrow(/./);
  });
});
