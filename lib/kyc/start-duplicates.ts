import { and, desc, eq, gt, inArray, isNull, ne, notExists, notInArray, or, sql, type SQL } from "drizzle-orm";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { providerIntent } from "@/lib/db/tables/provider";
import { maskDocument } from "@/lib/contract/document";
import { staff } from "@/lib/db/tables/staff";
import { kycCase, kycStart } from "@/lib/db/tables/kyc";
import { lookupHashes } from "@/lib/db/seal";
import type { Db, Tx } from "@/lib/db/connection";
import { type PossibleDuplicate, REPEAT_DAYS, type StartType } from "./view";

const MAX = 20;

type PossibleRepeat = {
  tenant: string;
  type: StartType;
  /** In clear, digits only. */
  document: string;
  except: string | null;
};

const recently = sql`clock_timestamp() - ${REPEAT_DAYS} * interval '1 day'`;

const whereUnconfirmed = and(
  inArray(providerIntent.state, ["SENDING", "UNKNOWN"]),
  isNull(kycStart.kycUUID),
  isNull(kycStart.waivedAt),
);

async function likeStarts(tx: Db | Tx, { tenant, document, except }: PossibleRepeat): Promise<PossibleDuplicate[]> {
  const rows = await tx
    .select({
      start: kycStart,
      byName: staff.name,
      status: kycCase.status,
      isUnconfirmed: sql<boolean>`${whereUnconfirmed}`,
    })
    .from(kycStart)
    .innerJoin(providerIntent, ofIntent(kycStart))
    .innerJoin(staff, eq(staff.id, kycStart.staffId))
    .leftJoin(kycCase, and(eq(kycCase.tenant, kycStart.tenant), eq(kycCase.kycUUID, kycStart.kycUUID)))
    .where(
      and(
        eq(kycStart.tenant, tenant),
        inArray(kycStart.documentHash, lookupHashes(document)),
        ne(providerIntent.state, "REFUSED"),
        except === null ? undefined : ne(kycStart.intentId, except),
        or(gt(kycStart.createdAt, recently), whereUnconfirmed),
      ),
    )
    .orderBy(desc(kycStart.createdAt))
    .limit(MAX);
  return rows.map(({ start: { intentId, kycUUID, createdAt }, ...row }) => ({
    ref: kycUUID ?? intentId,
    kycUUID,
    at: createdAt.toISOString(),
    isSame: true,
    ...row,
  }));
}

/** Open ones, and recently decided ones begun elsewhere; not those started here with another document. */
async function likeCases(tx: Db | Tx, { tenant, type, document }: PossibleRepeat): Promise<PossibleDuplicate[]> {
  const startOf = (isIt?: SQL) =>
    tx
      .select({ intentId: kycStart.intentId })
      .from(kycStart)
      .where(and(eq(kycStart.tenant, kycCase.tenant), eq(kycStart.kycUUID, kycCase.kycUUID), isIt));
  const ofAnother = startOf(notInArray(kycStart.documentHash, lookupHashes(document)));
  const { kycUUID, firstSeenAt, status, decidedAt } = kycCase;
  const isOpen = notInArray(status, ["APPROVED", "REPROVED"]);
  const rows = await tx
    .select({ kycUUID, at: sql`coalesce(${decidedAt}, ${firstSeenAt})`.mapWith(firstSeenAt), status })
    .from(kycCase)
    .where(
      and(
        eq(kycCase.tenant, tenant),
        eq(kycCase.kycType, type),
        eq(kycCase.vatNumber, maskDocument(document)),
        or(isOpen, and(gt(decidedAt, recently), notExists(startOf()))),
        notExists(ofAnother),
      ),
    )
    .orderBy(desc(kycCase.seq))
    .limit(MAX);
  return rows.map((row) => ({
    ref: row.kycUUID,
    kycUUID: row.kycUUID,
    at: row.at.toISOString(),
    byName: null,
    status: row.status,
    isSame: false,
    isUnconfirmed: false,
  }));
}

export async function startDuplicates(tx: Db | Tx, person: PossibleRepeat): Promise<PossibleDuplicate[]> {
  const starts = await likeStarts(tx, person);
  const known = new Set(starts.map(({ ref }) => ref));
  return [...starts, ...(await likeCases(tx, person)).filter(({ ref }) => !known.has(ref))];
}
