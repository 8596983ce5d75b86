import { and, asc, desc, gt, lte, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { AuditCode } from "@/lib/audit/codes";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { claimIntent } from "@/lib/provider/intents/claim";
import { publish, publishAll } from "@/lib/db/publish";
import { kycCase, kycEvent } from "@/lib/db/tables/kyc";
import { db, type Tx } from "@/lib/db/connection";
import { requireAssignable } from "./assignees";
import type { CaseEventKind } from "@/lib/db/enums/kyc";
import { askerOf, matching } from "./queue-filter";
import { type AssigningMany, KycFilter, type Selection, type Slice, type TaggingMany } from "./inputs";
import { caseQueueSearch, TAGS_MAX } from "./view";

const SLICE_ROWS = 500;

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

const nameOf = (selection: Selection) => ("ids" in selection ? "" : `?${caseQueueSearch(selection.search)}`);

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
