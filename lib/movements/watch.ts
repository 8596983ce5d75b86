import { createHash } from "node:crypto";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { signingKey } from "@/lib/audit/head";
import { record } from "@/lib/audit/record";
import { signatureLine } from "@/lib/audit/signed-file";
import { type Actor, watchActor } from "@/lib/permission/grant";
import { isOfEverybody, isProviderTrouble } from "@/lib/provider/answer";
import { AppError } from "@/lib/errors/app-error";
import { publish } from "@/lib/db/publish";
import { queueMail } from "@/lib/mail/outbox";
import type { Watch } from "@/lib/watch/watch";
import { env } from "@/lib/settings/env";
import { storeNow } from "@/lib/db/clock";
import { type Db, db } from "@/lib/db/connection";
import { recall, remember } from "@/lib/db/watch-state";
import { OPEN_STATES } from "@/lib/db/enums/movements";
import { chunkWriter, dropChunks, dropSources, type FileKey, readChunks, writeChunk } from "./chunks";
import { type Contents, csvHead, csvNotes, refuseLargeZip, withGaps, zipOf } from "./file";
import { FILE_FORMAT } from "./format";
import { account } from "@/lib/db/tables/customers";
import { movementExport, movementSource } from "@/lib/db/tables/movements";
import { isMadeAfter, MADE_LATER } from "./records";
import { READERS } from "./sources";
import { controlTotals } from "./totals";

type Export = typeof movementExport.$inferSelect;
type Source = typeof movementSource.$inferSelect;

const NAME = "movements";
/** Per sweep, so that other files of the tenant get their turn. */
const SOURCES_AT_ONCE = 20;
const MAX_FAILURES = 3;
const TOO_LARGE = "movement-file-large";

const Turns = z.object({ last: z.string().catch(""), failures: z.record(z.string(), z.number()).catch({}) });
type Turns = z.output<typeof Turns>;

const keyOfWatch = (tenant: string) => ({ tenant, name: NAME });
const keyOf = ({ tenant, id: exportId }: Export): FileKey => ({ tenant, exportId });
const isExport = ({ tenant, id }: Export) => and(eq(movementExport.tenant, tenant), eq(movementExport.id, id));
const ofExport = ({ tenant, id }: Export) => and(eq(movementSource.tenant, tenant), eq(movementSource.exportId, id));
const isSource = (wanted: Export, { position }: Source) => and(ofExport(wanted), eq(movementSource.position, position));

async function isRunning(store: Db, wanted: Export): Promise<boolean> {
  return (await store.$count(movementExport, and(isExport(wanted), eq(movementExport.state, "RUNNING")))) > 0;
}

async function sizeOf(store: Db, wanted: Export): Promise<{ entries: number; sizeBytes: number }> {
  const entries = sql<number>`count(*) filter (where ${movementSource.state} <> 'UNREAD')`.mapWith(Number);
  const sizeBytes = sql<number>`coalesce(sum(${movementSource.sizeBytes}), 0)`.mapWith(Number);
  const [size] = await store.select({ entries, sizeBytes }).from(movementSource).where(ofExport(wanted));
  return size ?? { entries: 0, sizeBytes: 0 };
}

/** Removes an interrupted reading first. False once the file was stopped. Throws invalid `movement-file-large`. */
async function readSource(store: Db, actor: Actor, wanted: Export, source: Source): Promise<boolean> {
  const { position, kind, ref } = source;
  // A single-piece file has no limit, so the sizes are not summed for each source.
  const size = wanted.format === "ofx" ? await sizeOf(store, wanted) : null;
  const key = keyOf(wanted);
  await dropChunks(key, position);
  const now = await storeNow(store);
  const { fileName, parts, readAt = now, why = null } = await READERS[kind](actor, ref, wanted);
  const totals = controlTotals();
  const writer = chunkWriter(key, position);
  for await (const { bytes, counted } of parts) {
    if (!(await isRunning(store, wanted))) return false;
    for (const one of counted) totals.count(one);
    if (size !== null) {
      size.sizeBytes += bytes.length;
      refuseLargeZip(size);
    }
    await writer.add(bytes);
  }
  const { sizeBytes } = await writer.end();
  const read = { fileName, sizeBytes, readAt, why, totals: totals.totals() };
  await store
    .update(movementSource)
    .set({ ...read, state: "READ" })
    .where(isSource(wanted, source));
  return true;
}

/** Of an account; a wallet's reading says so itself. */
async function isMadeLater(store: Db, { tenant, toDay }: Export, { kind, ref }: Source): Promise<boolean> {
  if (kind !== "account") return false;
  const isIt = and(eq(account.tenant, tenant), eq(account.ref, ref));
  const [found] = await store.select({ madeAt: account.createdAt }).from(account).where(isIt);
  return isMadeAfter(found?.madeAt ?? null, toDay);
}

async function noteFailure(store: Db, wanted: Export, source: Source, error: AppError | null): Promise<void> {
  const failures = source.failures + 1;
  const isLast = (error !== null && !isProviderTrouble(error.kind)) || failures >= MAX_FAILURES;
  await dropChunks(keyOf(wanted), source.position);
  const why = (await isMadeLater(store, wanted, source))
    ? MADE_LATER
    : (error?.details.code ?? error?.kind ?? "unexpected");
  await store
    .update(movementSource)
    .set({ failures, ...(isLast && { state: "UNREAD" as const, why }) })
    .where(isSource(wanted, source));
}

