import { webcrypto } from "node:crypto";
import { connect, type Socket } from "node:net";
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { RequestBody } from "@/lib/action";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError, refuse } from "@/lib/errors/app-error";
import { noteCan } from "./can";
import { maskWithin } from "@/lib/contract/document";
import { log } from "@/lib/log/log";
import type { Download } from "@/lib/query";
import { env, type ScannerAddress } from "@/lib/settings/env";
import { unwrap, wrap, seal, shownSealed } from "@/lib/db/seal";
import { staff } from "@/lib/db/tables/staff";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { holdLock } from "@/lib/db/lock";
import type { NoteTarget } from "./target";
import { readPieces, withPieces } from "./pieces";
import { FileNamed, type FileSent } from "./inputs";
import { caseworkContent, caseworkFile } from "@/lib/db/tables/notes";
import { type CaseFile, FILE_HEADERS, FILE_TYPES, FILES_MAX, type FileType } from "./view";
import type { NotedObject } from "@/lib/db/enums/notes";

const PATIENCE_MS = 30_000;
const CHUNK_BYTES = 64 * 1024;
const MAX_ANSWER_BYTES = 4_096;

function sizeOf(bytes: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(bytes);
  return size;
}

/** clamd's INSTREAM: length-prefixed chunks, an empty one at the end. */
function sendStream(socket: Socket, bytes: Uint8Array): void {
  socket.write("zINSTREAM\0");
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const part = bytes.subarray(at, at + CHUNK_BYTES);
    socket.write(sizeOf(part.length));
    socket.write(part);
  }
  socket.write(sizeOf(0));
}

function ask(address: ScannerAddress, bytes: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    let answer = "";
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error("clamd did not answer in time")));
    socket.once("connect", () => sendStream(socket, bytes));
    socket.on("data", (part) => {
      answer += part.toString("latin1");
      if (answer.includes("\0") || answer.length > MAX_ANSWER_BYTES) socket.end();
    });
    socket.once("error", reject);
    socket.once("close", () => resolve(answer.split("\0")[0] ?? ""));
  });
}

/** "off" without a scanner. Throws `AppError` unavailable `scan-unavailable`: unscanned files are refused. */
export async function scan(bytes: Uint8Array): Promise<"off" | "clean" | "found"> {
  const { scanner } = env();
  if (scanner === null) return "off";
  const said = await ask(scanner, bytes).catch(String);
  if (said === "stream: OK") return "clean";
  if (/^stream: .+ FOUND$/.test(said)) {
    log.warn({ said }, "a file was refused: clamd found something in it");
    return "found";
  }
  log.error({ said }, "clamd did not look at a file");
  throw new AppError("unavailable", { code: "scan-unavailable" });
}

