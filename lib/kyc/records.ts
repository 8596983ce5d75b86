import { and, eq, inArray, lt } from "drizzle-orm";
import type { KycRecord } from "@/lib/contract/kyc";
import { kycCase } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";

const firstLink = (record: KycRecord) => record.webviewUrl ?? record.webviewUrls?.[0]?.url ?? null;

type CaseRow = typeof kycCase.$inferSelect;

async function keptRows(tx: Db | Tx, tenant: string, records: readonly KycRecord[]): Promise<Map<string, CaseRow>> {
  const ids = records.map((record) => record.kycUUID);
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select()
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), inArray(kycCase.kycUUID, ids)));
  return new Map(rows.map((row) => [row.kycUUID, row]));
}

const differs = (row: CaseRow | undefined, { status, process }: KycRecord) =>
  row === undefined || row.status !== status || row.process !== process;

/** Whether any of the records is new or differs from what is kept. */
export async function bringsNews(store: Db, tenant: string, records: readonly KycRecord[]): Promise<boolean> {
  const kept = await keptRows(store, tenant, records);
  return records.some((record) => differs(kept.get(record.kycUUID), record));
}

/** Keeps what the provider answered to a question asked at `askedAt`; an older answer than what is kept changes nothing. */
export async function saveRecords(
  tx: Db | Tx,
  tenant: string,
  answered: { records: readonly KycRecord[]; askedAt: Date },
): Promise<void> {
  const { records, askedAt } = answered;
  const kept = await keptRows(tx, tenant, records);
  // The provider lists newest first; inserting from the end keeps that order.
  for (const record of records.toReversed()) {
    const row = kept.get(record.kycUUID);
    const { kycUUID, vatNumber, kycType, process, status } = record;
    const values = { vatNumber, kycType, process, status, webviewUrl: firstLink(record), seenAt: askedAt };
    if (row === undefined) {
      const seen = { firstSeenAt: askedAt, changedAt: askedAt };
      await tx
        .insert(kycCase)
        .values({ tenant, kycUUID, ...values, ...seen })
        .onConflictDoNothing();
    } else {
      await tx
        .update(kycCase)
        .set({ ...values, ...(differs(row, record) && { changedAt: askedAt }) })
        .where(and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID), lt(kycCase.seenAt, askedAt)));
    }
  }
}

/** Notes that the provider was asked about a case and did not list it. */
export async function noteAsked(
  store: Db,
  tenant: string,
  { kycUUID, askedAt }: { kycUUID: string; askedAt: Date },
): Promise<void> {
  await store
    .update(kycCase)
    .set({ seenAt: askedAt })
    .where(and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID)));
}
