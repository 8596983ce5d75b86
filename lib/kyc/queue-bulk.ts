import { and, asc, desc, eq, gt, inArray, lte, type SQL, sql } from "drizzle-orm";
import { getLocale, getTranslations } from "next-intl/server";
import { z } from "zod";
import type { AuditCode } from "@/lib/audit/codes";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { claimIntent } from "@/lib/provider/intents/claim";
import { maskWithin } from "@/lib/contract/document";
import { publish, publishAll } from "@/lib/db/publish";
import type { Download } from "@/lib/query";
import { staff } from "@/lib/db/tables/staff";
import { kycCase, kycEvent } from "@/lib/db/tables/kyc";
import { db, type Db, type Tx } from "@/lib/db/connection";
import { CSV_START, csvLine, csvName } from "@/lib/text/csv";
import { formatDateTime, type Locale } from "@/lib/text/format";
import { isUnknown, providerText } from "@/lib/text/provider-word";
import { requireAssignable } from "./assign";
import type { CaseEventKind } from "@/lib/db/enums/kyc";
import { askerOf, matching, ordering } from "./queue";
import { type AssigningMany, KycFilter, type Selection, type Slice, type TaggingMany } from "./inputs";
import { queueSearch } from "./view";

const BATCH_ROWS = 1_000;

const COLUMNS = [
  "id",
  "document",
  "type",
  "process",
  "status",
  "assignee",
  "tags",
  "firstSeen",
  "changed",
  "waiting",
  "due",
  "decided",
] as const;

/** In the screen's order as it was at the beginning, so that changes while reading neither repeat a case nor drop one. */
async function* batches(store: Db, { fits, by, upTo }: Chosen) {
  const fitting = await store
    .select({ seq: kycCase.seq })
    .from(kycCase)
    .where(and(fits, lte(kycCase.seq, upTo)))
    .orderBy(by);
  const seqs = fitting.map(({ seq }) => seq);
  for (let at = 0; at < seqs.length; at += BATCH_ROWS) {
    const some = seqs.slice(at, at + BATCH_ROWS);
    const rows = await store
      .select({ row: kycCase, assignee: staff.name })
      .from(kycCase)
      .leftJoin(staff, eq(staff.id, kycCase.assigneeId))
      .where(inArray(kycCase.seq, some));
    const bySeq = new Map(rows.map((one) => [one.row.seq, one]));
    yield some.flatMap((seq) => bySeq.get(seq) ?? []);
  }
}

type Batch = Awaited<ReturnType<typeof batches>> extends AsyncGenerator<infer Rows> ? Rows : never;

type Chosen = { fits: SQL | undefined; by: SQL; upTo: number };

type Written = {
  say: Awaited<ReturnType<typeof getTranslations<"kyc">>>;
  locale: Locale;
};

function lineOf({ row, assignee }: Batch[number], { say, locale }: Written): string {
  const time = (at: Date | null) => (at === null ? null : formatDateTime(at.toISOString(), locale));
  const { kycType, process, status } = row;
  const words = [
    isUnknown(kycType) ? providerText(kycType) : say(`type.${kycType}`),
    isUnknown(process) ? providerText(process) : say(`process.${process}`),
    isUnknown(status) ? providerText(status) : say(`status.${status}`),
  ];
  const clock = [row.firstSeenAt, row.changedAt, row.waitingSince, row.dueAt, row.decidedAt].map(time);
  const tags = row.tags.join(", ");
  return csvLine([row.kycUUID, providerText(maskWithin(row.vatNumber)), ...words, assignee, tags, ...clock], locale);
}

export async function* caseLines(
  store: Db,
  { fits, by, upTo, header, ...written }: Chosen & { header: readonly string[] } & Written,
): AsyncGenerator<string> {
  yield `${CSV_START}${csvLine(header, written.locale)}`;
  for await (const rows of batches(store, { fits, by, upTo })) yield rows.map((row) => lineOf(row, written)).join("");
}

/** Documents stay masked; recorded before the first byte. */
export async function exportQueue(actor: Actor<"kyc:read">, given: Partial<KycFilter> = {}): Promise<Download> {
  const { after: _, before: __, ...filter } = KycFilter.parse(given);
  const store = await db();
  const fits = matching(await askerOf(store, actor), filter);
  const { by } = ordering(filter);
  const own = eq(kycCase.tenant, actor.tenant);
  const [last] = await store.select({ seq: kycCase.seq }).from(kycCase).where(own).orderBy(desc(kycCase.seq)).limit(1);
  const upTo = last?.seq ?? 0;
  const [t, say, locale] = [await getTranslations("kycQueue.csv"), await getTranslations("kyc"), await getLocale()];
  const detail = { format: "csv", filter: `?${queueSearch(filter)}`, upTo };
  await record(store, { tenant: actor.tenant, actor: actor.id, code: "kyc.export", outcome: "DONE", detail });
  return {
    fileName: csvName("kyc", locale),
    contentType: "text/csv; charset=utf-8",
    parts: caseLines(store, { fits, by, upTo, header: COLUMNS.map((column) => t(column)), say, locale }),
  };
}

const SLICE_ROWS = 2_000;
const TAGS_MAX = 10;

type Assigner = Actor<"kyc:assign">;

/** `rest` is for the next call; null when all are done. */
export type BulkDone = { matched: number; changed: number; rest: Slice };

type Bulk = {
  bulkId: string;
  selection: Selection;
  slice: Slice;
  set: SQL;
  where: SQL;
  event: { kind: CaseEventKind; detail: Record<string, string | null> };
  code: AuditCode;
};

