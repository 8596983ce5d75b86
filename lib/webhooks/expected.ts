import { and, asc, eq, gte, inArray, isNotNull, lt, ne, notExists, notInArray, or, sql } from "drizzle-orm";
import { z } from "zod";
import { NETWORKS } from "@/lib/contract/crypto";
import { amountKey, transactionKey } from "@/lib/contract/identity";
import { parseJson } from "@/lib/contract/json";
import { findIn } from "@/lib/contract/open-answer";
import { storeTimeBefore } from "@/lib/db/clock";
import type { Db, Tx } from "@/lib/db/connection";
import { unseal, unsealedOrNull } from "@/lib/db/seal";
import { onboarding } from "@/lib/db/tables/customers";
import { depositNotice } from "@/lib/db/tables/deposits";
import { expectedEvent, webhookEvent } from "@/lib/db/tables/webhooks";
import { jsonOrUndefined } from "@/lib/text/decode";
import { DAY_MS } from "@/lib/text/time";
import { KEPT_MS } from "./observed";
import { pairEvents } from "./pair-events";

type ExpectedRow = typeof expectedEvent.$inferSelect;

type Delivered = { ref: string; at: Date };

const MOST_OPEN = 500;
const LATEST_MS = 2 * DAY_MS;

async function readOpen(tx: Db | Tx, tenant: string): Promise<ExpectedRow[]> {
  const { state, seenAt, seq } = expectedEvent;
  return tx
    .select()
    .from(expectedEvent)
    .where(
      and(
        eq(expectedEvent.tenant, tenant),
        or(eq(state, "EXPECTED"), and(eq(state, "NEVER"), gte(seenAt, storeTimeBefore(LATEST_MS)))),
      ),
    )
    .orderBy(asc(state), asc(seq))
    .limit(MOST_OPEN);
}

const bodyOf = (tenant: string, { id, bodySealed }: Pick<typeof webhookEvent.$inferSelect, "id" | "bodySealed">) => {
  const body = unsealedOrNull(() => unseal(bodySealed, { column: "webhook_event.body_sealed", row: [tenant, id] }));
  return body === null ? undefined : jsonOrUndefined(body, parseJson);
};

const STATUSES = ["PROCESSING", "CONFIRMED", "ERROR"];

const Own = z.object({ status: z.string() });

/** An onboarding's status in a payload, which is not documented; null when it tells none. An envelope has a number there. */
function statusIn(payload: unknown): string | null {
  const told = [Own.safeParse(payload).data?.status, findIn(payload, "status")?.text].map((text) =>
    text?.toUpperCase(),
  );
  return STATUSES.find((status) => told.includes(status)) ?? null;
}

/** By which a delivery that names this onboarding is known, before it was worked off. */
export type HintsOf = (onBoardingId: string) => readonly string[];

type About = { objects: readonly string[]; hints: HintsOf };

type OnboardingDelivery = Delivered & { event: string; object: string; status: string | null };

async function readOnboardingDeliveries(
  tx: Db | Tx,
  tenant: string,
  { objects, hints }: About,
): Promise<OnboardingDelivery[]> {
  const ids = objects.map((object) => object.slice("onboarding:".length));
  const named = await tx
    .select({ id: onboarding.id, onBoardingId: onboarding.onBoardingId })
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), inArray(onboarding.id, ids)));
  const objectOf = new Map(
    named.flatMap(({ id, onBoardingId }) =>
      onBoardingId === null ? [] : hints(onBoardingId).map((hash) => [hash, `onboarding:${id}`]),
    ),
  );
  const { id, event, object, hintKey, receivedAt, bodySealed, state } = webhookEvent;
  const isAbout = or(inArray(object, [...objects]), inArray(hintKey, [...objectOf.keys()]));
  const rows = await tx
    .select({ id, event, object, hintKey, receivedAt, bodySealed })
    .from(webhookEvent)
    .where(and(eq(webhookEvent.tenant, tenant), ne(state, "FOREIGN"), isAbout));
  return rows.flatMap((row) => {
    const about = row.object ?? objectOf.get(row.hintKey ?? "");
    const status = row.event === "onboarding-create" ? statusIn(bodyOf(tenant, row)) : null;
    return about === undefined ? [] : [{ ref: row.id, at: row.receivedAt, event: row.event, object: about, status }];
  });
}

