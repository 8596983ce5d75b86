import type { Service } from "@/service/context";
import { tenantBilling } from "./schema";
import type { BillingStatus, Tenant } from "./tenant";

/** The tenants' billing status: what the tenants file says, unless a control route has changed it since. */
export type Billing = {
  statusOf: (tenant: Tenant) => BillingStatus;
  set: (tenant: Tenant, status: BillingStatus) => Promise<void>;
};

export async function openBilling({ db, tenants }: Service): Promise<Billing> {
  const rows = await db.select().from(tenantBilling);
  const changed = new Map(
    rows
      .filter((row) => tenants.find(row.clientId)?.billingStatus === row.insteadOf)
      .map((row) => [row.clientId, row.status]),
  );
  return {
    statusOf: (tenant) => changed.get(tenant.clientId) ?? tenant.billingStatus,
    set: async (tenant, status) => {
      const change = { status, insteadOf: tenant.billingStatus };
      await db
        .insert(tenantBilling)
        .values({ clientId: tenant.clientId, ...change })
        .onConflictDoUpdate({ target: tenantBilling.clientId, set: change });
      changed.set(tenant.clientId, status);
    },
  };
}
