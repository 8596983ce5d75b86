import { createHash } from "node:crypto";
import { and, asc, eq, inArray } from "drizzle-orm";
import { signingKey } from "@/lib/audit/head";
import { record } from "@/lib/audit/record";
import { signatureLine } from "@/lib/audit/signed-file";
import { type Actor, watchActor } from "@/lib/permission/grant";
import { isProviderTrouble } from "@/lib/provider/answer";
import { AppError } from "@/lib/errors/app-error";
import { isOfCompany } from "@/lib/errors/result";
import { publish } from "@/lib/db/publish";
import { queueMail } from "@/lib/mail/outbox";
import type { Watch } from "@/lib/watch/watch";
import { env } from "@/lib/settings/env";
import { storeNow } from "@/lib/db/clock";
import { type Db, db } from "@/lib/db/connection";
import { chunkWriter, dropChunks, type FileKey, readChunks, writeChunk } from "./chunks";
import { type Contents, controlFile, csvHead, localHeader, withGaps, zipEnd, type ZipEntry } from "./file";
import { FILE_FORMAT } from "./format";
import { movementExport, movementSource } from "@/lib/db/tables/movements";
import { controlTotals, READERS } from "./sources";

type Export = typeof movementExport.$inferSelect;
type Source = typeof movementSource.$inferSelect;

const NAME = "movements";
/** Of one sweep: others of this tenant get their turn. */
const SOURCES_AT_ONCE = 20;
/** Then the file says that it could not be read. */
const MAX_FAILURES = 3;

const keyOf = ({ tenant, id: exportId }: Export): FileKey => ({ tenant, exportId });
const isExport = ({ tenant, id }: Export) => and(eq(movementExport.tenant, tenant), eq(movementExport.id, id));
const ofExport = ({ tenant, id }: Export) => and(eq(movementSource.tenant, tenant), eq(movementSource.exportId, id));
const isSource = (wanted: Export, { position }: Source) => and(ofExport(wanted), eq(movementSource.position, position));

const entryOf = ({ position, fileName, sizeBytes, crc32: crc }: Source): ZipEntry => ({
  name: `${String(position).padStart(5, "0")}-${fileName ?? ""}.ofx`,
  sizeBytes: sizeBytes ?? 0,
  crc: crc ?? 0,
});

async function isRunning(store: Db, wanted: Export): Promise<boolean> {
  return (await store.$count(movementExport, and(isExport(wanted), eq(movementExport.state, "RUNNING")))) > 0;
}

/** What an interrupted reading left of it goes first. Answers false once somebody stopped the file. */
async function readSource(store: Db, actor: Actor, wanted: Export, source: Source): Promise<boolean> {
  const { position, kind, ref } = source;
  const key = keyOf(wanted);
  await dropChunks(key, position);
  const now = await storeNow(store);
  const { fileName, parts, readAt = now, why = null } = await READERS[kind](actor, ref, wanted);
  const totals = controlTotals();
  const writer = chunkWriter(key, position);
  for await (const { bytes, counted } of parts) {
    if (!(await isRunning(store, wanted))) return false;
    for (const one of counted) totals.count(one);
    await writer.add(bytes);
  }
  const { sizeBytes, crc } = await writer.end();
  const read = { fileName, sizeBytes, crc32: crc, readAt, why, totals: totals.totals() };
  if (wanted.format === "ofx")
    await writeChunk({ ...key, position, nth: 0 }, localHeader(entryOf({ ...source, ...read })));
  await store
    .update(movementSource)
    .set({ ...read, state: "READ" })
    .where(isSource(wanted, source));
  return true;
}

/** What says nothing of this source alone: it is read later. */
const isOfEverybody = ({ kind, details }: AppError) =>
  kind === "rate-limited" || kind === "unauthenticated" || details.code === "circuit-open" || isOfCompany(details.code);

async function noteFailure(store: Db, wanted: Export, source: Source, error: AppError): Promise<void> {
  const failures = source.failures + 1;
  const isLast = !isProviderTrouble(error.kind) || failures >= MAX_FAILURES;
  await dropChunks(keyOf(wanted), source.position);
  const why = error.details.code ?? error.kind;
  await store
    .update(movementSource)
    .set({ failures, ...(isLast && { state: "UNREAD" as const, why }) })
    .where(isSource(wanted, source));
}

