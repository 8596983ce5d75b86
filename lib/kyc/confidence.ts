import { can, type Permission, type Role } from "@/lib/auth/permission";

/** Who decides, authorises or audits: whoever talks to the holder is not to know what the team suspects. */
const READERS = ["kyc:note", "approvals:authorize", "audit:read"] as const satisfies readonly Permission[];

/** Whether somebody with these roles reads what the team writes down about a case, and its files. */
export const readsNotes = (roles: readonly Role[]): boolean => READERS.some((permission) => can(roles, permission));
