import { pgTable, text } from "drizzle-orm/pg-core";

/** A billing status set at run time. It holds while the tenants file still says what it said then. */
export const tenantBilling = pgTable("tenant_billing", {
  clientId: text("client_id").primaryKey(),
  status: text("status", { enum: ["ACTIVE", "SUSPENDED", "RESTRICTED"] }).notNull(),
  insteadOf: text("instead_of", { enum: ["ACTIVE", "SUSPENDED", "RESTRICTED"] }).notNull(),
});
