import { sql } from "drizzle-orm";
import { index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { Role } from "@/lib/auth/permission";
import { instant, tenant } from "@/lib/store/columns";

/** Somebody asked to join one tenant. The link is good once, until it expires, is revoked or is replaced by a newer one. */
export const staffInvitation = pgTable(
  "staff_invitation",
  {
    id: uuid("id").primaryKey(),
    tenant,
    email: text("email").notNull(),
    name: text("name").notNull(),
    roles: text("roles").array().$type<Role[]>().notNull(),
    /** SHA-256 of what the link carries: a copy of this table opens nothing. */
    tokenHash: text("token_hash").notNull(),
    /** Staff id, or `command`. */
    invitedBy: text("invited_by").notNull(),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    expiresAt: instant("expires_at").notNull(),
    acceptedAt: instant("accepted_at"),
    revokedAt: instant("revoked_at"),
  },
  (table) => [
    uniqueIndex("staff_invitation_token").on(table.tokenHash),
    uniqueIndex("staff_invitation_open")
      .on(table.tenant, sql`lower(${table.email})`)
      .where(sql`${table.acceptedAt} is null and ${table.revokedAt} is null`),
    index("staff_invitation_tenant").on(table.tenant, table.createdAt),
  ],
);
