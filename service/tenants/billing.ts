import { inArray } from "drizzle-orm";
import type { Call, Service } from "@/service/context";
import type { BillingStatus, Tenant } from "./load-tenants";
import { tenantBilling } from "./schema";

/** Null when the tenants file no longer has it. */
export function actingFor(service: Service, clientId: string): Call | null {
  const tenant = service.tenants.find(clientId);
  return tenant ? { ...service, tenant } : null;
}

/** As the tenants file says, until a control route changes it. */
export type Billing = {
  statusOf: (tenant: Tenant) => BillingStatus;
  set: (tenant: Tenant, status: BillingStatus) => Promise<void>;
};

export async function openBilling({ db, tenants }: Service): Promise<Billing> {
  const rows = await db.select().from(tenantBilling);
  const holds = (row: (typeof rows)[number]) => tenants.find(row.clientId)?.billingStatus === row.insteadOf;
  const outdated = rows.filter((row) => !holds(row)).map(({ clientId }) => clientId);
  if (outdated.length > 0) await db.delete(tenantBilling).where(inArray(tenantBilling.clientId, outdated));
  const changed = new Map(rows.filter(holds).map((row) => [row.clientId, row.status]));
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
