import { and, asc, desc, eq, sql } from "drizzle-orm";
import { getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import { AppError } from "@/lib/errors/app-error";
import { type Download, query } from "@/lib/query";
import { staff } from "@/lib/db/tables/staff";
import { db } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import { readChunks } from "./chunks";
import { movementExport, movementSource } from "@/lib/db/tables/movements";
import type { MovementExportRow } from "./view";
import { KEPT_DAYS } from "@/lib/db/enums/movements";

const MAX_LISTED = 100;
const NAMED_MAX = 10;
const DAY_MS = 24 * 60 * 60 * 1000;

const iso = (at: Date | null) => at?.toISOString() ?? null;

/** The files of the last 30 days, newest first. */
export const listMovementFiles = query("statement:export", async ({ tenant }): Promise<MovementExportRow[]> => {
  const store = await db();
  const ofIt = sql`${movementSource.tenant} = ${movementExport.tenant} and ${movementSource.exportId} = ${movementExport.id}`;
  const rows = await store
    .select({
      file: movementExport,
      byName: staff.name,
      accounts: sql<number>`(select count(*)::int from ${movementSource} where ${ofIt})`,
      read: sql<number>`(select count(*)::int from ${movementSource} where ${ofIt} and ${movementSource.state} = 'READ')`,
    })
    .from(movementExport)
    .innerJoin(staff, eq(staff.id, movementExport.staffId))
    .where(eq(movementExport.tenant, tenant))
    .orderBy(desc(movementExport.createdAt), desc(movementExport.id))
    .limit(MAX_LISTED);
  const unread = await store
    .select({ exportId: movementSource.exportId, label: movementSource.label })
    .from(movementSource)
    .where(and(eq(movementSource.tenant, tenant), eq(movementSource.state, "UNREAD")))
    .orderBy(asc(movementSource.position));
  return rows.map(({ file, byName, accounts, read }) => {
    const { id, format, fromDay, toDay, state, finishedAt, plannedCalls, plannedMinutes, totals, sha256, sizeBytes } =
      file;
    return {
      id,
      format,
      from: fromDay,
      to: toDay,
      state,
      byName,
      createdAt: file.createdAt.toISOString(),
      finishedAt: iso(finishedAt),
      expiresAt: finishedAt === null ? null : new Date(finishedAt.getTime() + KEPT_DAYS * DAY_MS).toISOString(),
      accounts,
      read,
      unread: unread
        .filter(({ exportId }) => exportId === id)
        .map(({ label }) => label)
        .slice(0, NAMED_MAX + 1),
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
  const [file] = isUuid(id) ? await store.select().from(movementExport).where(isIt) : [];
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
