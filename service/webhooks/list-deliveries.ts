import { asc, desc, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import type { Subscription } from "@/lib/contract/webhooks";
import type { Call, Service } from "@/service/context";
import { webhookAttempt, webhookEvent } from "./schema";

/** interface: Events › Delivery rules. Without the secret. */
export function listSubscriptions({ tenant }: Call): Subscription[] {
  if (!tenant.webhook) return [];
  const { url, events } = tenant.webhook;
  return [{ id: `webhook-${tenant.clientId}`, clientId: tenant.clientId, url, events, status: "active" }];
}

const AT_MOST = 500;

export const DeliveriesQuery = z.looseObject({ clientId: z.string().optional() });
export type DeliveriesQuery = z.infer<typeof DeliveriesQuery>;

export async function listDeliveries({ db }: Service, { clientId }: DeliveriesQuery) {
  const events = await db
    .select()
    .from(webhookEvent)
    .where(clientId === undefined ? undefined : eq(webhookEvent.clientId, clientId))
    .orderBy(desc(webhookEvent.createdAt), desc(webhookEvent.sequence))
    .limit(AT_MOST);
  const ids = events.map(({ id }) => id);
  const attempts = await db
    .select()
    .from(webhookAttempt)
    .where(inArray(webhookAttempt.eventId, ids))
    .orderBy(asc(webhookAttempt.number));
  return events.map(({ id, clientId: owner, event, status, createdAt }) => ({
    id,
    clientId: owner,
    event,
    status,
    createdAt: createdAt.toISOString(),
    attempts: attempts
      .filter((attempt) => attempt.eventId === id)
      .map(({ at, httpStatus, error }) => ({ at: at.toISOString(), httpStatus, error })),
  }));
}
