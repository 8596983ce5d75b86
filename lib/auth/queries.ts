import { env } from "@/lib/env";
import type { Environment } from "@/lib/tenants-file";
import { type Permission, permissionsOf, type Role } from "./permission";
import { getSession } from "./session";

/** What the shell always shows: who is here, for which tenant, and what they may do. */
export type Desk = {
  person: { name: string; email: string; roles: Role[] };
  tenant: { clientId: string; name: string; environment: Environment };
  permissions: Permission[];
};

/** The desk of the signed-in person; null when nobody is. */
export async function getDesk(): Promise<Desk | null> {
  const session = await getSession();
  if (session === null) return null;
  const { name, email, roles } = session;
  const { clientId, name: tenantName, environment } = env().tenants[0];
  return {
    person: { name, email, roles },
    tenant: { clientId, name: tenantName, environment },
    permissions: permissionsOf(roles),
  };
}
