import type { Tenant } from "./tenant";

/** The tenants as read at start. */
export type TenantDirectory = { all: readonly Tenant[]; find: (clientId: string) => Tenant | undefined };

export function createDirectory(tenants: readonly Tenant[]): TenantDirectory {
  const byId = new Map(tenants.map((tenant) => [tenant.clientId, tenant]));
  return { all: tenants, find: (clientId) => byId.get(clientId) };
}
