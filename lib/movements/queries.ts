import { and, asc, desc, eq, lte, type SQL, sql } from "drizzle-orm";
import { getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import { AppError } from "@/lib/errors/app-error";
import { type Download, query } from "@/lib/query";
import { staff } from "@/lib/db/tables/staff";
import { db } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import { readChunks } from "./chunks";
import { isSeenBy } from "./records";
import { movementExport, movementSource } from "@/lib/db/tables/movements";
import type { MovementExportRow } from "./view";
import { KEPT_DAYS } from "@/lib/db/enums/movements";

const MAX_LISTED = 100;
const NAMED_MAX = 10;
const DAY_MS = 24 * 60 * 60 * 1000;

const iso = (at: Date | null) => at?.toISOString() ?? null;

/** The files of the last 30 days, newest first. */
export const listMovementFiles = query("statement:export", async (actor): Promise<MovementExportRow[]> => {
  const { tenant } = actor;
  const store = await db();
  const { exportId, kind, state, why, label, position } = movementSource;
  const counted = (wanted: SQL) =>
    sql<number>`(select count(*)::int from ${movementSource} where ${movementSource.tenant} = ${movementExport.tenant}
      and ${exportId} = ${movementExport.id} and ${wanted})`;
  const rows = await store
    .select({
      file: movementExport,
      byName: staff.name,
      accounts: counted(sql`${kind} = 'account'`),
      read: counted(sql`${kind} = 'account' and ${state} = 'READ'`),
      wallets: counted(sql`${kind} = 'wallet'`),
      walletsRead: counted(sql`${kind} = 'wallet' and ${state} = 'READ'`),
      notWhole: counted(sql`${state} = 'READ' and ${why} is not null`),
    })
    .from(movementExport)
    .innerJoin(staff, eq(staff.id, movementExport.staffId))
    .where(and(eq(movementExport.tenant, tenant), isSeenBy(actor)))
    .orderBy(desc(movementExport.createdAt), desc(movementExport.id))
    .limit(MAX_LISTED);
  const ranked = store
    .select({
      exportId,
      label,
      nth: sql<number>`row_number() over (partition by ${exportId} order by ${position})`.as("nth"),
    })
    .from(movementSource)
    .where(and(eq(movementSource.tenant, tenant), eq(state, "UNREAD")))
    .as("ranked");
  const unread = await store
    .select({ exportId: ranked.exportId, label: ranked.label })
    .from(ranked)
    .where(lte(ranked.nth, NAMED_MAX + 1))
    .orderBy(asc(ranked.nth));
  return rows.map(({ file, ...told }) => {
    const { id, format, fromDay, toDay, finishedAt, plannedCalls, plannedMinutes, totals, sha256, sizeBytes } = file;
    return {
      ...told,
      id,
      format,
      from: fromDay,
      to: toDay,
      state: file.state,
      createdAt: file.createdAt.toISOString(),
      finishedAt: iso(finishedAt),
      expiresAt: finishedAt === null ? null : new Date(finishedAt.getTime() + KEPT_DAYS * DAY_MS).toISOString(),
      unread: unread.flatMap((one) => (one.exportId === id ? [one.label] : [])),
      plannedCalls,
      plannedMinutes,
      totals,
      sha256,
      sizeBytes,
    };
  });
});

/** The file as it was sealed; that it was taken is on record before its first byte. */
export const takeMovementFile = query("statement:export", async (actor, id: string): Promise<Download<Uint8Array>> => {
  const { tenant, id: staffId } = actor;
  const store = await db();
  const isIt = and(eq(movementExport.tenant, tenant), eq(movementExport.id, id), eq(movementExport.state, "READY"));
  const [file] = isUuid(id)
    ? await store
        .select()
        .from(movementExport)
        .where(and(isIt, isSeenBy(actor)))
    : [];
  if (file === undefined) throw new AppError("not-found");
  const { format, fromDay, toDay, sha256 } = file;
  const detail = { exportId: id, format, from: fromDay, to: toDay, sha256 };
  await record(store, { tenant, actor: staffId, code: "movements.export", outcome: "DONE", detail });
  const say = await getTranslations("movements");
  const ending = format === "csv" ? "csv" : "zip";
  return {
    fileName: `${say("file")}-${fromDay}-${toDay}-${id.slice(0, 8)}.${ending}`,
    contentType: format === "csv" ? "text/csv; charset=utf-8" : "application/zip",
    parts: readChunks({ tenant, exportId: id }),
  };
});
