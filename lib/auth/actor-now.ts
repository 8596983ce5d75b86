import { eq } from "drizzle-orm";
import { env } from "@/lib/settings/env";
import { staff } from "@/lib/db/tables/staff";
import type { Db, Tx } from "@/lib/db/connection";
import { type Actor, grant } from "@/lib/permission/grant";
import { readMemberships } from "./sessions";
import type { Permission } from "@/lib/permission/permission";

/** By current rights, whoever asks; null when disabled, no longer at the tenant, or without a granting role. */
export async function actorNow<P extends Permission>(
  store: Db | Tx,
  { staffId, tenant }: { staffId: string; tenant: string },
  permission: P,
): Promise<Actor<P> | null> {
  const [person] = await store
    .select({ disabledAt: staff.disabledAt, isDemo: staff.isDemo })
    .from(staff)
    .where(eq(staff.id, staffId));
  if (person === undefined || person.disabledAt !== null || (person.isDemo && !env().isEmbedded)) return null;
  const membership = (await readMemberships(store, staffId)).find((held) => held.tenant === tenant);
  return membership === undefined ? null : grant({ staffId, tenant, roles: membership.roles }, permission);
}
