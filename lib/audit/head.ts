import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { constants, createReadStream, existsSync, readdirSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { and, eq, gt, inArray } from "drizzle-orm";
import { z } from "zod";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db, Tx } from "@/lib/db/connection";
import { joinFields, readHead } from "./chain";
import { GRAVE_CODES } from "./codes";

const SignedHead = z.object({
  tenant: z.string(),
  seq: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime(),
  /** SHA-256 in hex of the previous line; null in the first one. */
  previous: z.string().nullable(),
  /** The beginning of the key's own hash. */
  key: z.string(),
  signature: z.string(),
});
export type SignedHead = z.infer<typeof SignedHead>;

type HeadToSign = Pick<SignedHead, "tenant" | "seq" | "hash" | "at" | "previous">;

// RFC 8410: the bytes before the 32 of an Ed25519 key.
const PKCS8_START = Buffer.from("302e020100300506032b657004220420", "hex");

export function signingKey(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_START, seed]), format: "der", type: "pkcs8" });
}

export const publicKeyOf = (key: KeyObject): KeyObject => createPublicKey(key);

export const publicKeyText = (key: KeyObject): string =>
  createPublicKey(key).export({ format: "pem", type: "spki" }).toString();
export const publicKeyFrom = (pem: string): KeyObject => createPublicKey(pem);

export function keyName(publicKey: KeyObject): string {
  const bytes = publicKey.export({ format: "der", type: "spki" });
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}

const signedBytes = ({ tenant, seq, hash, at, previous }: HeadToSign) =>
  Buffer.from(joinFields(["audit-head-1", tenant, String(seq), hash, at, previous]));

function signHead(head: HeadToSign, key: KeyObject): SignedHead {
  const signature = sign(null, signedBytes(head), key).toString("base64");
  return { ...head, key: keyName(createPublicKey(key)), signature };
}

export function isSigned(head: SignedHead, publicKeys: readonly KeyObject[]): boolean {
  const signature = Buffer.from(head.signature, "base64");
  return publicKeys.some((key) => verify(null, signedBytes(head), key, signature));
}

const lineOf = (head: SignedHead): string => JSON.stringify(SignedHead.parse(head));

/** Null for a line cut short by a power loss. */
function headIn(line: string): SignedHead | null {
  try {
    return SignedHead.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

export const digestOfLine = (line: string): string => createHash("sha256").update(line).digest("hex");

const SUFFIX = ".jsonl";
/** Longer than any line. */
const TAIL_BYTES = 16_384;

const fileOf = (directory: string, tenant: string) => join(directory, `${encodeURIComponent(tenant)}${SUFFIX}`);

export function tenantsWithHeads(directory: string): string[] {
  if (!existsSync(/* turbopackIgnore: true */ directory)) return [];
  const names = readdirSync(directory).filter((name) => name.endsWith(SUFFIX));
  return names.map((name) => decodeURIComponent(name.slice(0, -SUFFIX.length)));
}

type LastHead = { head: SignedHead; line: string };

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

/** On disk when this returns. */
async function appendHead(directory: string, head: SignedHead): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = await open(fileOf(directory, head.tenant), "a+", 0o600);
  // Otherwise a full disk would leak one open file per head.
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    // A line cut short by a power loss keeps a line of its own.
    const start = size === 0 || buffer.toString("latin1") === "\n" ? "" : "\n";
    await file.write(`${start}${lineOf(head)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

export type HeadLine = { number: number; line: string; head: SignedHead | null };

export async function* headLines(directory: string, tenant: string): AsyncGenerator<HeadLine> {
  const path = fileOf(directory, tenant);
  if (!existsSync(/* turbopackIgnore: true */ path)) return;
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number += 1;
    yield { number, line, head: headIn(line) };
  }
}

const EVERY_MS = 60_000;
const EVERY_ROWS = 1_000;

type HeadDeps = {
  directory: string;
  key: KeyObject;
  now: () => number;
  ship: (head: SignedHead) => void;
};

class BrokenRecordError extends Error {
  constructor(
    readonly tenant: string,
    readonly seq: number,
  ) {
    super(`the audit record of ${tenant} no longer holds row ${seq} as it was signed; run npm run audit:verify`);
  }
}

export async function continues(
  db: Db | Tx,
  { tenant, seq, hash }: Pick<SignedHead, "tenant" | "seq" | "hash">,
): Promise<boolean> {
  const [row] = await db
    .select({ hash: auditEvent.hash })
    .from(auditEvent)
    .where(and(eq(auditEvent.tenant, tenant), eq(auditEvent.seq, seq)));
  return row?.hash === hash;
}

async function hasGrave(db: Db, tenant: string, after: number): Promise<boolean> {
  const { seq, code } = auditEvent;
  const isGrave = and(eq(auditEvent.tenant, tenant), gt(seq, after), inArray(code, [...GRAVE_CODES]));
  return (await db.select({ seq }).from(auditEvent).where(isGrave).limit(1)).length > 0;
}

/** Every thousand rows, every minute, and at once after a grave one. Throws `BrokenRecordError` when the last signed row is gone. */
export async function signHeadWhenDue(db: Db, tenant: string, deps: HeadDeps): Promise<SignedHead | null> {
  const last = await readLastHead(deps.directory, tenant);
  if (last !== null && !(await continues(db, last.head))) throw new BrokenRecordError(tenant, last.head.seq);
  const { seq, hash } = await readHead(db, tenant);
  const rows = seq - (last?.head.seq ?? 0);
  if (rows <= 0) return null;
  const isDue =
    last === null ||
    rows >= EVERY_ROWS ||
    deps.now() - Date.parse(last.head.at) >= EVERY_MS ||
    (await hasGrave(db, tenant, last.head.seq));
  if (!isDue) return null;
  const previous = last === null ? null : digestOfLine(last.line);
  const signed = signHead({ tenant, seq, hash, at: new Date(deps.now()).toISOString(), previous }, deps.key);
  await appendHead(deps.directory, signed);
  deps.ship(signed);
  return signed;
}
