import { hkdfSync, randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SettingError } from "./setting";

/** `id` is a hash of the key. */
export type DataKey = { id: string; bytes: Buffer };

/** The first seals; all of them open. */
export type DataKeys = readonly [DataKey, ...DataKey[]];

const KEY_BYTES = 32;

export const isKey = (text: string) => Buffer.from(text, "base64").length === KEY_BYTES;

export function dataKey(bytes: Buffer): DataKey {
  return { id: Buffer.from(hkdfSync("sha256", bytes, "", "retaguarda key id", 4)).toString("hex"), bytes };
}

const keyFrom = (text: string) => dataKey(Buffer.from(text, "base64"));

export function dataKeysFrom(first: string, others: readonly string[]): DataKeys {
  const key = keyFrom(first);
  const rest = others
    .map(keyFrom)
    .filter(({ id }, at, all) => id !== key.id && all.findIndex((one) => one.id === id) === at);
  return [key, ...rest];
}

/** Whole or not at all, and never overwritten: two concurrent creators agree on one. */
function makeKeyFile(file: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, randomBytes(KEY_BYTES).toString("base64"), { mode: 0o600 });
  if (!existsSync(file)) linkSync(draft, file);
  rmSync(draft);
}

function readKeyFile(file: string): string {
  const key = readFileSync(file, "utf8").trim();
  if (!isKey(key)) throw new SettingError(`DATA_DIR: ${file} holds no key; bring it back from a backup`);
  return key;
}

function inKeyFolder<T>(dataDir: string, work: (folder: string) => T): T {
  const folder = join(dataDir, "keys");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return work(folder);
  } catch (error) {
    if (error instanceof SettingError) throw error;
    const reason = error instanceof Error ? error.message : "unknown";
    throw new SettingError(`DATA_DIR: ${dataDir} cannot be written (${reason})`);
  }
}

export function keyFile(dataDir: string, name: string): string {
  return inKeyFolder(dataDir, (folder) => {
    const file = join(folder, name);
    if (!existsSync(/* turbopackIgnore: true */ file)) makeKeyFile(file);
    return readKeyFile(file);
  });
}

/** Makes none, as a check may run elsewhere. Null where there is no such file. */
export function existingKeyFile(dataDir: string, name: string): string | null {
  const file = join(dataDir, "keys", name);
  return existsSync(/* turbopackIgnore: true */ file) ? readKeyFile(file) : null;
}

/** `data.key` is the first, `data.2.key` its successor. */
const numberOf = (name: string) =>
  Number(/^data(?:\.([1-9]\d*))?\.key$/.exec(name)?.[1] ?? (name === "data.key" ? 1 : 0));

const numbersIn = (folder: string) =>
  readdirSync(folder)
    .map(numberOf)
    .filter((number) => number > 0)
    .toSorted((one, other) => other - one);

const fileOf = (folder: string, number: number) => join(folder, number === 1 ? "data.key" : `data.${number}.key`);

function readDataKeyFiles(folder: string): DataKeys {
  const [newest = 1, ...older] = numbersIn(folder);
  if (!existsSync(/* turbopackIgnore: true */ fileOf(folder, newest))) makeKeyFile(fileOf(folder, newest));
  const read = (number: number) => readKeyFile(fileOf(folder, number));
  return dataKeysFrom(read(newest), older.map(read));
}

/** Newest first; the first one is made on first start. */
export const dataKeyFiles = (dataDir: string): DataKeys => inKeyFolder(dataDir, readDataKeyFiles);

export function addDataKeyFile(dataDir: string, after: DataKey): DataKeys {
  return inKeyFolder(dataDir, (folder) => {
    const [newest = 0] = numbersIn(folder);
    if (readDataKeyFiles(folder)[0].id === after.id) makeKeyFile(fileOf(folder, newest + 1));
    return readDataKeyFiles(folder);
  });
}
