import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addDataKeyFile, dataKey, dataKeyFiles, dataKeysFrom } from "./keys";

let dataDir = "";
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "keys-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const files = () => readdirSync(join(dataDir, "keys")).toSorted();
const keyText = (byte: number) => Buffer.alloc(32, byte).toString("base64");

describe("a data key", () => {
  it("gives a key a distinct id that reveals nothing of it", () => {
    const { id, bytes } = dataKey(Buffer.alloc(32, 7));
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(bytes.toString("hex")).not.toContain(id);
    expect(dataKey(Buffer.alloc(32, 8)).id).not.toBe(id);
  });

  it("counts a key once, however often the settings name it", () => {
    expect(dataKeysFrom(keyText(1), [keyText(2), keyText(1), keyText(2)])).toHaveLength(2);
  });
});

describe("the data keys in files", () => {
  it("starts with one key, created on first start", () => {
    expect(dataKeyFiles(dataDir)).toHaveLength(1);
    expect(files()).toEqual(["data.key"]);
    expect(dataKeyFiles(dataDir)).toEqual(dataKeyFiles(dataDir));
  });

  it("puts a new key first, in a file that only this user can read", () => {
    const [old] = dataKeyFiles(dataDir);
    const keys = addDataKeyFile(dataDir, old);
    expect(keys.map(({ id }) => id)).toEqual([expect.not.stringContaining(old.id), old.id]);
    expect(dataKeyFiles(dataDir)).toEqual(keys);
    expect((statSync(join(dataDir, "keys/data.2.key")).mode & 0o777).toString(8)).toBe("600");
  });

  it("keeps the key that another process has just created", () => {
    const [old] = dataKeyFiles(dataDir);
    const keys = addDataKeyFile(dataDir, old);
    expect(addDataKeyFile(dataDir, old)).toEqual(keys);
    expect(files()).toEqual(["data.2.key", "data.key"]);
  });

  it("works without a removed old key, and counts beyond nine", () => {
    for (let n = 0; n < 10; n += 1) addDataKeyFile(dataDir, dataKeyFiles(dataDir)[0]);
    const [newest] = dataKeyFiles(dataDir);
    rmSync(join(dataDir, "keys/data.key"));
    expect(dataKeyFiles(dataDir)[0]).toEqual(newest);
    expect(dataKeyFiles(dataDir)).toHaveLength(10);
    expect(files()).toContain("data.11.key");
    expect(files()).not.toContain("data.key");
  });

  it.each(["", "AAAA"])("refuses a key file that holds %j", (text) => {
    mkdirSync(join(dataDir, "keys"));
    writeFileSync(join(dataDir, "keys/data.2.key"), text);
    expect(() => dataKeyFiles(dataDir)).toThrow(/data\.2\.key holds no key/);
  });
});
