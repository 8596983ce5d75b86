import { z } from "zod";
import { OptionalText } from "@/lib/contract/shared";

/** Stable identifiers of gateway errors (interface: Errors › Gateway errors). */
export const GATEWAY_ERRORS = [
  "MISSING_CLIENT_ID",
  "ACCOUNT_SUSPENDED",
  "ACCOUNT_RESTRICTED",
  "PRODUCT_NOT_ENABLED",
  "OPERATION_NOT_ALLOWED",
  "TRANSACTION_BLOCKED",
  "TRANSACTION_PENDING_APPROVAL",
  "SECURITY_SERVICE_UNAVAILABLE",
] as const;
export type GatewayErrorCode = (typeof GATEWAY_ERRORS)[number];

/** Either error shape: `{message}`, or `{error, message, …}` of the gateway with the antifraud's extra fields. */
export const ErrorBody = z.looseObject({
  message: z.string(),
  error: OptionalText,
  antifraudId: OptionalText,
  pendingExpiresAt: OptionalText,
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** 202 of a held transaction: not an error (interface: Antifraud-held transaction). */
export const HeldTransaction = z.looseObject({
  error: z.literal("TRANSACTION_PENDING_APPROVAL"),
  message: z.string(),
  antifraudId: z.string(),
  pendingExpiresAt: z.string(),
});
export type HeldTransaction = z.infer<typeof HeldTransaction>;