async function readSources(store: Db, wanted: Export): Promise<"read" | "stopped" | "unfinished"> {
  const actor = watchActor(NAME, wanted.tenant, "statement:export");
  const waiting = await store
    .select()
    .from(movementSource)
    .where(and(ofExport(wanted), eq(movementSource.state, "WAITING")))
    .orderBy(asc(movementSource.failures), asc(movementSource.position))
    .limit(SOURCES_AT_ONCE);
  for (const source of waiting) {
    if (!(await isRunning(store, wanted))) return "stopped";
    try {
      if (!(await readSource(store, actor, wanted, source))) return "stopped";
    } catch (error) {
      if (!(error instanceof AppError) || isOfEverybody(error)) throw error;
      await noteFailure(store, wanted, source, error);
      // The provider gets a pause: the others go on with the next sweep.
      if (isProviderTrouble(error.kind)) throw error;
    }
    await publish(store, { tenant: wanted.tenant, topic: "movements", object: wanted.id });
  }
  return waiting.length === 0 ? "read" : "unfinished";
}

/** Everything but the sources' own pieces: the head before them and the end after them. Answers what the whole hashes to. */
async function writeFrame(contents: Contents): Promise<{ sha256: string; sizeBytes: number }> {
  const { wanted, sources } = contents;
  const key = keyOf(wanted);
  const end = { ...key, position: sources.length + 1 };
  await dropChunks(key, 0);
  await dropChunks(key, end.position);
  const signing = signingKey(env().auditKey);
  if (wanted.format === "csv") await writeChunk({ ...key, position: 0, nth: 0 }, csvHead(contents));
  else {
    const { entry, bytes } = controlFile(contents);
    await writeChunk({ ...key, position: 0, nth: 0 }, Buffer.concat([localHeader(entry), bytes]));
    const entries = sources.filter(({ state }) => state === "READ").map(entryOf);
    const commentBytes = Buffer.byteLength(signatureLine(FILE_FORMAT, "", signing));
    await writeChunk({ ...end, nth: 0 }, zipEnd([entry, ...entries], commentBytes));
  }
  const hash = createHash("sha256");
  let sizeBytes = 0;
  const add = (piece: Uint8Array) => {
    hash.update(piece);
    sizeBytes += piece.length;
  };
  for await (const piece of readChunks(key)) add(piece);
  const signature = Buffer.from(signatureLine(FILE_FORMAT, hash.copy().digest("hex"), signing));
  await writeChunk({ ...end, nth: 1 }, signature);
  add(signature);
  return { sha256: hash.digest("hex"), sizeBytes };
}

async function finish(store: Db, wanted: Export): Promise<void> {
  const { tenant, id, staffId, format, fromDay, toDay } = wanted;
  const sources = await store
    .select()
    .from(movementSource)
    .where(ofExport(wanted))
    .orderBy(asc(movementSource.position));
  const all = controlTotals();
  for (const { totals } of sources) if (totals !== null) all.join(totals);
  const totals = withGaps(all.totals(), sources);
  const { sha256, sizeBytes } = await writeFrame({ wanted, sources, totals });
  const isReady = await store.transaction(async (tx) => {
    const finishedAt = await storeNow(tx);
    const [ready] = await tx
      .update(movementExport)
      .set({ state: "READY", finishedAt, totals, sha256, sizeBytes })
      .where(and(isExport(wanted), eq(movementExport.state, "RUNNING")))
      .returning({ id: movementExport.id });
    if (ready === undefined) return false;
    await queueMail(tx, { tenant, subject: "ready", object: id, to: staffId });
    await publish(tx, { tenant, topic: "movements", object: id });
    const unread = sources.filter(({ state }) => state === "UNREAD").length;
    const detail = { exportId: id, format, from: fromDay, to: toDay, sha256, sources: sources.length, unread };
    await record(tx, { tenant, actor: `watch:${NAME}`, code: "movements.finish", outcome: "DONE", detail });
    return true;
  });
  // Stopped meanwhile.
  if (!isReady) await dropChunks(keyOf(wanted));
}

async function begin(store: Db, tenant: string): Promise<Export | null> {
  const isOpen = inArray(movementExport.state, ["WAITING", "RUNNING"]);
  const [first] = await store
    .select()
    .from(movementExport)
    .where(and(eq(movementExport.tenant, tenant), isOpen))
    .orderBy(asc(movementExport.createdAt), asc(movementExport.id))
    .limit(1);
  if (first === undefined || first.state === "RUNNING") return first ?? null;
  const startedAt = await storeNow(store);
  const [begun] = await store
    .update(movementExport)
    .set({ state: "RUNNING", startedAt })
    .where(and(isExport(first), eq(movementExport.state, "WAITING")))
    .returning();
  return begun ?? null;
}

/** One file of a tenant at a time, account by account: after a restart it goes on with those that are not read. */
export const movementsWatch: Watch = {
  name: NAME,
  async sweep(tenant) {
    const store = await db();
    const wanted = await begin(store, tenant);
    if (wanted === null) return "done";
    const end = await readSources(store, wanted);
    if (end === "stopped") await dropChunks(keyOf(wanted));
    if (end === "read") await finish(store, wanted);
    return "unfinished";
  },
};
