import { eq } from "drizzle-orm";
import { env } from "@/lib/env";
import { staff } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";
import type { Role } from "./permission";
import { staffMembership } from "./schema";

/** Who moves money, lets it move or decides who may: no administrator alone makes anybody one of these. */
export const CRITICAL_ROLES: readonly Role[] = ["finance", "approver", "admin"];

/** Whether one of these roles is good only with a second factor. */
export const needsSecondFactor = (roles: readonly Role[]): boolean =>
  roles.some((role) => env().secondFactorFor === "everyone" || CRITICAL_ROLES.includes(role));

/** Whether the person must have a second factor: at any tenant one of their roles asks for it. Demo people need none. */
export async function mustHaveSecondFactor(store: Db | Tx, staffId: string): Promise<boolean> {
  const held = await store
    .select({ roles: staffMembership.roles, isDemo: staff.isDemo })
    .from(staffMembership)
    .innerJoin(staff, eq(staff.id, staffMembership.staffId))
    .where(eq(staffMembership.staffId, staffId));
  return held.some(({ roles, isDemo }) => !isDemo && needsSecondFactor(roles));
}
