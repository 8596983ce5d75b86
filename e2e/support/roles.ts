/** Known to the stories apart from the product's own list, which a unit test compares with this one. */
export const ROLES = ["support", "compliance", "finance", "approver", "auditor", "admin"] as const;
export type Role = (typeof ROLES)[number];
