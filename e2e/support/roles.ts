/** Separate from the product's list, with which a unit test compares it. */
export const ROLES = ["support", "compliance", "finance", "approver", "auditor", "admin"] as const;
export type Role = (typeof ROLES)[number];
