import { and, asc, eq, gt, lte, min, notInArray, sql } from "drizzle-orm";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import type { DueEvent, Outcome } from "./deliver";
import { webhookEvent } from "./schema";

/** A tenant's endpoint, and how many attempts are being made at it. */
export type Endpoint = { clientId: string; busy: number };

type Wanted = { endpoints: readonly Endpoint[]; except: readonly string[]; limit: number };

// Written out, not as a parameter: the partial indexes are found by it.
const isWaiting = sql`${webhookEvent.status} = 'PENDING'`;

/**
 * The oldest due event of each endpoint but those under way, at most `limit`; endpoints with the fewest attempts under
 * way come first. Costs one look into an index per endpoint, however many events wait.
 */
export async function takeDue({ db, clock }: Service, { endpoints, except, limit }: Wanted): Promise<DueEvent[]> {
  const rows = endpoints.map(({ clientId, busy }) => sql`(${clientId}::text, ${busy}::int)`);
  const oldest = db
    .select({
      id: webhookEvent.id,
      clientId: webhookEvent.clientId,
      event: webhookEvent.event,
      body: webhookEvent.body,
      attempts: webhookEvent.attempts,
      sequence: webhookEvent.sequence,
    })
    .from(webhookEvent)
    .where(
      and(
        isWaiting,
        eq(webhookEvent.clientId, sql`endpoint.client_id`),
        lte(webhookEvent.dueAt, instant(clock)),
        notInArray(webhookEvent.id, [...except]),
      ),
    )
    .orderBy(asc(webhookEvent.sequence))
    .limit(1)
    .as("due");
  return db
    .select({
      id: oldest.id,
      clientId: oldest.clientId,
      event: oldest.event,
      body: oldest.body,
      attempts: oldest.attempts,
    })
    .from(sql`(values ${sql.join(rows, sql`, `)}) as endpoint (client_id, busy)`)
    .crossJoinLateral(oldest)
    .orderBy(sql`endpoint.busy`, oldest.sequence)
    .limit(limit);
}

/** When the next event that is not yet due falls due, in epoch milliseconds; null when none waits. */
export async function nextDeliveryAt({ db, clock }: Service): Promise<number | null> {
  const [row] = await db
    .select({ at: min(webhookEvent.dueAt) })
    .from(webhookEvent)
    .where(and(isWaiting, gt(webhookEvent.dueAt, instant(clock))));
  return row?.at?.getTime() ?? null;
}

/**
 * Writes what attempts came to, all or nothing. An outcome that is not its event's next attempt leaves no trace: another
 * process has gone on with that event meanwhile.
 */
export async function saveOutcomes({ db }: Pick<Service, "db">, outcomes: readonly Outcome[]): Promise<void> {
  const rows = JSON.stringify(outcomes.map(({ answer, ...outcome }) => ({ ...outcome, ...answer })));
  await db.execute(sql`
    WITH outcome AS (
      SELECT * FROM jsonb_to_recordset(${rows}::text::jsonb) AS row
        (id uuid, number int, at timestamptz, "httpStatus" int, error text, status text, "dueAt" timestamptz)
    ), told AS (
      UPDATE webhook_event SET attempts = outcome.number, status = outcome.status, due_at = outcome."dueAt"
      FROM outcome
      WHERE webhook_event.id = outcome.id AND webhook_event.status = 'PENDING'
        AND webhook_event.attempts = outcome.number - 1
      RETURNING webhook_event.id
    )
    INSERT INTO webhook_attempt (event_id, number, at, http_status, error)
    SELECT id, number, at, "httpStatus", error FROM outcome JOIN told USING (id)`);
}

/** Gives up the events of tenants that have no webhook any more: the tenants file is read at start, so none comes back. */
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
