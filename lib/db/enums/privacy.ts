export const CUSTOMER_KINDS = ["account", "onboarding", "kyc"] as const;
export type CustomerKind = (typeof CUSTOMER_KINDS)[number];

export type CustomerObject = `${CustomerKind}:${string}`;

export const isCustomerObject = (object: string): object is CustomerObject =>
  CUSTOMER_KINDS.some((kind) => object.startsWith(`${kind}:`));

/** Whose data was requested: a customer's, or that of a PIX key's holder, by the key's hash. */
export type RevealedObject = CustomerObject | `pix-key:${string}`;

export type AlarmCause = "hour" | "day";

export const REVEAL_REASONS = ["service", "verification", "fraud", "authority"] as const;
export type RevealReason = (typeof REVEAL_REASONS)[number];
