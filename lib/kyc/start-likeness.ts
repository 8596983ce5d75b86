import { and, desc, eq, gt, inArray, isNull, ne, notExists, notInArray, or, type SQL, sql } from "drizzle-orm";
import { bankIntent } from "@/lib/bank/intent-schema";
import { ofIntent } from "@/lib/bank/lost-answer";
import { maskDocument } from "@/lib/contract/document";
import { type Likeness, REPEAT_DAYS, type StartType } from "@/lib/kyc-start";
import { lookupHashes } from "@/lib/store/seal";
import { kycCase, staff } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";
import { kycStart } from "./schema";

/** Of a document that was started more often than that, the last ones speak for all. */
const MOST = 20;

export type Sought = {
  tenant: string;
  type: StartType;
  /** In clear, without points. */
  document: string;
  /** The start that asks. */
  except: string | null;
};

const lately = sql`clock_timestamp() - ${REPEAT_DAYS} * interval '1 day'`;

const isUnsettled = and(
  inArray(bankIntent.state, ["SENDING", "UNKNOWN"]),
  isNull(kycStart.kycUUID),
  isNull(kycStart.waivedAt),
);

async function likeStarts(tx: Db | Tx, { tenant, document, except }: Sought): Promise<Likeness[]> {
  const rows = await tx
    .select({ start: kycStart, byName: staff.name, status: kycCase.status, isUnsettled: sql<boolean>`${isUnsettled}` })
    .from(kycStart)
    .innerJoin(bankIntent, ofIntent(kycStart))
    .innerJoin(staff, eq(staff.id, kycStart.staffId))
    .leftJoin(kycCase, and(eq(kycCase.tenant, kycStart.tenant), eq(kycCase.kycUUID, kycStart.kycUUID)))
    .where(
      and(
        eq(kycStart.tenant, tenant),
        inArray(kycStart.documentHash, lookupHashes(document)),
        ne(bankIntent.state, "REFUSED"),
        except === null ? undefined : ne(kycStart.intentId, except),
        or(gt(kycStart.createdAt, lately), isUnsettled),
      ),
    )
    .orderBy(desc(kycStart.createdAt))
    .limit(MOST);
  return rows.map(({ start: { intentId, kycUUID, createdAt }, ...row }) => ({
    ref: kycUUID ?? intentId,
    kycUUID,
    at: createdAt.toISOString(),
    isSame: true,
    ...row,
  }));
}

/**
 * Cases of what may be the same document that are open, or were begun elsewhere and decided lately; those that were started
 * here with another one are not.
 */
async function likeCases(tx: Db | Tx, { tenant, type, document }: Sought): Promise<Likeness[]> {
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
        or(isOpen, and(gt(decidedAt, lately), notExists(startOf()))),
        notExists(ofAnother),
      ),
    )
    .orderBy(desc(kycCase.seq))
    .limit(MOST);
  return rows.map((row) => ({
    ref: row.kycUUID,
    kycUUID: row.kycUUID,
    at: row.at.toISOString(),
    byName: null,
    status: row.status,
    isSame: false,
    isUnsettled: false,
  }));
}

/** What was started with the same document lately, and cases that may be the same one's; newest first of each. */
export async function likenessesOf(tx: Db | Tx, sought: Sought): Promise<Likeness[]> {
  const starts = await likeStarts(tx, sought);
  const known = new Set(starts.map(({ ref }) => ref));
  return [...starts, ...(await likeCases(tx, sought)).filter(({ ref }) => !known.has(ref))];
}
