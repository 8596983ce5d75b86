import { randomUUID } from "node:crypto";
import { and, desc, eq, inArray, or, sql } from "drizzle-orm";
import { lookupHash, lookupHashes, seal } from "@/lib/store/seal";
import type { Db } from "@/lib/store/store";
import { hintKeyOf, type Hint } from "./hint";
import { webhookEvent } from "./schema";

/** A delivery whose signature is right. */
export type Delivery = {
  tenant: string;
  event: string;
  eventId: string | null;
  /** To the letter as it was signed. */
  body: string;
  sizeBytes: number;
  isByPreviousSecret: boolean;
  /** The body says that it is another client's. */
  isForeign: boolean;
  hint: Hint | null;
};

/** Counts one more arrival of an event that is kept: the same body before the same id. Returns whether there is one. */
async function noteArrival(store: Db, { tenant, eventId, body }: Delivery): Promise<boolean> {
  const hasBody = inArray(webhookEvent.bodyHash, lookupHashes(body));
  const hasId = eventId === null ? undefined : eq(webhookEvent.eventId, eventId);
  const known = store
    .select({ id: webhookEvent.id })
    .from(webhookEvent)
    .where(and(eq(webhookEvent.tenant, tenant), or(hasBody, hasId)))
    .orderBy(desc(hasBody))
    .limit(1);
  const counted = await store
    .update(webhookEvent)
    .set({
      lastAt: sql`clock_timestamp()`,
      arrivals: sql`${webhookEvent.arrivals} + 1`,
      otherIds: sql`${webhookEvent.otherIds} + (${webhookEvent.eventId} is distinct from ${eventId}::text)::int`,
      otherBodies: sql`${webhookEvent.otherBodies} + (not ${hasBody})::int`,
    })
    .where(and(eq(webhookEvent.tenant, tenant), inArray(webhookEvent.id, known)))
    .returning({ id: webhookEvent.id });
  return counted.length > 0;
}

async function keepNew(store: Db, delivery: Delivery): Promise<boolean> {
  const { tenant, event, eventId, body, sizeBytes, isByPreviousSecret, isForeign, hint } = delivery;
  const id = randomUUID();
  const heeded = isForeign ? null : hint;
  const unheeded = isForeign ? "FOREIGN" : "KEPT";
  const kept = await store
    .insert(webhookEvent)
    .values({
      tenant,
      id,
      event,
      eventId,
      bodyHash: lookupHash(body),
      bodySealed: seal(body, { column: "webhook_event.body_sealed", row: [tenant, id] }),
      sizeBytes,
      isByPreviousSecret,
      state: heeded === null ? unheeded : "WAITING",
      wakes: heeded?.wakes ?? null,
      hintKey: heeded === null ? null : lookupHash(hintKeyOf(heeded)),
    })
    .onConflictDoNothing()
    .returning({ id: webhookEvent.id });
  return kept.length > 0;
}

/**
 * Keeps a delivery as one row, or counts it with the row that has its id or its body already: only the first is ever acted
 * upon (interface: Events › Delivery rules: receivers deduplicate).
 */
export async function keepDelivery(store: Db, delivery: Delivery): Promise<void> {
  if (await noteArrival(store, delivery)) return;
  // Copies that come at the same moment: one of them is kept, and the others are counted with it.
  if (!(await keepNew(store, delivery))) await noteArrival(store, delivery);
}