const SIGNATURES: readonly [type: FileType, begins: Buffer][] = [
  ["application/pdf", Buffer.from("%PDF-", "latin1")],
  ["image/png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ["image/jpeg", Buffer.from([0xff, 0xd8, 0xff])],
];

/** By content, not by name; null for unsupported types. */
export function fileTypeOf(bytes: Uint8Array): FileType | null {
  const found = SIGNATURES.find(([, begins]) => begins.equals(bytes.subarray(0, begins.length)));
  return found === undefined ? null : found[0];
}

const isFileType = (type: string): type is FileType => Object.hasOwn(FILE_TYPES, type);

export function downloadName(name: string, type: FileType): string {
  const ending = FILE_TYPES[type];
  const isRight = name.toLowerCase().endsWith(`.${ending}`) || (ending === "jpg" && /\.jpeg$/i.test(name));
  return isRight ? name : `${name}.${ending}`;
}

type FileColumn = "casework_file.name_sealed" | "casework_file.reason_sealed" | "casework_content.key_sealed";
const sealedAt = (column: FileColumn, tenant: string, id: string) => ({ column, row: [tenant, id] });

const isFile = (tenant: string, object: NotedObject, id: string) =>
  and(eq(caseworkFile.tenant, tenant), eq(caseworkFile.id, id), eq(caseworkFile.object, object));

async function countStored(tx: Tx, tenant: string, object: NotedObject): Promise<number> {
  // Two concurrent uploads are counted one after the other.
  await holdLock(tx, `casework files ${tenant} ${object}`);
  const isOf = and(eq(caseworkFile.tenant, tenant), eq(caseworkFile.object, object), isNull(caseworkFile.removedAt));
  return tx.$count(caseworkFile, isOf);
}

const sha256Of = async (bytes: Uint8Array) =>
  Buffer.from(await webcrypto.subtle.digest("SHA-256", bytes)).toString("hex");

/** Idempotent. Throws not-found, invalid `file-type`, `file-empty`, `file-infected`, conflict `too-many-files`, and as `scan`. */
export async function addFile(actor: Actor, target: NoteTarget, { fileId: id, name, bytes }: FileSent): Promise<null> {
  const { tenant, id: staffId } = actor;
  const { object } = target;
  if (bytes.length === 0) throw new AppError("invalid", { code: "file-empty" });
  const mediaType = fileTypeOf(bytes);
  if (mediaType === null) throw new AppError("invalid", { code: "file-type" });
  const sha256 = await sha256Of(bytes);
  const sizeBytes = bytes.length;
  if ((await scan(bytes)) === "found") {
    const refused = { code: "casework.file-add", outcome: "REFUSED", object } as const;
    const detail = { why: "infected", mediaType, sizeBytes, sha256 };
    await record(await db(), { tenant, actor: staffId, ...refused, detail });
    throw new AppError("invalid", { code: "file-infected" });
  }
  const nameSealed = seal(name, sealedAt("casework_file.name_sealed", tenant, id));
  const wrapped = wrap(bytes, sealedAt("casework_content.key_sealed", tenant, id));
  const store = await db();
  return withPieces(tenant, wrapped.bytes, (beginning, adopt) =>
    store.transaction(async (tx) => {
      if (!(await target.isThere(tx))) throw new AppError("not-found", { code: "casework" });
      const stored = await countStored(tx, tenant, object);
      const row = { tenant, id, object, staffId, nameSealed, mediaType, sizeBytes, sha256 };
      const [added] = await tx
        .insert(caseworkFile)
        .values(row)
        .onConflictDoNothing()
        .returning({ id: caseworkFile.id });
      if (added === undefined) return null;
      if (stored >= FILES_MAX) throw new AppError("conflict", { code: "too-many-files" });
      await tx.insert(caseworkContent).values({ tenant, fileId: id, keySealed: wrapped.keySealed, bytes: beginning });
      await adopt(tx, id);
      await target.notify(tx, { kind: "file-added", by: staffId, fileId: id });
      const what = { code: "casework.file-add", outcome: "DONE", object } as const;
      await record(tx, { tenant, actor: staffId, ...what, detail: { fileId: id, mediaType, sizeBytes, sha256 } });
      return null;
    }),
  );
}

/** Headers are ASCII: the name comes as base64url of its UTF-8. */
const nameIn = (headers: Headers) => Buffer.from(headers.get(FILE_HEADERS.name) ?? "", "base64url").toString("utf8");

/** Named by its headers. Throws invalid `file-name`, and as `addFile`. */
export async function addUpload(actor: Actor, target: NoteTarget, { bytes, headers }: RequestBody): Promise<null> {
  const named = FileNamed.safeParse({ fileId: headers.get(FILE_HEADERS.id), name: nameIn(headers) });
  if (!named.success) throw new AppError("invalid", { code: "file-name" });
  return addFile(actor, target, { ...named.data, bytes });
}

/** Deletes the content; the row and the reason stay. Throws not-found. */
export async function removeFile(
  actor: Actor,
  target: NoteTarget,
  { fileId: id, reason }: { fileId: string; reason: string },
): Promise<null> {
  const { tenant, id: staffId } = actor;
  const { object } = target;
  const isIt = isFile(tenant, object, id);
  return (await db()).transaction(async (tx) => {
    const [file] = await tx.select().from(caseworkFile).where(isIt).for("update");
    if (file === undefined) throw new AppError("not-found", { code: "casework" });
    if (file.removedAt !== null) return null;
    refuse(noteCan.remove({ isHeld: await target.isHeld(tx) }));
    await tx.delete(caseworkContent).where(and(eq(caseworkContent.tenant, tenant), eq(caseworkContent.fileId, id)));
    const reasonSealed = seal(reason, sealedAt("casework_file.reason_sealed", tenant, id));
    await tx
      .update(caseworkFile)
      .set({ removedAt: sql`clock_timestamp()`, removedBy: staffId, reasonSealed })
      .where(isIt);
    await target.notify(tx, { kind: "file-removed", by: staffId, fileId: id });
    const what = { code: "casework.file-remove", outcome: "DONE", object } as const;
    await record(tx, { tenant, actor: staffId, ...what, detail: { fileId: id, sha256: file.sha256 } });
    return null;
  });
}

type Opened = { name: string; mediaType: FileType; bytes: Uint8Array };

/** Audited first. Throws not-found, for a removed one too. */
export async function openFile(actor: Actor, object: NotedObject, id: string): Promise<Opened> {
  const { tenant, id: staffId } = actor;
  const { file, content } = await (
    await db()
  ).transaction(async (tx) => {
    const [found] = await tx
      .select({ file: caseworkFile, content: caseworkContent })
      .from(caseworkFile)
      .innerJoin(
        caseworkContent,
        and(eq(caseworkContent.tenant, caseworkFile.tenant), eq(caseworkContent.fileId, caseworkFile.id)),
      )
      .where(isFile(tenant, object, id));
    if (found === undefined) throw new AppError("not-found", { code: "casework" });
    const what = { code: "casework.file-open", outcome: "DONE", object } as const;
    await record(tx, { tenant, actor: staffId, ...what, detail: { fileId: id, sha256: found.file.sha256 } });
    return found;
  });
  const { sha256, mediaType, nameSealed } = file;
  if (!isFileType(mediaType)) throw new AppError("not-found", { code: "casework" });
  const sealed = { ...content, bytes: await readPieces(tenant, id, content.bytes) };
  const bytes = unwrap(sealed, sealedAt("casework_content.key_sealed", tenant, id));
  if ((await sha256Of(bytes)) !== sha256) throw new Error(`file ${id} is not what was sent`);
  const name = maskWithin(shownSealed(nameSealed, sealedAt("casework_file.name_sealed", tenant, id)));
  return { name, mediaType, bytes };
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** As `openFile`, as a download. */
export async function downloadFile(actor: Actor, object: NotedObject, id: string): Promise<Download<Uint8Array>> {
  const { name, mediaType, bytes } = await openFile(actor, object, id);
  return { fileName: downloadName(name, mediaType), contentType: mediaType, parts: whole(bytes) };
}

const remover = alias(staff, "remover");

type FilesRequest = { tenant: string; object: NotedObject; readerId: string };

export async function listFiles(store: Db | Tx, { tenant, object, readerId }: FilesRequest): Promise<CaseFile[]> {
  const rows = await store
    .select({ file: caseworkFile, byName: staff.name, removerName: remover.name })
    .from(caseworkFile)
    .innerJoin(staff, eq(staff.id, caseworkFile.staffId))
    .leftJoin(remover, eq(remover.id, caseworkFile.removedBy))
    .where(and(eq(caseworkFile.tenant, tenant), eq(caseworkFile.object, object)))
    .orderBy(desc(caseworkFile.createdAt), desc(caseworkFile.id));
  return rows.flatMap(({ file, byName, removerName }) => {
    const { id, mediaType, sizeBytes, sha256, createdAt, removedAt, reasonSealed } = file;
    if (!isFileType(mediaType)) return [];
    const name = maskWithin(shownSealed(file.nameSealed, sealedAt("casework_file.name_sealed", tenant, id)));
    const reason =
      reasonSealed === null
        ? ""
        : maskWithin(shownSealed(reasonSealed, sealedAt("casework_file.reason_sealed", tenant, id)));
    const removed = removedAt === null ? null : { byName: removerName ?? "", at: removedAt.toISOString(), reason };
    const isMine = file.staffId === readerId;
    return [{ id, name, mediaType, sizeBytes, sha256, byName, isMine, at: createdAt.toISOString(), removed }];
  });
}

export async function presentFiles(store: Db | Tx, tenant: string, object: NotedObject): Promise<CaseFile[]> {
  const files = await listFiles(store, { tenant, object, readerId: "" });
  return files.filter(({ removed }) => removed === null).toReversed();
}

export async function shownFiles(store: Db | Tx, tenant: string, object: NotedObject): Promise<string> {
  const files = await presentFiles(store, tenant, object);
  return files.map(({ name, sha256 }) => `${name} · SHA-256 ${sha256}`).join("\n");
}

/** Compares the files with the agreed hashes; undefined: none were agreed. Throws conflict `evidence-changed`. */
export async function requireSameFiles(
  tx: Tx,
  tenant: string,
  object: NotedObject,
  agreed: readonly string[] | undefined,
): Promise<void> {
  if (agreed === undefined) return;
  const files = await presentFiles(tx, tenant, object);
  if (files.map(({ sha256 }) => sha256).join() !== agreed.join())
    throw new AppError("conflict", { code: "evidence-changed" });
}
