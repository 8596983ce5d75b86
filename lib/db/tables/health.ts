import { sql } from "drizzle-orm";
import { index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, tenant } from "@/lib/db/columns";
import type { IncidentKind } from "@/lib/db/enums/health";

/** `openedAt`: since when the fault lasts, not when it was noticed. */
export const healthIncident = pgTable(
  "health_incident",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    tenant,
    kind: text("kind").$type<IncidentKind>().notNull(),
    /** What of several it is about, a watch's name; empty where there is one. */
    subject: text("subject").notNull(),
    openedAt: instant("opened_at").notNull(),
    /** Since when it looks well again: it ends once that lasts. */
    wellSince: instant("well_since"),
    endedAt: instant("ended_at"),
  },
  (table) => [
    uniqueIndex("health_incident_open")
      .on(table.tenant, table.kind, table.subject)
      .where(sql`ended_at is null`),
    index("health_incident_opened").on(table.tenant, table.openedAt),
  ],
);
