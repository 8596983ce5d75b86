/** Why nothing could be asked of the provider just now; each has a sentence of its own under `outages`. */
export const OUTAGES = [
  "circuit-open",
  "budget-spent",
  "token-refused",
  "token-unavailable",
  "token-not-readable",
  "token-not-in-time",
] as const;
export type Outage = (typeof OUTAGES)[number];

/** Why the gateway refuses a tenant, whatever it asks (interface: Errors › Gateway errors); each has a sentence under `refusals`. */
export const REFUSALS = [
  "ACCOUNT_SUSPENDED",
  "ACCOUNT_RESTRICTED",
  "PRODUCT_NOT_ENABLED",
  "OPERATION_NOT_ALLOWED",
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Of these the company as a whole is refused, whatever is read; the others are about one product or operation. */
export const isOfCompany = (code: string | undefined): code is "ACCOUNT_SUSPENDED" | "ACCOUNT_RESTRICTED" =>
  code === "ACCOUNT_SUSPENDED" || code === "ACCOUNT_RESTRICTED";

export const isRefusal = (code: string | null | undefined): code is Refusal => REFUSALS.some((known) => known === code);

export const isOutage = (code: string | null | undefined): code is Outage => OUTAGES.some((known) => known === code);