type Pairs = Map<string, Delivered>;

/** All of an onboarding together: the nearest in time is known once both changes and both events are. */
async function pairOnboardings(tx: Db | Tx, tenant: string, about: About) {
  const { objects } = about;
  const rows = await tx
    .select()
    .from(expectedEvent)
    .where(
      and(
        eq(expectedEvent.tenant, tenant),
        inArray(expectedEvent.object, [...objects]),
        gte(expectedEvent.seenAt, storeTimeBefore(KEPT_MS)),
      ),
    );
  const deliveries = await readOnboardingDeliveries(tx, tenant, about);
  const pairs: Pairs = pairEvents(
    rows.map((row) => ({ ...row, at: row.seenAt })),
    deliveries,
    (change, delivery) => {
      if (change.object !== delivery.object || change.event !== delivery.event) return null;
      if (change.mark === null || delivery.status === null) return 1;
      return change.mark === delivery.status ? 0 : null;
    },
  );
  return { rows, pairs };
}

const Mark = z.object({
  addressKey: z.string(),
  network: z.enum(NETWORKS),
  transaction: z.string(),
  amount: z.string(),
});
type Mark = z.output<typeof Mark>;

type Notice = Pick<typeof depositNotice.$inferSelect, "addressKey" | "network" | "txHash" | "amount">;

function rankOfNotice(mark: Mark, { addressKey, network, txHash, amount }: Notice): number | null {
  if (mark.addressKey !== addressKey || (network !== null && network !== mark.network)) return null;
  const isOfAmount = amount !== null && amountKey(amount) === mark.amount;
  if (txHash === null) return isOfAmount ? 2 : null;
  return transactionKey(mark.network, txHash) === mark.transaction ? Number(!isOfAmount) : null;
}

type DepositDelivery = Delivered & { notice: Notice | null; object: string | null };

async function readDepositDeliveries(tx: Db | Tx, tenant: string, marks: readonly Mark[], objects: readonly string[]) {
  const { id, object, event, receivedAt, bodySealed } = webhookEvent;
  const paired = tx
    .select({ one: sql`1` })
    .from(expectedEvent)
    .where(and(eq(expectedEvent.tenant, tenant), eq(expectedEvent.eventRef, id)));
  const isFree = and(eq(webhookEvent.tenant, tenant), eq(event, "crypto-cash-in"), notExists(paired));
  const told = await tx
    .select({ ref: id, at: receivedAt, notice: depositNotice })
    .from(depositNotice)
    .innerJoin(webhookEvent, and(eq(webhookEvent.tenant, depositNotice.tenant), eq(id, depositNotice.eventId)))
    .where(
      and(
        eq(depositNotice.tenant, tenant),
        inArray(
          depositNotice.addressKey,
          marks.map(({ addressKey }) => addressKey),
        ),
        isFree,
      ),
    );
  const others = await tx
    .select({ id, at: receivedAt, object, bodySealed })
    .from(webhookEvent)
    .where(and(isFree, inArray(object, [...objects]), gte(receivedAt, storeTimeBefore(KEPT_MS))));
  const unaddressed = others.filter((row) => findIn(bodyOf(tenant, row), "paidAddress") === null);
  return [
    ...told.map((one): DepositDelivery => ({ ...one, object: null })),
    ...unaddressed.map(({ id: ref, at, object: about }): DepositDelivery => ({ ref, at, notice: null, object: about })),
  ];
}

const NAMES_WALLET_ALONE = 9;

