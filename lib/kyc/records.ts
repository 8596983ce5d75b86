import { and, eq, inArray, lt, sql } from "drizzle-orm";
import { maskDocument, maskWithin } from "@/lib/contract/document";
import type { KycRecord } from "@/lib/contract/kyc";
import { publishAll } from "@/lib/live/publish";
import { kycCase } from "@/lib/store/schema";
import { lookupHashes } from "@/lib/store/seal";
import type { Db, Tx } from "@/lib/store/store";
import { type CaseRules, caseRulesOf, dueAt } from "./case-rules";
import { type CaseEvent, noteEvents } from "./events";
import { isFinal } from "./gravity";
import { readCases, type RelatedCase } from "./related";

const firstLink = (record: KycRecord) => record.webviewUrl ?? record.webviewUrls?.[0]?.url ?? null;

type CaseRow = typeof kycCase.$inferSelect;

/** What the provider answered to a question asked at `askedAt`, by the store's clock. */
type Answered = {
  records: readonly KycRecord[];
  askedAt: Date;
  /** Where cases not kept before stand in the order of arrival. */
  place?: "newest" | "oldest";
};

async function keptRows(tx: Db | Tx, tenant: string, records: readonly KycRecord[]): Promise<Map<string, CaseRow>> {
  const ids = records.map((record) => record.kycUUID);
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select()
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), inArray(kycCase.kycUUID, ids)));
  return new Map(rows.map((row) => [row.kycUUID, row]));
}

const movedOn = (row: CaseRow | undefined, { status, process }: KycRecord) =>
  row === undefined || row.status !== status || row.process !== process;

const differs = (row: CaseRow | undefined, record: KycRecord) =>
  movedOn(row, record) ||
  row?.webviewUrl !== firstLink(record) ||
  row.vatNumber !== record.vatNumber ||
  row.kycType !== record.kycType;

/** Whether any of the records is new or differs from what is kept. */
export async function bringsNews(store: Db, tenant: string, records: readonly KycRecord[]): Promise<boolean> {
  const kept = await keptRows(store, tenant, records);
  return records.some((record) => movedOn(kept.get(record.kycUUID), record));
}

type Answer = { tenant: string; record: KycRecord; rules: CaseRules } & Pick<Answered, "askedAt" | "place">;

/** What its new status means for our people: it waits for them when the provider says PENDING, and no more once it is final. */
function clockOf({ record: { status, kycType }, rules, askedAt }: Answer) {
  if (status === "PENDING") return { waitingSince: askedAt, dueAt: dueAt(rules, kycType, askedAt), decidedAt: null };
  return isFinal(status) ? { decidedAt: askedAt } : { waitingSince: null, dueAt: null, decidedAt: null };
}

async function insertCase(tx: Db | Tx, answer: Answer): Promise<boolean> {
  const { tenant, record, askedAt, place } = answer;
  const { kycUUID, vatNumber, kycType, process, status } = record;
  const beforeAll = sql<number>`(select least(min(seq), 1) - 1 from ${kycCase} where ${kycCase.tenant} = ${tenant})`;
  const inserted = await tx
    .insert(kycCase)
    .values({
      tenant,
      kycUUID,
      vatNumber,
      kycType,
      process,
      status,
      webviewUrl: firstLink(record),
      firstSeenAt: askedAt,
      changedAt: askedAt,
      seenAt: askedAt,
      ...clockOf(answer),
      ...(place === "oldest" && { seq: beforeAll }),
    })
    .onConflictDoNothing()
    .returning({ kycUUID: kycCase.kycUUID });
  return inserted.length > 0;
}

const isOlder = (tenant: string, askedAt: Date) => and(eq(kycCase.tenant, tenant), lt(kycCase.seenAt, askedAt));

/** Writes what differs from the kept row; false when that has been seen later. */
async function updateCase(tx: Db | Tx, row: CaseRow, answer: Answer): Promise<boolean> {
  const { tenant, record, askedAt } = answer;
  const { kycUUID, vatNumber, kycType, process, status } = record;
  const values = { vatNumber, kycType, process, status, webviewUrl: firstLink(record), seenAt: askedAt };
  const updated = await tx
    .update(kycCase)
    .set({
      ...values,
      ...(movedOn(row, record) && { changedAt: askedAt }),
      ...(row.status !== status && clockOf(answer)),
    })
    .where(and(eq(kycCase.kycUUID, kycUUID), isOlder(tenant, askedAt)))
    .returning({ kycUUID: kycCase.kycUUID });
  return updated.length > 0;
}

function eventOf(row: CaseRow | undefined, { tenant, record }: Answer): CaseEvent[] {
  const { kycUUID, status, process } = record;
  const what = { tenant, kycUUID, actor: null };
  if (row === undefined) return [{ ...what, kind: "seen", detail: { status, process } }];
  if (!movedOn(row, record)) return [];
  return [{ ...what, kind: "moved", detail: { from: row.status, to: status, process } }];
}

type News = Pick<Answer, "tenant" | "askedAt"> & { place: Answered["place"]; kept: ReadonlyMap<string, CaseRow> };

async function writeNews(
  tx: Db | Tx,
  news: readonly KycRecord[],
  { tenant, kept, askedAt, place }: News,
): Promise<void> {
  const changed: string[] = [];
  const events: CaseEvent[] = [];
  const { rules } = await caseRulesOf(tx, tenant);
  // The provider lists newest first: whoever is inserted last comes to stand at the end that the place names.
  for (const record of place === "oldest" ? news : news.toReversed()) {
    const row = kept.get(record.kycUUID);
    const answer = { tenant, record, rules, askedAt, ...(place !== undefined && { place }) };
    const isWritten = await (row === undefined ? insertCase(tx, answer) : updateCase(tx, row, answer));
    if (!isWritten) continue;
    changed.push(record.kycUUID);
    events.push(...eventOf(row, answer));
  }
  await noteEvents(tx, events);
  await publishAll(tx, { tenant, topic: "kyc", objects: changed });
}

/**
 * Keeps what the provider answered, and tells open screens what of it is new; an older answer than what is kept changes
 * nothing.
 */
export async function saveRecords(tx: Db | Tx, tenant: string, answered: Answered): Promise<void> {
  const { askedAt, place } = answered;
  // The interface says that it comes masked: should it ever not, it is not kept as it came.
  const records = answered.records.map((record) => ({ ...record, vatNumber: maskWithin(record.vatNumber) }));
  const kept = await keptRows(tx, tenant, records);
  const isNews = (record: KycRecord) => differs(kept.get(record.kycUUID), record);
  const news = records.filter(isNews);
  const same = records.filter((record) => !isNews(record)).map(({ kycUUID }) => kycUUID);
  if (news.length > 0) await writeNews(tx, news, { tenant, kept, askedAt, place });
  if (same.length > 0) {
    await tx
      .update(kycCase)
      .set({ seenAt: askedAt })
      .where(and(inArray(kycCase.kycUUID, same), isOlder(tenant, askedAt)));
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

/** The cases of who has this document: surely those started here with it, perhaps those that only share its mask. */
export const casesOf = (store: Db, tenant: string, document: string): Promise<RelatedCase[]> =>
  readCases(store, { tenant, kycUUID: "", vatNumber: maskDocument(document) }, lookupHashes(document));

/** Words that must not reach a client. */
export const stoppedWordsOf = async (store: Db, tenant: string): Promise<readonly string[]> =>
  (await caseRulesOf(store, tenant)).rules.stoppedWords;
