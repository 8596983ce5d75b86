import { and, eq, inArray, lt } from "drizzle-orm";
import type { KycRecord } from "@/lib/contract/kyc";
import { kycCase } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";

const firstLink = (record: KycRecord) => record.webviewUrl ?? record.webviewUrls?.[0]?.url ?? null;

/**
 * Keeps what the provider answered to a question asked at `askedAt`; an answer older than what is kept changes nothing.
 * Returns how many records were new or had changed.
 */
export async function saveRecords(
  tx: Db | Tx,
  tenant: string,
  answered: { records: readonly KycRecord[]; askedAt: Date },
): Promise<number> {
  const { records, askedAt } = answered;
  if (records.length === 0) return 0;
  const ids = records.map((record) => record.kycUUID);
  const rows = await tx
    .select()
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), inArray(kycCase.kycUUID, ids)));
  const kept = new Map(rows.map((row) => [row.kycUUID, row]));
  let news = 0;
  // The provider lists newest first; inserting from the end keeps that order.
  for (const record of records.toReversed()) {
    const row = kept.get(record.kycUUID);
    const { kycUUID, vatNumber, kycType, process, status } = record;
    const values = { vatNumber, kycType, process, status, webviewUrl: firstLink(record), seenAt: askedAt };
    const hasChanged = row === undefined || row.status !== status || row.process !== process;
    if (hasChanged) news += 1;
    if (row === undefined) {
      const seen = { firstSeenAt: askedAt, changedAt: askedAt };
      await tx
        .insert(kycCase)
        .values({ tenant, kycUUID, ...values, ...seen })
        .onConflictDoNothing();
    } else if (hasChanged || row.webviewUrl !== values.webviewUrl || row.seenAt < askedAt) {
      await tx
        .update(kycCase)
        .set({ ...values, ...(hasChanged && { changedAt: askedAt }) })
        .where(and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID), lt(kycCase.seenAt, askedAt)));
    }
  }
  return news;
}
