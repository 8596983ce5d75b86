import { pgTable, text } from "drizzle-orm/pg-core";

/** Holds while the tenants file says what it said then. */
export const tenantBilling = pgTable("tenant_billing", {
  clientId: text("client_id").primaryKey(),
  status: text("status", { enum: ["ACTIVE", "SUSPENDED", "RESTRICTED"] }).notNull(),
  insteadOf: text("instead_of", { enum: ["ACTIVE", "SUSPENDED", "RESTRICTED"] }).notNull(),
});
