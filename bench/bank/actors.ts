import { type Actor, grant } from "@/lib/auth/grant";
import { type Permission, ROLES } from "@/lib/auth/permission";

/** The tenant this process was started for. */
const tenant = (): string => process.env["BANK_CLIENT_ID"] ?? "";

/** Somebody on the desk, who holds every role. */
export function person<P extends Permission>(permission: P, staffId = "bench"): Actor<P> {
  const actor = grant({ staffId, tenant: tenant(), roles: ROLES }, permission);
  if (actor === null) throw new Error(`no role grants ${permission}`);
  return actor;
}
