import { z } from "zod";
import { notFound } from "@/service/error";
import { BillingStatus } from "@/service/tenants/tenant";
import type { Sandbox } from "./sandbox";

/** Body of the control route. */
export const BillingChange = z.strictObject({ status: BillingStatus });
export type BillingChange = z.infer<typeof BillingChange>;

/** Changes a tenant's billing status from the next request on. Throws 404 for an unknown tenant. */
export async function setBilling(sandbox: Sandbox, clientId: string, { status }: BillingChange) {
  const tenant = sandbox.tenants.find(clientId);
  if (!tenant) throw notFound("The client was not found");
  await sandbox.billing.set(tenant, status);
  return { clientId, status };
}
