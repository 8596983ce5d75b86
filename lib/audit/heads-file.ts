import { constants, createReadStream, existsSync, readdirSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { headIn, lineOf, type SignedHead } from "./head";

const SUFFIX = ".jsonl";
/** Longer than any line. */
const TAIL_BYTES = 16_384;

const fileOf = (directory: string, tenant: string) => join(directory, `${encodeURIComponent(tenant)}${SUFFIX}`);

/** The tenants that heads were signed for here. */
export function tenantsWithHeads(directory: string): string[] {
  if (!existsSync(/* turbopackIgnore: true */ directory)) return [];
  const names = readdirSync(directory).filter((name) => name.endsWith(SUFFIX));
  return names.map((name) => decodeURIComponent(name.slice(0, -SUFFIX.length)));
}

export type LastHead = { head: SignedHead; line: string };

/** The last whole head of the tenant; null before the first one. */
export async function readLastHead(directory: string, tenant: string): Promise<LastHead | null> {
  const path = fileOf(directory, tenant);
  if (!existsSync(/* turbopackIgnore: true */ path)) return null;
  const file = await open(path, constants.O_RDONLY);
  const { size } = await file.stat();
  const from = Math.max(0, size - TAIL_BYTES);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
  await file.close();
  const lines = buffer.toString("utf8", 0, bytesRead).split("\n").toReversed();
  for (const line of lines) {
    const head = headIn(line);
    if (head !== null) return { head, line };
  }
  return null;
}

/** Appends the head, on the disk when this returns. */
export async function appendHead(directory: string, head: SignedHead): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = await open(fileOf(directory, head.tenant), "a+", 0o600);
  // A full disk refuses one head after the other: each would leave an open file behind.
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    // What a loss of power cut short keeps a line of its own.
    const start = size === 0 || buffer.toString("latin1") === "\n" ? "" : "\n";
    await file.write(`${start}${lineOf(head)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

export type HeadLine = { number: number; line: string; head: SignedHead | null };

/** Every line of the tenant's file in order, however many there are. */
export async function* headLines(directory: string, tenant: string): AsyncGenerator<HeadLine> {
  const path = fileOf(directory, tenant);
  if (!existsSync(/* turbopackIgnore: true */ path)) return;
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number += 1;
    yield { number, line, head: headIn(line) };
  }
}