async function pairDeposits(tx: Db | Tx, tenant: string, open: readonly ExpectedRow[]): Promise<Pairs> {
  const changes = open.flatMap((row) => {
    const mark = Mark.safeParse(jsonOrUndefined(row.mark ?? "", parseJson)).data;
    return mark === undefined ? [] : [{ key: row.key, at: row.seenAt, object: row.object, mark }];
  });
  if (changes.length === 0) return new Map();
  const marks = changes.map(({ mark }) => mark);
  const deliveries = await readDepositDeliveries(
    tx,
    tenant,
    marks,
    changes.map(({ object }) => object),
  );
  return pairEvents(changes, deliveries, (change, { notice, object }) => {
    if (notice !== null) return rankOfNotice(change.mark, notice);
    return object === change.object ? NAMES_WALLET_ALONE : null;
  });
}

async function notePair(tx: Db | Tx, row: ExpectedRow, found: Delivered | undefined): Promise<boolean> {
  if ((found?.ref ?? null) === row.eventRef) return false;
  const paired =
    found === undefined
      ? ({ state: "EXPECTED", eventRef: null, arrivedAt: null } as const)
      : ({ state: "ARRIVED", eventRef: found.ref, arrivedAt: found.at } as const);
  const isIt = and(eq(expectedEvent.tenant, row.tenant), eq(expectedEvent.key, row.key));
  await tx.update(expectedEvent).set(paired).where(isIt);
  return true;
}

/** Pairs what was seen with what came, whichever was first. Returns how many changed. */
export async function pairArrivals(tx: Db | Tx, tenant: string, hints: HintsOf): Promise<number> {
  const open = await readOpen(tx, tenant);
  const deposits = open.filter(({ change }) => change === "deposit");
  const objects = [...new Set(open.filter(({ change }) => change !== "deposit").map(({ object }) => object))];
  const onboardings =
    objects.length === 0
      ? { rows: [], pairs: new Map<string, Delivered>() }
      : await pairOnboardings(tx, tenant, { objects, hints });
  const ofDeposits = await pairDeposits(tx, tenant, deposits);
  let changed = 0;
  for (const row of onboardings.rows) changed += Number(await notePair(tx, row, onboardings.pairs.get(row.key)));
  for (const row of deposits) changed += Number(await notePair(tx, row, ofDeposits.get(row.key)));
  return changed;
}

type Terms = {
  /** After a change was seen; the provider's last attempt is seven seconds after its first. */
  graceMs: number;
  /** Types that a subscription of ours covers, as read at `readAt`: what was seen later waits for the next reading. */
  covered: readonly string[];
  readAt: Date;
};

/** No event is promised for a confirmation: it is missed once one came. */
async function areConfirmationsTold(tx: Db | Tx, tenant: string): Promise<boolean> {
  const { change, eventRef } = expectedEvent;
  const isTold = and(eq(expectedEvent.tenant, tenant), eq(change, "confirmed"), isNotNull(eventRef));
  return (await tx.$count(expectedEvent, isTold)) > 0;
}

/** Says which events did not come; those that nobody promised are expected no more. Returns how many changed. */
export async function judgeExpected(tx: Db | Tx, tenant: string, { graceMs, covered, readAt }: Terms): Promise<number> {
  const { state, seenAt, event, change } = expectedEvent;
  const isOver = and(
    eq(expectedEvent.tenant, tenant),
    eq(state, "EXPECTED"),
    lt(seenAt, storeTimeBefore(graceMs)),
    lt(seenAt, readAt),
  );
  const promised = (await areConfirmationsTold(tx, tenant)) ? undefined : eq(change, "confirmed");
  const isUncovered = covered.length === 0 ? sql`true` : notInArray(sql`${event}::text`, [...covered]);
  const dropped = await tx
    .delete(expectedEvent)
    .where(and(isOver, or(isUncovered, promised)))
    .returning({ key: expectedEvent.key });
  const judged = await tx
    .update(expectedEvent)
    .set({ state: "NEVER" })
    .where(isOver)
    .returning({ key: expectedEvent.key });
  return dropped.length + judged.length;
}
