import type { Role } from "./permission";

/** Who moves money, lets it move or decides who may. */
const GRAVE_ROLES: readonly Role[] = ["finance", "approver", "admin"];

export const needsSecondFactor = (roles: readonly Role[]): boolean => roles.some((role) => GRAVE_ROLES.includes(role));
