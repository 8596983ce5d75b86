import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import { AppError } from "@/lib/errors/app-error";
import { type Download, query } from "@/lib/query";
import { staff } from "@/lib/db/tables/staff";
import { type Db, db } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import { DAY_MS } from "@/lib/text/time";
import { readChunks } from "./chunks";
import { exportMovementList } from "./export-list";
import { exportSentList } from "./export-sent";
import { readMovements } from "./list";
import { readSent } from "./sent-list";
import { isSeenBy, MADE_LATER } from "./records";
import { summarizeMovements } from "./sums";
import { movementExport, movementSource } from "@/lib/db/tables/movements";
import type { MovementExportRow } from "./view";
import { KEPT_DAYS } from "@/lib/db/enums/movements";

const MAX_LISTED = 100;
const NAMED_MAX = 10;

const iso = (at: Date | null) => at?.toISOString() ?? null;

type Progress = Pick<MovementExportRow, "accounts" | "read" | "wallets" | "walletsRead" | "notWhole" | "unread">;
const NOTHING: Progress = {
  accounts: 0,
  read: 0,
  wallets: 0,
  walletsRead: 0,
  notWhole: { accounts: 0, wallets: 0 },
  unread: [],
};

const counted = (wanted: SQL) => sql<number>`count(*) filter (where ${wanted})::int`;

/** The results of each file's sources. */
async function summarize(store: Db, tenant: string, ids: readonly string[]): Promise<Map<string, Progress>> {
  const { exportId, kind, state, why, label, position } = movementSource;
  const rows = await store
    .select({
      exportId,
      accounts: counted(sql`${kind} = 'account'`),
      read: counted(sql`${kind} = 'account' and (${state} = 'READ' or ${why} = ${MADE_LATER})`),
      wallets: counted(sql`${kind} = 'wallet'`),
      walletsRead: counted(sql`${kind} = 'wallet' and (${state} = 'READ' or ${why} = ${MADE_LATER})`),
      accountsNotWhole: counted(sql`${kind} = 'account' and ${state} = 'READ' and ${why} is not null`),
      walletsNotWhole: counted(sql`${kind} = 'wallet' and ${state} = 'READ' and ${why} is not null`),
      unread: sql<string[]>`coalesce(
        to_jsonb((array_agg(${label} order by ${position}) filter (where ${state} = 'UNREAD' and ${why} is distinct from ${MADE_LATER}))[1:${NAMED_MAX + 1}::int]),
        '[]')`,
    })
    .from(movementSource)
    .where(and(eq(movementSource.tenant, tenant), inArray(exportId, [...ids])))
    .groupBy(exportId);
  return new Map(
    rows.map(({ exportId: id, accountsNotWhole, walletsNotWhole, ...told }) => [
      id,
      { ...told, notWhole: { accounts: accountsNotWhole, wallets: walletsNotWhole } },
    ]),
  );
}

/** The files of the last 30 days, newest first. */
export const listMovementFiles = query("statement:export", async (actor): Promise<MovementExportRow[]> => {
  const { tenant } = actor;
  const store = await db();
  const rows = await store
    .select({ file: movementExport, byName: staff.name })
    .from(movementExport)
    .innerJoin(staff, eq(staff.id, movementExport.staffId))
    .where(and(eq(movementExport.tenant, tenant), isSeenBy(actor)))
    .orderBy(desc(movementExport.createdAt), desc(movementExport.id))
    .limit(MAX_LISTED);
  const told = await summarize(
    store,
    tenant,
    rows.map(({ file }) => file.id),
  );
  return rows.map(({ file, byName }) => {
    const { id, format, fromDay, toDay, finishedAt, plannedCalls, plannedMinutes, totals, sha256, sizeBytes } = file;
    return {
      ...(told.get(file.id) ?? NOTHING),
      id,
      format,
      from: fromDay,
      to: toDay,
      state: file.state,
      byName,
      createdAt: file.createdAt.toISOString(),
      finishedAt: iso(finishedAt),
      expiresAt: finishedAt === null ? null : new Date(finishedAt.getTime() + KEPT_DAYS * DAY_MS).toISOString(),
      plannedCalls,
      plannedMinutes,
      totals,
      sha256,
      sizeBytes,
    };
  });
});

/** The sealed file; audited before its first byte. */
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

/** Entries of accounts and, for who may see them, of wallets, as they are kept: the provider is asked nothing. */
export const listMovements = query("accounts:read", readMovements);

export const getMovementSummary = query("accounts:read", summarizeMovements);

export const exportMovements = query("statement:export", exportMovementList);

/** Transfers in reais and, for who may see wallets, of coins. */
export const listSent = query("transfers:read", readSent);

export const exportSent = query("statement:export", exportSentList);

export type { SentFileColumn } from "./export-sent";
export type { MovementFileColumn } from "./export-list";
