import { and, desc, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Tx } from "@/lib/db/connection";
import type { TenantSettingName } from "@/lib/db/enums/settings";
import { holdLock } from "@/lib/db/lock";
import { tenantSetting } from "@/lib/db/tables/settings";
import { staff } from "@/lib/db/tables/staff";
import { AppError } from "@/lib/errors/app-error";
import type { AuditCode } from "./codes";
import { type AuditEntry, record } from "./record";

/** A value that administrators change without a restart. `standard` applies until somebody changes it. */
export type TenantSetting<Value> = {
  name: TenantSettingName;
  schema: z.ZodType<Value>;
  standard: Value;
  code: AuditCode;
  /** What the record says of a change, before and after. */
  detail: (before: Value, after: Value) => NonNullable<AuditEntry["detail"]>;
};

export type VersionedSetting<Value> = { version: number; value: Value };

/** In force now, in every instance: it is read each time. Version 0 is the standard. */
export async function readSetting<Value>(
  store: Db | Tx,
  tenant: string,
  { name, schema, standard }: TenantSetting<Value>,
): Promise<VersionedSetting<Value>> {
  const { version, value } = tenantSetting;
  const [latest] = await store
    .select({ version, value })
    .from(tenantSetting)
    .where(and(eq(tenantSetting.tenant, tenant), eq(tenantSetting.name, name)))
    .orderBy(desc(version))
    .limit(1);
  return latest === undefined
    ? { version: 0, value: standard }
    : { version: latest.version, value: schema.parse(latest.value) };
}

/** `byName` null: the command line. */
export type SettingStep<Value> = { version: number; byName: string | null; at: string; before: Value; after: Value };

const MAX_STEPS = 20;

export async function listSettingSteps<Value>(
  store: Db | Tx,
  tenant: string,
  { name, schema, standard }: TenantSetting<Value>,
): Promise<SettingStep<Value>[]> {
  const rows = await store
    .select({ row: tenantSetting, byName: staff.name })
    .from(tenantSetting)
    .leftJoin(staff, eq(sql`${staff.id}::text`, tenantSetting.actor))
    .where(and(eq(tenantSetting.tenant, tenant), eq(tenantSetting.name, name)))
    .orderBy(desc(tenantSetting.version))
    .limit(MAX_STEPS + 1);
  return rows.slice(0, MAX_STEPS).map(({ row, byName }, nth) => {
    const before = rows[nth + 1]?.row.value;
    return {
      version: row.version,
      byName,
      at: row.createdAt.toISOString(),
      before: before === undefined ? standard : schema.parse(before),
      after: schema.parse(row.value),
    };
  });
}

/** `seen`: the version that a form was filled from; null for the command line, which has seen none. */
type SettingChange<Value> = { tenant: string; actor: string; seen: number | null; value: Value };

/**
 * Stores the next version and puts its difference on record; what is in force already changes nothing. Throws conflict
 * `setting-changed` when somebody saved another version meanwhile.
 */
export async function changeSetting<Value>(
  tx: Tx,
  setting: TenantSetting<Value>,
  { tenant, actor, seen, value }: SettingChange<Value>,
): Promise<VersionedSetting<Value>> {
  const { name, code, detail } = setting;
  await holdLock(tx, `${tenant} setting ${name}`);
  const latest = await readSetting(tx, tenant, setting);
  if (JSON.stringify(value) === JSON.stringify(latest.value)) return latest;
  if (seen !== null && seen !== latest.version) throw new AppError("conflict", { code: "setting-changed" });
  const version = latest.version + 1;
  await tx.insert(tenantSetting).values({ tenant, name, version, value, actor, createdAt: sql`clock_timestamp()` });
  const said = { version, ...detail(latest.value, value) };
  await record(tx, { tenant, actor, code, outcome: "DONE", object: `setting:${name}`, detail: said });
  return { version, value };
}
