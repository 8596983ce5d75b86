/**
 * Who a call waits for in the provider's limit: `money` every write, `people` what somebody looks at, `watchers` what the
 * console asks of itself.
 */
export const LANES = ["money", "people", "watchers"] as const;
export type Lane = (typeof LANES)[number];
