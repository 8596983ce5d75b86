/** What acts by itself, as the record names it after `watch:`. Each has its word in the messages' `actors.watches`. */
export const WATCH_NAMES = [
  "accounts",
  "approvals",
  "audit-check",
  "audit-heads",
  "calls",
  "demo",
  "kyc",
  "kyc-decisions",
  "mails",
  "movements",
  "onboarding",
  "position",
  "retention",
  "sessions",
  "start",
  "token",
  "transfers",
  "wallets",
  "webhooks",
] as const;
export type WatchName = (typeof WATCH_NAMES)[number];

/** `watch:kyc`. */
export const watchId = (name: WatchName): `watch:${WatchName}` => `watch:${name}`;
