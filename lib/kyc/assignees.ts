import { and, eq, gt, sql } from "drizzle-orm";
import { can } from "@/lib/permission/permission";
import { type Member, readRoster } from "@/lib/auth/roster";
import { AppError } from "@/lib/errors/app-error";
import { staff } from "@/lib/db/tables/staff";
import { kycAway } from "@/lib/db/tables/kyc";
import type { Db, Tx } from "@/lib/db/connection";

export type Assignee = { id: string; name: string; awayUntil: string | null };

export async function readAway(store: Db | Tx, tenant: string): Promise<Map<string, Date>> {
  const rows = await store
    .select({ staffId: kycAway.staffId, until: kycAway.until })
    .from(kycAway)
    .where(and(eq(kycAway.tenant, tenant), gt(kycAway.until, sql`clock_timestamp()`)));
  return new Map(rows.map(({ staffId, until }) => [staffId, until]));
}

export const decides = ({ isActive, roles }: Member): boolean => isActive && can(roles, "kyc:decide");

export async function readAssignees(store: Db | Tx, tenant: string): Promise<Assignee[]> {
  const roster = await readRoster(store, tenant);
  const deciders = roster.filter(decides);
  const away = await readAway(store, tenant);
  const people = await store.select({ id: staff.id, name: staff.name }).from(staff);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return deciders
    .map(({ staffId: id }) => ({ id, name: names.get(id) ?? "", awayUntil: away.get(id)?.toISOString() ?? null }))
    .toSorted((one, other) => one.name.localeCompare(other.name, "pt-BR"));
}

/** Assignees must decide at the tenant and not be away. Throws conflict `not-a-decider` and `person-away`. */
export async function requireAssignable(
  tx: Db | Tx,
  { tenant, by }: { tenant: string; by: string },
  to: string,
): Promise<void> {
  const person = (await readAssignees(tx, tenant)).find(({ id }) => id === to);
  if (person === undefined) throw new AppError("conflict", { code: "not-a-decider" });
  const { id, name, awayUntil } = person;
  if (awayUntil !== null && id !== by) {
    throw new AppError("conflict", { code: "person-away", holder: { id, name, since: awayUntil } });
  }
}
