import type { Subscription } from "@/lib/contract/webhooks";
import type { Call } from "@/service/context";

/** The tenant's subscriptions, without the secret (interface: Events › Delivery rules). */
export function listSubscriptions({ tenant }: Call): Subscription[] {
  if (!tenant.webhook) return [];
  const { url, events } = tenant.webhook;
  return [{ id: `webhook-${tenant.clientId}`, clientId: tenant.clientId, url, events, status: "active" }];
}
