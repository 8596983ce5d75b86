import { setImmediate as turn } from "node:timers/promises";
import { and, asc, between, eq, sql } from "drizzle-orm";
import { unwrap, wrap } from "@/lib/db/seal";
import { type Db, store } from "@/lib/db/connection";
import { movementChunk } from "@/lib/db/tables/movements";

/** A size that the embedded database stores without delaying others. */
const CHUNK_BYTES = 128 * 1024;

export type FileKey = { tenant: string; exportId: string };
type Place = FileKey & { position: number; nth: number };

const targetOf = ({ tenant, exportId, position, nth }: Place) => ({
  column: "movement_chunk.key_sealed" as const,
  row: [tenant, exportId, String(position), String(nth)],
});

const ofFile = ({ tenant, exportId }: FileKey) =>
  and(eq(movementChunk.tenant, tenant), eq(movementChunk.exportId, exportId));

const ofPosition = (key: FileKey, position: number) => and(ofFile(key), eq(movementChunk.position, position));

export async function writeChunk(place: Place, clear: Uint8Array): Promise<void> {
  const { bulk } = await store();
  await bulk.insert(movementChunk).values({ ...place, ...wrap(clear, targetOf(place)) });
  // The embedded database answers without yielding to the event loop.
  await turn();
}

export async function dropChunks(key: FileKey, position?: number): Promise<void> {
  const { bulk } = await store();
  await bulk.delete(movementChunk).where(position === undefined ? ofFile(key) : ofPosition(key, position));
}

/** Drops the pieces of positions 1 to `last`, in the transaction that updates the file. */
export async function dropSources(tx: Db, key: FileKey, last: number): Promise<void> {
  await tx.delete(movementChunk).where(and(ofFile(key), between(movementChunk.position, 1, last)));
}

/** Collects one position's output into pieces of one size. */
export function chunkWriter(key: FileKey, position: number) {
  let gathered: Uint8Array[] = [];
  let gatheredBytes = 0;
  let nth = 0;
  let sizeBytes = 0;
  async function flush(): Promise<void> {
    if (gatheredBytes === 0) return;
    nth += 1;
    const piece = Buffer.concat(gathered);
    [gathered, gatheredBytes] = [[], 0];
    await writeChunk({ ...key, position, nth }, piece);
  }
  return {
    async add(bytes: Uint8Array): Promise<void> {
      sizeBytes += bytes.length;
      gathered.push(bytes);
      gatheredBytes += bytes.length;
      if (gatheredBytes >= CHUNK_BYTES) await flush();
    },
    async end(): Promise<{ sizeBytes: number }> {
      await flush();
      return { sizeBytes };
    },
  };
}

/** The file in order, or one position of it, with one piece in memory at a time. */
export async function* readChunks(key: FileKey, only?: number): AsyncGenerator<Uint8Array> {
  const { bulk } = await store();
  const places = await bulk
    .select({ position: movementChunk.position, nth: movementChunk.nth })
    .from(movementChunk)
    .where(only === undefined ? ofFile(key) : ofPosition(key, only))
    .orderBy(asc(movementChunk.position), asc(movementChunk.nth));
  // PGlite turns bytea into bytes ten times as slowly.
  const base64 = sql<string>`encode(${movementChunk.bytes}, 'base64')`;
  for (const { position, nth } of places) {
    const [found] = await bulk
      .select({ keySealed: movementChunk.keySealed, base64 })
      .from(movementChunk)
      .where(and(ofPosition(key, position), eq(movementChunk.nth, nth)));
    if (found === undefined) throw new Error("a piece of an exported file went while it was read");
    const sealed = { keySealed: found.keySealed, bytes: Buffer.from(found.base64, "base64") };
    yield unwrap(sealed, targetOf({ ...key, position, nth }));
  }
}
