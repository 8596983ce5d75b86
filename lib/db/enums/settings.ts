/** What administrators change without a restart, beside what has a table of its own. */
export const TENANT_SETTINGS = ["allowed-addresses", "alarm-bounds"] as const;
export type TenantSettingName = (typeof TENANT_SETTINGS)[number];