async function readSources(store: Db, wanted: Export): Promise<"read" | "stopped" | "too-large" | "unfinished"> {
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
      const told = error instanceof AppError ? error : null;
      if (told?.details.code === TOO_LARGE) return "too-large";
      if (told !== null && isOfEverybody(told)) throw told;
      await noteFailure(store, wanted, source, told);
      // The provider is in trouble, so the next sweep continues.
      if (told === null || isProviderTrouble(told.kind)) throw error;
    }
    await publish(store, { tenant: wanted.tenant, topic: "movements", object: wanted.id });
  }
  return waiting.length === 0 ? "read" : "unfinished";
}

/** Writes the text around the sources' pieces, or their zip. Returns the SHA-256 of the whole. */
async function writeFrame(contents: Contents): Promise<{ sha256: string; sizeBytes: number }> {
  const { wanted, sources } = contents;
  const key = keyOf(wanted);
  const endPosition = sources.length + 1;
  await dropChunks(key, 0);
  await dropChunks(key, endPosition);
  const signing = signingKey(env().auditKey);
  const end = chunkWriter(key, endPosition);
  const hash = createHash("sha256");
  let sizeBytes = 0;
  const count = (piece: Uint8Array) => {
    hash.update(piece);
    sizeBytes += piece.length;
  };
  const add = async (piece: Uint8Array) => {
    count(piece);
    await end.add(piece);
  };
  if (wanted.format === "csv") {
    await writeChunk({ ...key, position: 0, nth: 0 }, csvHead(contents));
    for await (const piece of readChunks(key)) count(piece);
    await add(csvNotes(contents));
  } else {
    const piecesOf = ({ position }: Source) => readChunks(key, position);
    const commentBytes = Buffer.byteLength(signatureLine(FILE_FORMAT, "", signing));
    for await (const piece of zipOf(contents, { piecesOf, commentBytes })) await add(piece);
  }
  await add(Buffer.from(signatureLine(FILE_FORMAT, hash.copy().digest("hex"), signing)));
  await end.end();
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
    // The zip holds them now.
    if (format === "ofx") await dropSources(tx, keyOf(wanted), sources.length);
    await queueMail(tx, { tenant, subject: "ready", object: id, to: staffId });
    await publish(tx, { tenant, topic: "movements", object: id });
    const unread = sources.filter(({ state, why }) => state === "UNREAD" && why !== MADE_LATER).length;
    const detail = { exportId: id, format, from: fromDay, to: toDay, sha256, sources: sources.length, unread };
    await record(tx, { tenant, actor: `watch:${NAME}`, code: "movements.finish", outcome: "DONE", detail });
    return true;
  });
  // Stopped meanwhile.
  if (!isReady) await dropChunks(keyOf(wanted));
}

/** The first open file of the next person: people take turns, however many files each has. */
async function begin(store: Db, tenant: string, last: string): Promise<Export | null> {
  const open = await store
    .select()
    .from(movementExport)
    .where(and(eq(movementExport.tenant, tenant), inArray(movementExport.state, [...OPEN_STATES])))
    .orderBy(asc(movementExport.createdAt), asc(movementExport.id));
  const people = open.map(({ staffId }) => staffId).toSorted();
  const turn = people.find((staffId) => staffId > last) ?? people[0];
  const first = open.find(({ staffId }) => staffId === turn);
  if (first === undefined || first.state === "RUNNING") return first ?? null;
  return store.transaction(async (tx) => {
    const [begun] = await tx
      .update(movementExport)
      .set({ state: "RUNNING", startedAt: await storeNow(tx) })
      .where(and(isExport(first), eq(movementExport.state, "WAITING")))
      .returning();
    if (begun !== undefined) await publish(tx, { tenant, topic: "movements", object: begun.id });
    return begun ?? null;
  });
}

async function giveUp(store: Db, wanted: Export, state: "TOO_LARGE" | "FAILED"): Promise<void> {
  const { tenant, id, format, fromDay, toDay } = wanted;
  await store.transaction(async (tx) => {
    const finishedAt = await storeNow(tx);
    await tx
      .update(movementExport)
      .set({ state, finishedAt })
      .where(and(isExport(wanted), eq(movementExport.state, "RUNNING")));
    await publish(tx, { tenant, topic: "movements", object: id });
    const detail = { exportId: id, format, from: fromDay, to: toDay, state };
    await record(tx, { tenant, actor: `watch:${NAME}`, code: "movements.finish", outcome: "REFUSED", detail });
  });
  await dropChunks(keyOf(wanted));
}

/** A file that cannot be finished is given up after three tries, as it would block its person's next. */
async function tryToFinish(store: Db, wanted: Export, { last, failures }: Turns): Promise<void> {
  const { [wanted.id]: before = 0, ...others } = failures;
  try {
    await finish(store, wanted);
  } catch (error) {
    const isLast = before + 1 >= MAX_FAILURES;
    if (isLast) await giveUp(store, wanted, "FAILED");
    await remember(store, keyOfWatch(wanted.tenant), {
      last,
      failures: isLast ? others : { ...others, [wanted.id]: before + 1 },
    });
    throw error;
  }
}

/** The tenant's open files in turns, account by account; after a restart each resumes with its unread sources. */
export const movementsWatch: Watch = {
  name: NAME,
  async sweep(tenant) {
    const store = await db();
    const { last, failures } = Turns.parse((await recall(store, keyOfWatch(tenant))) ?? {});
    const wanted = await begin(store, tenant, last);
    if (wanted === null) return "done";
    const turns = { last: wanted.staffId, failures };
    // Before the work, so that the next turn is somebody else's in any case.
    await remember(store, keyOfWatch(tenant), turns);
    const end = await readSources(store, wanted);
    if (end === "stopped") await dropChunks(keyOf(wanted));
    if (end === "too-large") await giveUp(store, wanted, "TOO_LARGE");
    if (end === "read") await tryToFinish(store, wanted, turns);
    return "unfinished";
  },
};
