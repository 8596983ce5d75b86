import { randomUUID } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { and, asc, eq, isNull, lt, sql } from "drizzle-orm";
import { type Db, store, type Tx } from "@/lib/db/connection";
import { caseworkPiece } from "@/lib/db/tables/notes";

/** Storing one blocks the embedded database for some 20 ms. */
export const PIECE_BYTES = 128 * 1024;

const ofUpload = (tenant: string, uploadId: string) =>
  and(eq(caseworkPiece.tenant, tenant), eq(caseworkPiece.uploadId, uploadId));

async function sweep(bulk: Db, tenant: string): Promise<void> {
  const isOld = lt(caseworkPiece.createdAt, sql`clock_timestamp() - interval '1 hour'`);
  await bulk.delete(caseworkPiece).where(and(eq(caseworkPiece.tenant, tenant), isNull(caseworkPiece.fileId), isOld));
}

/** Stores all but the beginning piece by piece, so that nobody waits for the whole, and runs `keep`, which adopts them. */
export async function withPieces<T>(
  tenant: string,
  bytes: Uint8Array,
  keep: (beginning: Uint8Array, adopt: (tx: Tx, fileId: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const { bulk } = await store();
  const uploadId = randomUUID();
  const isStored = ofUpload(tenant, uploadId);
  await sweep(bulk, tenant);
  try {
    for (let nth = 1; nth * PIECE_BYTES < bytes.length; nth += 1) {
      const piece = bytes.subarray(nth * PIECE_BYTES, (nth + 1) * PIECE_BYTES);
      await bulk.insert(caseworkPiece).values({ tenant, uploadId, nth, bytes: piece });
      // The embedded database answers without yielding to the event loop.
      await turn();
    }
    return await keep(bytes.subarray(0, PIECE_BYTES), async (tx, fileId) => {
      await tx.update(caseworkPiece).set({ fileId }).where(isStored);
    });
  } finally {
    await bulk.delete(caseworkPiece).where(and(isStored, isNull(caseworkPiece.fileId)));
  }
}

export async function readPieces(tenant: string, fileId: string, beginning: Uint8Array): Promise<Uint8Array> {
  const { bulk } = await store();
  const isOfFile = and(eq(caseworkPiece.tenant, tenant), eq(caseworkPiece.fileId, fileId));
  const pieces = [beginning];
  const numbers = await bulk
    .select({ nth: caseworkPiece.nth })
    .from(caseworkPiece)
    .where(isOfFile)
    .orderBy(asc(caseworkPiece.nth));
  for (const { nth } of numbers) {
    // PGlite turns bytea into bytes ten times as slowly.
    const base64 = sql<string>`encode(${caseworkPiece.bytes}, 'base64')`;
    const found = await bulk
      .select({ base64 })
      .from(caseworkPiece)
      .where(and(isOfFile, eq(caseworkPiece.nth, nth)));
    pieces.push(...found.map((one) => Buffer.from(one.base64, "base64")));
    await turn();
  }
  return Buffer.concat(pieces);
}
