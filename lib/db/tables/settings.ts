import { integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/db/columns";
import type { TenantSettingName } from "@/lib/db/enums/settings";

/** The last version applies; the default has none. Append-only. */
export const tenantSetting = pgTable(
  "tenant_setting",
  {
    tenant,
    name: text("name").$type<TenantSettingName>().notNull(),
    version: integer("version").notNull(),
    value: jsonb("value").notNull(),
    actor: text("actor").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.name, table.version] })],
);
