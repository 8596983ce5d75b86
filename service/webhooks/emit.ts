import { stringifyJson } from "@/lib/contract/json";
import type { WebhookEvent } from "@/lib/contract/webhooks";
import { instant } from "@/service/clock";
import type { Call } from "@/service/context";
import { uuid } from "@/service/random";
import type { Tx } from "@/service/store/db";
import { afterCommit } from "@/service/store/transaction";
import { webhookEvent } from "./schema";

type Emitted = { event: WebhookEvent; payload: Record<string, unknown> };

/**
 * Puts an event into the outbox in the caller's transaction, when the tenant subscribes to it; `clientId` joins the
 * payload (interface: Events).
 */
export async function emit(call: Call, tx: Tx, { event, payload }: Emitted): Promise<void> {
  const { tenant, clock, outbox, random } = call;
  if (!tenant.webhook?.events.includes(event)) return;
  const now = instant(clock);
  await tx.insert(webhookEvent).values({
    id: uuid(random),
    clientId: tenant.clientId,
    event,
    body: stringifyJson({ ...payload, clientId: tenant.clientId }),
    createdAt: now,
    dueAt: now,
  });
  afterCommit(tx, { committed: () => outbox.ring(now.getTime()) });
}
