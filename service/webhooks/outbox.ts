import { and, asc, desc, eq, gt, inArray, lte, min, notInArray, sql } from "drizzle-orm";
import { z } from "zod";
import { stringifyJson } from "@/lib/contract/json";
import type { WebhookEvent } from "@/lib/contract/webhook-events";
import type { Subscription } from "@/lib/contract/webhooks";
import { instant } from "@/service/clock";
import type { Call, Service } from "@/service/context";
import { uuid } from "@/service/random";
import { webhookAttempt, webhookEvent } from "@/service/store/schema";
import { type Tx, afterCommit } from "@/service/store/transaction";
import type { Answer } from "./post";

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

type Emitted = { event: WebhookEvent; payload: Record<string, unknown> };

/** interface: Events. In the caller's transaction; only if the tenant subscribes. `when`, as in answers, is our assumption. */
export async function emit(call: Call, tx: Tx, { event, payload }: Emitted): Promise<void> {
  const { tenant, clock, outbox, random } = call;
  if (!tenant.webhook?.events.includes(event)) return;
  const now = instant(clock);
  await tx.insert(webhookEvent).values({
    id: uuid(random),
    clientId: tenant.clientId,
    event,
    body: stringifyJson({ ...payload, when: now.getTime(), clientId: tenant.clientId }),
    createdAt: now,
    dueAt: now,
  });
  afterCommit(tx, { committed: () => outbox.ring(now.getTime()) });
}

type Endpoint = { clientId: string; busy: number };

type Wanted = { endpoints: readonly Endpoint[]; except: readonly string[]; atEach: number; limit: number };

// A literal, so that the partial indexes are used.
const isWaiting = sql`${webhookEvent.status} = 'PENDING'`;

/** Oldest first, endpoints with the fewest open requests first. One index look-up per endpoint, however many wait. */
export function dueEvents({ db, clock }: Pick<Service, "db" | "clock">, { endpoints, except, atEach, limit }: Wanted) {
  const rows = endpoints.map(({ clientId, busy }) => sql`(${clientId}::text, ${busy}::int)`);
  const { id, clientId, event, body, attempts, sequence, dueAt } = webhookEvent;
  const isMeant = and(isWaiting, eq(clientId, sql`endpoint.client_id`), lte(dueAt, instant(clock)));
  const due = db
    .select({ id, clientId, event, body, attempts, sequence })
    .from(webhookEvent)
    .where(and(isMeant, notInArray(id, [...except])))
    .orderBy(asc(sequence))
    .limit(atEach)
    .as("due");
  const turn = sql`endpoint.busy + row_number() OVER (PARTITION BY ${due.clientId} ORDER BY ${due.sequence})`;
  return db
    .select({ id: due.id, clientId: due.clientId, event: due.event, body: due.body, attempts: due.attempts })
    .from(sql`(VALUES ${sql.join(rows, sql`, `)}) AS endpoint (client_id, busy)`)
    .crossJoinLateral(due)
    .orderBy(turn, due.sequence)
    .limit(limit);
}

/** Epoch milliseconds; null when none waits. */
export async function nextDeliveryAt({ db, clock }: Service): Promise<number | null> {
  const [row] = await db
    .select({ at: min(webhookEvent.dueAt) })
    .from(webhookEvent)
    .where(and(isWaiting, gt(webhookEvent.dueAt, instant(clock))));
  return row?.at?.getTime() ?? null;
}

export type Outcome = {
  id: string;
  number: number;
  at: Date;
  answer: Answer;
  status: (typeof webhookEvent.$inferSelect)["status"];
  dueAt: Date;
};

/** All or nothing. Skips an outcome that is not its event's next attempt, as another process has gone on. */
export async function saveOutcomes({ db }: Pick<Service, "db">, outcomes: readonly Outcome[]): Promise<void> {
  const rows = outcomes.map(({ id, number, at, answer, status, dueAt }) => {
    const what = sql`${answer.httpStatus}::int, ${answer.error}::text, ${status}::text`;
    return sql`(${id}::uuid, ${number}::int, ${at.toISOString()}::timestamptz, ${what}, ${dueAt.toISOString()}::timestamptz)`;
  });
  await db.execute(sql`
    WITH outcome (id, number, at, http_status, error, status, due_at) AS (VALUES ${sql.join(rows, sql`, `)}), told AS (
      UPDATE webhook_event SET attempts = outcome.number, status = outcome.status, due_at = outcome.due_at
      FROM outcome WHERE webhook_event.id = outcome.id AND webhook_event.attempts = outcome.number - 1
      RETURNING webhook_event.id
    )
    INSERT INTO webhook_attempt (event_id, number, at, http_status, error)
    SELECT id, number, at, http_status, error FROM outcome JOIN told USING (id)`);
}

/** The tenants file is read at start, so removed webhooks never return while it runs. */
export async function giveUpOrphans({ db, clock, tenants }: Service): Promise<void> {
  const reachable = tenants.all.filter(({ webhook }) => webhook !== null).map(({ clientId }) => clientId);
  const orphan = notInArray(webhookEvent.clientId, reachable);
  await db.execute(sql`
    WITH given_up AS (
      UPDATE webhook_event SET attempts = attempts + 1, status = 'FAILED' WHERE ${and(isWaiting, orphan)}
      RETURNING id, attempts
    )
    INSERT INTO webhook_attempt (event_id, number, at, error)
    SELECT id, attempts, ${instant(clock).toISOString()}::timestamptz, 'no-webhook' FROM given_up`);
}