const filterOf = (selection: Selection): KycFilter =>
  "ids" in selection ? KycFilter.parse({ status: "all", ids: selection.ids }) : selection.search;

const nameOf = (selection: Selection) => ("ids" in selection ? "" : `?${queueSearch(selection.search)}`);

async function lastOf(tx: Tx, fits: SQL | undefined): Promise<number> {
  const [last] = await tx.select({ seq: kycCase.seq }).from(kycCase).where(fits).orderBy(desc(kycCase.seq)).limit(1);
  return last?.seq ?? 0;
}

const Worked = z.object({
  rows: z
    .array(z.object({ matched: z.number(), changed: z.array(z.string()), last: z.coerce.number().nullable() }))
    .length(1),
});

async function workSlice(tx: Tx, actor: Assigner, bulk: Bulk) {
  const { tenant, id } = actor;
  const fits = matching(await askerOf(tx, actor), filterOf(bulk.selection));
  const upTo = bulk.slice?.upTo ?? (await lastOf(tx, fits));
  const behind = bulk.slice === null ? undefined : gt(kycCase.seq, bulk.slice.beyond);
  // In the watch's order, to avoid deadlocks.
  const hit = tx
    .select({ kycUUID: kycCase.kycUUID, seq: kycCase.seq })
    .from(kycCase)
    .where(and(fits, behind, lte(kycCase.seq, upTo)))
    .orderBy(asc(kycCase.seq))
    .limit(SLICE_ROWS)
    .for("update");
  const { kind, detail } = bulk.event;
  const { rows } = Worked.parse(
    await tx.execute(sql`
      with hit as (${hit}), changed as (
        update ${kycCase} set ${bulk.set} from hit
        where ${kycCase.tenant} = ${tenant} and ${kycCase.kycUUID} = hit.kyc_uuid and ${bulk.where}
        returning ${kycCase.kycUUID} as kyc_uuid
      ), noted as (
        insert into ${kycEvent} (tenant, kyc_uuid, kind, actor, detail)
        select ${tenant}, kyc_uuid, ${kind}, ${id}::uuid, ${JSON.stringify(detail)}::jsonb from changed
      )
      select (select count(*)::int from hit) as matched, (select max(seq)::text from hit) as last,
        array(select kyc_uuid from changed) as changed`),
  );
  const [worked] = rows;
  if (worked === undefined) throw new Error("a bulk change answered nothing");
  const { matched, changed, last } = worked;
  const rest = matched < SLICE_ROWS || last === null || last >= upTo ? null : { beyond: last, upTo };
  return { matched, changed, rest };
}

/** One slice, all or nothing. Throws not-found for unknown ids. */
async function workMany(actor: Assigner, bulk: Bulk, ready: (tx: Tx) => Promise<void>): Promise<BulkDone> {
  const { tenant, id } = actor;
  return (await db()).transaction(async (tx) => {
    const claimed = { tenant, id: bulk.bulkId, kind: bulk.code, actor: id, isProposed: false };
    await claimIntent(tx, { ...claimed, bytes: JSON.stringify([bulk.selection, bulk.event]) });
    await ready(tx);
    const { matched, changed, rest } = await workSlice(tx, actor, bulk);
    if (matched === 0 && "ids" in bulk.selection) throw new AppError("not-found", { code: "kyc-case" });
    if ("ids" in bulk.selection) await publishAll(tx, { tenant, topic: "kyc", objects: changed });
    else if (changed.length > 0) await publish(tx, { tenant, topic: "kyc" });
    await record(tx, {
      tenant,
      actor: id,
      code: bulk.code,
      outcome: "DONE",
      intentId: bulk.bulkId,
      ...(changed.length === 1 && { object: `kyc:${changed[0]}` }),
      detail: { ...bulk.event.detail, filter: nameOf(bulk.selection), matched, rows: changed.length },
    });
    return { matched, changed: changed.length, rest };
  });
}

/** Decided cases stay as they are. Throws as `requireAssignable`. */
export function assignMany(actor: Assigner, { bulkId, selection, slice, to }: AssigningMany): Promise<BulkDone> {
  const { tenant, id: by } = actor;
  const at = to === null ? sql`null` : sql`clock_timestamp()`;
  const bulk: Bulk = {
    bulkId,
    selection,
    slice,
    set: sql`assignee_id = ${to}::uuid, assigned_at = ${at}`,
    where: sql`status not in ('APPROVED', 'REPROVED') and assignee_id is distinct from ${to}::uuid`,
    event: to === null ? { kind: "released", detail: {} } : { kind: "assigned", detail: { to } },
    code: "kyc.assign-many",
  };
  return workMany(actor, bulk, async (tx) => {
    if (to !== null) await requireAssignable(tx, { tenant, by }, to);
  });
}

export function tagMany(actor: Assigner, { bulkId, selection, slice, tag, isRemoved }: TaggingMany): Promise<BulkDone> {
  const has = sql`tags @> array[${tag}]::text[]`;
  const bulk: Bulk = {
    bulkId,
    selection,
    slice,
    set: isRemoved ? sql`tags = array_remove(tags, ${tag})` : sql`tags = array_append(tags, ${tag}::text)`,
    where: isRemoved ? has : sql`not (${has}) and cardinality(tags) < ${TAGS_MAX}`,
    event: { kind: isRemoved ? "untagged" : "tagged", detail: { tag } },
    code: isRemoved ? "kyc.untag" : "kyc.tag",
  };
  return workMany(actor, bulk, async () => undefined);
}
