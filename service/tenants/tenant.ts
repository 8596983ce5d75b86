import { z } from "zod";
import { WEBHOOK_EVENTS } from "@/lib/contract/webhooks";
import { NOT_A_WEB_ADDRESS } from "./webhook-url";

export const PRODUCT_FAMILIES = ["BANKING", "CRYPTO", "CRYPTO_BRIDGE", "KYC", "SALARY_ADVANCE"] as const;
export type ProductFamily = (typeof PRODUCT_FAMILIES)[number];
export const BillingStatus = z.enum(["ACTIVE", "SUSPENDED", "RESTRICTED"]);
export type BillingStatus = z.infer<typeof BillingStatus>;

const Webhook = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: NOT_A_WEB_ADDRESS }),
  secret: z.string().min(1),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
});

export const Tenant = z.strictObject({
  clientId: z
    .string()
    .regex(/^[!-9;-~]{1,100}$/, { error: "must be 1 to 100 ASCII characters without space or colon" }),
  clientSecret: z.string().min(1),
  name: z.string().min(1),
  enabledProducts: z.array(z.enum(PRODUCT_FAMILIES)),
  allowedOperations: z
    .array(z.string().regex(/^(GET|POST|PUT|DELETE|PATCH) \/v1\/\S+$/, { error: 'must read "METHOD /v1/path"' }))
    .nullable()
    .default(null),
  billingStatus: BillingStatus.default("ACTIVE"),
  webhook: Webhook.nullable().default(null),
});
/** One integrator; its Client_ID is its tenant id (service settings: the tenants file). */
export type Tenant = z.infer<typeof Tenant>;
