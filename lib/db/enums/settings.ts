/** What administrators change without a restart, beside what has a table of its own. */
export const TENANT_SETTINGS = ["allowed-addresses"] as const;
export type TenantSettingName = (typeof TENANT_SETTINGS)[number];
