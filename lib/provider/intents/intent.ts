import { channel } from "node:diagnostics_channel";
import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, inArray, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { queueMail } from "@/lib/mail/outbox";
import { env } from "@/lib/settings/env";
import { isStoreTrouble } from "@/lib/db/error";
import { instanceId } from "@/lib/db/lease";
import { isHashOf, lookupHash, unseal } from "@/lib/db/seal";
import { db, type Db, type Tx } from "@/lib/db/connection";
import { backoffMs, kindOf } from "@/lib/provider/answer";
import { AppError } from "@/lib/errors/app-error";
import { provider, type Provider } from "@/lib/provider/client";
import {
  ALONE,
  type Authority,
  contradictIntent,
  endIntent,
  findIntent,
  type Intent,
  type IntentKind,
  intentTarget,
  isAbandoned,
  isAcceptedSql,
  judgeAnswer,
  hasArrived,
  judgeFailure,
  type Nothing,
  noteSending,
  type OpenedIntent,
  openIntent,
  type Proposed,
  type RecoverableKind,
  refusedUnsent,
  SEEN,
  type Sending,
  sendingUntil,
  unseen,
  type AttemptOutcome,
  widerLater,
} from "./intent-record";
import { saidOf } from "./told";
import { noteSent } from "@/lib/log/work";
import * as operations from "@/lib/provider/operations";
import { providerIntent } from "@/lib/db/tables/provider";

/** In order; `in-row` and `in-save` right before their commit. */
export const INTENT_STEPS = [
  "before-row",
  "in-row",
  "row-committed",
  "before-send",
  "send-noted",
  "answered",
  "before-save",
  "in-save",
  "saved",
] as const;
type IntentStep = (typeof INTENT_STEPS)[number];

const steps = channel("retaguarda:intent");

function passStep(step: IntentStep, intentId: string): void {
  if (steps.hasSubscribers) steps.publish({ step, intentId });
}

const DEADLINE_MS = 60_000;

type IntentDeps = {
  post: Provider["post"];
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  random: () => number;
};

type Attempting = {
  deps: IntentDeps;
  store: Db;
  kind: RecoverableKind & Pick<IntentKind<never, unknown>, "busyCode" | "unconfirmedCode">;
  actor: Actor;
  object: string;
  bytes: string;
};

type Trying = Sending & { deps: IntentDeps; kind: RecoverableKind };

async function attempt({ deps, kind, ...sending }: Trying, intent: Intent): Promise<AttemptOutcome> {
  const outcome = await kind
    .attempt(deps.post, sending, intent)
    .then(judgeAnswer, (error: unknown) =>
      judgeFailure(error, { isKeyed: kind.isKeyed, mayHaveExecuted: intent.mayHaveExecuted }),
    );
  passStep("answered", intent.id);
  return outcome;
}

/** A person settled it meanwhile, and this certain answer differs. */
async function isContradicted(tx: Tx, intent: Intent, { state, isConclusive }: AttemptOutcome): Promise<boolean> {
  const standing = isConclusive ? await findIntent(tx, intent) : null;
  return standing !== null && standing.key === intent.key && standing.endedBy !== null && standing.state !== state;
}

const UNANSWERED_AFTER_MS = 5 * 60_000;

async function tellUnanswered(tx: Tx, { tenant, id: object, state, nextTryAt }: Intent): Promise<void> {
  if (state !== "UNKNOWN" || nextTryAt !== null) return;
  const to = { permission: "outcomes:end", except: "" } as const;
  await queueMail(tx, { tenant, subject: "unanswered", object, to, delayMs: UNANSWERED_AFTER_MS });
}

/** Returns null when another process has recorded it meanwhile. */
async function end(
  { store, kind, actor }: Pick<Attempting, "store" | "actor"> & { kind: RecoverableKind },
  intent: Intent,
  outcome: AttemptOutcome,
): Promise<Intent | null> {
  passStep("before-save", intent.id);
  const ended = await store.transaction(async (tx) => {
    const row = await endIntent(tx, intent, outcome);
    if (row !== null) {
      await tellUnanswered(tx, row);
      await kind.ended(tx, row, actor.id);
    } else if (await isContradicted(tx, intent, outcome)) await contradictIntent(tx, { intent, kind, by: actor.id });
    passStep("in-save", intent.id);
    return row;
  });
  passStep("saved", intent.id);
  return ended;
}

function unconfirmed({ unconfirmedCode }: Attempting["kind"], cause: unknown): AppError {
  const { requestId, providerMessage } = cause instanceof AppError ? cause.details : {};
  return new AppError("unavailable", {
    code: unconfirmedCode,
    ...(requestId !== undefined && { requestId }),
    ...(providerMessage !== undefined && { providerMessage }),
    cause,
  });
}

async function conclude(attempting: Attempting, intent: Intent, outcome: AttemptOutcome): Promise<Intent> {
  const ended = (await end(attempting, intent, outcome)) ?? (await findIntent(attempting.store, intent));
  if (ended?.state === "DONE" || ended?.state === "HELD") return ended;
  const isRefused = ended?.state === "REFUSED" && outcome.error !== null;
  throw isRefused ? outcome.error : unconfirmed(attempting.kind, outcome.error);
}

async function sendIntent(attempting: Attempting, opened: Intent): Promise<Intent> {
  const { deps, store, kind, actor, bytes } = attempting;
  const deadline = deps.now() + DEADLINE_MS;
  let intent = opened;
  let told: AttemptOutcome | null = null;
  for (let tried = 0; ; tried += 1) {
    passStep("before-send", intent.id);
    const noted = await noteSending(store, intent);
    // Recovery took it over: nothing leaves here.
    if (noted === null) throw unconfirmed(kind, null);
    passStep("send-noted", intent.id);
    noteSent();
    const withinMs = deadline - deps.now();
    const outcome = await attempt({ deps, kind, actor, bytes, withinMs }, noted);
    // What kept a repeat from leaving says nothing of the attempt that may have executed.
    if (told === null || hasArrived(outcome)) told = outcome;
    const retryAfterMs = outcome.error instanceof AppError ? (outcome.error.details.retryAfterMs ?? 0) : 0;
    const delayMs = Math.max(retryAfterMs, backoffMs(tried, deps.random));
    if (!outcome.canTryAgain || deps.now() + delayMs >= deadline)
      return conclude(attempting, noted, outcome.state === "UNKNOWN" ? told : outcome);
    intent = { ...noted, mayHaveExecuted: noted.mayHaveExecuted || outcome.state === "UNKNOWN" };
    await deps.sleep(delayMs);
  }
}

/** Our assumption: keys live for 24 hours; an hour less for attempts and clocks. */
const isKeyAlive = sql`${providerIntent.firstSentAt} > clock_timestamp() - interval '23 hours'`;
const AT_ONCE = 10;

type Recovery = {
  deps: IntentDeps;
  store: Db;
  actor: Actor;
  kinds: readonly RecoverableKind[];
  inFlight: readonly string[];
};

const ofKinds = ({ actor, kinds }: Recovery): SQL | undefined =>
  and(
    eq(providerIntent.tenant, actor.tenant),
    inArray(
      providerIntent.operation,
      kinds.map(({ path }) => path),
    ),
  );

const recoverableKindOf = ({ kinds }: Recovery, { operation }: Intent) => kinds.find(({ path }) => path === operation);

const ABANDONED = {
  state: sql`case when ${providerIntent.attempts} > 0 then 'UNKNOWN' else 'REFUSED' end`,
  code: sql`case when ${providerIntent.attempts} > 0 then 'sender-gone' else 'never-sent' end`,
  mayHaveExecuted: sql`${providerIntent.attempts} > 0`,
  finishedAt: sql`case when ${providerIntent.attempts} > 0 then null else clock_timestamp() end`,
};

/** Without an attempt or stored bytes it is not due again. */
const asksAtOnce = sql`case when ${providerIntent.attempts} > 0 and ${providerIntent.bodySealed} is not null then clock_timestamp() end`;

const kindNamed = (recovery: Recovery, intent: Intent): RecoverableKind => {
  const kind = recoverableKindOf(recovery, intent);
  if (kind === undefined) throw new Error(`nothing here recovers ${intent.operation}`);
  return kind;
};

/** Records it as an incident that is never resent automatically. Throws when the store is to blame. */
async function setAside(
  { store, actor, kind }: Pick<Recovery, "store" | "actor"> & { kind: RecoverableKind },
  { tenant, id: intentId, object }: Intent,
  cause: unknown,
): Promise<void> {
  if (isStoreTrouble(cause)) throw cause;
  const isIt = and(eq(providerIntent.tenant, tenant), eq(providerIntent.id, intentId));
  await store.transaction(async (tx) => {
    await tx
      .update(providerIntent)
      .set(ABANDONED)
      .where(and(isIt, eq(providerIntent.state, "SENDING")));
    await tx.update(providerIntent).set({ nextTryAt: null }).where(isIt);
    await kind.unreadable(tx, { tenant, by: actor.id, object, intentId, cause });
  });
}

/** Each separately: one failure stops none of the others. */
async function reconcileAbandoned(recovery: Recovery): Promise<void> {
  const { store, actor, inFlight } = recovery;
  const isLeft = and(
    ofKinds(recovery),
    isAbandoned(env().databaseUrl === null),
    notInArray(providerIntent.id, [...inFlight]),
  );
  for (const intent of await store.select().from(providerIntent).where(isLeft)) {
    const settling = store.transaction(async (tx) => {
      const [settled] = await tx
        .update(providerIntent)
        .set({ ...ABANDONED, nextTryAt: asksAtOnce })
        .where(and(isLeft, eq(providerIntent.id, intent.id), eq(providerIntent.key, intent.key)))
        .returning();
      if (settled !== undefined) await kindNamed(recovery, settled).ended(tx, settled, actor.id);
    });
    await settling.catch((error: unknown) =>
      setAside({ ...recovery, kind: kindNamed(recovery, intent) }, intent, error),
    );
  }
}

const isUnknown = (recovery: Recovery, more: SQL) => and(ofKinds(recovery), eq(providerIntent.state, "UNKNOWN"), more);

/** After the key's time the same bytes would be a second order. */
async function leaveToPeople(recovery: Recovery): Promise<void> {
  const isOver = sql`${providerIntent.nextTryAt} is not null and not (${isKeyAlive})`;
  await recovery.store.update(providerIntent).set({ nextTryAt: null }).where(isUnknown(recovery, isOver));
}

/** Sets the next time first, so that a crash leaves it to the next round. */
async function takeDue(recovery: Recovery): Promise<Intent[]> {
  const { store } = recovery;
  const isDue = sql`${providerIntent.nextTryAt} <= clock_timestamp() and ${isKeyAlive} and not ${isAcceptedSql}`;
  const due = store
    .select({ id: providerIntent.id })
    .from(providerIntent)
    .where(isUnknown(recovery, isDue))
    .orderBy(providerIntent.nextTryAt)
    .limit(AT_ONCE);
  return store
    .update(providerIntent)
    .set({
      owner: instanceId(),
      attempts: sql`${providerIntent.attempts} + 1`,
      mayHaveExecuted: true,
      sendingUntil,
      nextTryAt: widerLater,
    })
    .where(and(isUnknown(recovery, isDue), inArray(providerIntent.id, due)))
    .returning();
}

async function askAgain(recovery: Recovery, intent: Intent): Promise<boolean> {
  const kind = kindNamed(recovery, intent);
  if (intent.bodySealed === null) return false;
  const { deps, actor } = recovery;
  const outcome = await attempt(
    { deps, kind, actor, bytes: unseal(intent.bodySealed, intentTarget("body_sealed", intent)) },
    intent,
  );
  if (outcome.state === "UNKNOWN") return false;
  return (await end({ ...recovery, kind }, intent, outcome)) !== null;
}

async function recoverIntents(recovery: Recovery): Promise<void> {
  await reconcileAbandoned(recovery);
  await leaveToPeople(recovery);
  for (;;) {
    const due = await takeDue(recovery);
    const asked = await Promise.allSettled(due.map((intent) => askAgain(recovery, intent)));
    for (const [index, intent] of due.entries()) {
      const answer = asked[index];
      if (answer?.status !== "rejected") continue;
      await setAside({ ...recovery, kind: kindNamed(recovery, intent) }, intent, answer.reason);
    }
    // The provider cannot answer now: the next round asks.
    if (due.length < AT_ONCE || asked.every((answer) => answer.status === "rejected" || !answer.value)) return;
  }
}

export async function unknownIntents(store: Db, tenant: string): Promise<Intent[]> {
  const known = Object.values(operations).map(({ path }) => path);
  const isOpen = or(isAbandoned(env().databaseUrl === null), eq(providerIntent.state, "UNKNOWN"));
  return store
    .select()
    .from(providerIntent)
    .where(and(eq(providerIntent.tenant, tenant), notInArray(providerIntent.operation, known), isOpen));
}

const WAITS_MS = 60_000;
const POLL_INTERVAL_MS = 250;

export type IntentRequest<Body> = {
  actor: Actor;
  intentId: string;
  object: string;
  body: Body;
  /** Runs in the transaction that records the intent, and may refuse by throwing. */
  opened: (tx: Tx) => Promise<void>;
  /** Runs after that and before sending, and may refuse by throwing. */
  prepare: () => Promise<void | Nothing>;
};

/** HELD: the provider's analyst decides until `pendingExpiresAt`. */
export type IntentOutcome<Stored> =
  | { state: "DONE"; stored: Stored }
  | { state: "HELD"; antifraudId: string | null; pendingExpiresAt: Date | null };

export type Intents = {
  /** At most once. Throws the refusal, the `unconfirmedCode`, conflict `intent-already-sent`, `intent-reused`, `busyCode`. */
  execute: <Body, Stored>(kind: IntentKind<Body, Stored>, wish: IntentRequest<Body>) => Promise<IntentOutcome<Stored>>;
  /** Like `execute`, for a write that may need approval or has it. */
  executeUnder: <Body, Stored>(
    kind: IntentKind<Body, Stored>,
    wish: IntentRequest<Body>,
    authority: Authority,
  ) => Promise<IntentOutcome<Stored> | Proposed>;
  /** Ends what dead senders left: never sent is refused, all else unknown. Makes no calls. */
  reconcile: (actor: Actor, kinds: readonly RecoverableKind[]) => Promise<void>;
  recover: (actor: Actor, kinds: readonly RecoverableKind[]) => Promise<void>;
  confirm: (actor: Actor, kind: RecoverableKind, intentId: string) => Promise<void>;
  refute: (actor: Actor, kind: RecoverableKind, refuted: { intentId: string; code: string }) => Promise<void>;
  /** An incident: the effect differs from a person's settlement, and a person settles it anew. */
  contradict: (actor: Actor, kind: RecoverableKind, intentId: string) => Promise<void>;
};

type Settling = { actor: Actor; kind: RecoverableKind; intentId: string };

async function reconcileAs(outcome: AttemptOutcome, { actor, kind, intentId }: Settling): Promise<void> {
  const store = await db();
  const intent = await findIntent(store, { tenant: actor.tenant, id: intentId });
  if (intent?.state !== "UNKNOWN") return;
  await end({ store, actor, kind }, intent, outcome).catch((error: unknown) =>
    setAside({ store, actor, kind }, intent, error),
  );
}

type Order = Attempting & {
  traced: string;
  bodyHash: string;
  authority: Authority;
} & Pick<IntentRequest<never>, "opened" | "prepare">;

type Sender = { path: string; actorId: string };

function refuseReuse(first: Sender & { bodyHash: string }, second: Sender & { traced: string }): void {
  const isSame =
    first.path === second.path && first.actorId === second.actorId && isHashOf(first.bodyHash, second.traced);
  if (!isSame) throw new AppError("conflict", { code: "intent-reused" });
}

async function requireOutcome(order: Order, intent: Intent): Promise<Intent> {
  const { deps, store } = order;
  const deadline = deps.now() + WAITS_MS;
  let row = intent;
  while (row.state === "SENDING" && deps.now() < deadline) {
    await deps.sleep(POLL_INTERVAL_MS);
    row = (await findIntent(store, intent)) ?? row;
  }
  if (row.state === "DONE" || row.state === "HELD") return row;
  const { status, code, requestId } = row;
  const said = saidOf(row);
  if (row.state !== "REFUSED") throw new AppError("conflict", { code: "intent-already-sent" });
  const answered = status === 200 ? "invalid" : kindOf(status ?? 0, code ?? undefined);
  throw new AppError(status === null ? "unavailable" : answered, {
    ...(status !== null && { status }),
    ...(code !== null && { code }),
    ...(requestId !== null && { requestId }),
    ...(said !== null && { providerMessage: said }),
  });
}

async function open(order: Order, intentId: string): Promise<OpenedIntent | Proposed> {
  const { store, kind, actor, object, bytes, bodyHash, traced, authority } = order;
  passStep("before-row", intentId);
  const row = {
    tenant: actor.tenant,
    id: intentId,
    operation: kind.path,
    object,
    busyCode: kind.busyCode,
    actor: actor.id,
    bodyHash,
    bytes: kind.isKeyed ? bytes : null,
    traced,
  };
  const opened = await store.transaction(async (tx) => {
    const opening = await openIntent(tx, row, authority);
    if ("intent" in opening && opening.isOpened) await order.opened(tx);
    passStep("in-row", intentId);
    return opening;
  });
  passStep("row-committed", intentId);
  return opened;
}

async function carryThrough(order: Order, intentId: string): Promise<Intent | Proposed> {
  const opened = await open(order, intentId);
  if (!("intent" in opened)) return opened;
  const { intent, isOpened } = opened;
  if (!isOpened) {
    noteSent();
    return requireOutcome(order, intent);
  }
  try {
    await order.prepare();
  } catch (refusal) {
    await end(order, intent, refusedUnsent(refusal));
    throw refusal;
  }
  return sendIntent(order, intent);
}

function outcomeOf<Stored>(
  kind: Pick<IntentKind<never, Stored>, "storedOf">,
  intent: Intent | Proposed,
): IntentOutcome<Stored> | Proposed {
  if (intent.state === "PROPOSED") return intent;
  const { state, antifraudId, pendingExpiresAt } = intent;
  return state === "HELD" ? { state, antifraudId, pendingExpiresAt } : { state: "DONE", stored: kind.storedOf(intent) };
}

type InFlight = Sender & { tenant: string; id: string; bodyHash: string; ended: Promise<Intent | Proposed> };

export function createIntents(deps: IntentDeps): Intents {
  const inFlight = new Map<string, InFlight>();

  async function start(name: string, order: Order, intentId: string): Promise<Intent | Proposed> {
    try {
      return await carryThrough(order, intentId);
    } finally {
      inFlight.delete(name);
    }
  }

  const recovery = async (actor: Actor, kinds: readonly RecoverableKind[]): Promise<Recovery> => {
    const store = await db();
    const own = [...inFlight.values()].filter(({ tenant }) => tenant === actor.tenant);
    return { deps, store, actor, kinds, inFlight: own.map(({ id }) => id) };
  };

  const executeUnder: Intents["executeUnder"] = async (kind, { intentId, body, ...wish }, authority) => {
    const store = await db();
    const { tenant, id: actorId } = wish.actor;
    const name = `${tenant} ${intentId}`;
    const traced = kind.tracedOf(body);
    const running = inFlight.get(name);
    if (running !== undefined) {
      refuseReuse(running, { path: kind.path, actorId, traced });
      noteSent();
      return outcomeOf(kind, await running.ended);
    }
    const bodyHash = lookupHash(traced);
    const order = { deps, store, kind, bytes: kind.bytesOf(body), traced, bodyHash, authority, ...wish };
    const ended = start(name, order, intentId);
    inFlight.set(name, { tenant, id: intentId, path: kind.path, actorId, bodyHash, ended });
    return outcomeOf(kind, await ended);
  };

  return {
    executeUnder,
    execute: async (kind, wish) => {
      const outcome = await executeUnder(kind, wish, ALONE);
      if (outcome.state === "PROPOSED") throw new Error(`intent ${wish.intentId} was proposed`);
      return outcome;
    },
    reconcile: async (actor, kinds) => reconcileAbandoned(await recovery(actor, kinds)),
    recover: async (actor, kinds) => recoverIntents(await recovery(actor, kinds)),
    confirm: (actor, kind, intentId) => reconcileAs(SEEN, { actor, kind, intentId }),
    refute: (actor, kind, { intentId, code }) => reconcileAs(unseen(code), { actor, kind, intentId }),
    contradict: async ({ tenant, id: by }, kind, id) =>
      (await db()).transaction((tx) => contradictIntent(tx, { intent: { tenant, id }, kind, by })),
  };
}

declare global {
  var retaguardaIntents: Intents | undefined;
}

/** One per process, though Next loads modules several times. */
function shared(): Intents {
  globalThis.retaguardaIntents ??= createIntents({
    post: provider.post,
    now: () => performance.now(),
    sleep: async (ms) => {
      await sleep(ms);
    },
    random: Math.random,
  });
  return globalThis.retaguardaIntents;
}

export const intents: Intents = {
  execute: (kind, wish) => shared().execute(kind, wish),
  executeUnder: (kind, wish, authority) => shared().executeUnder(kind, wish, authority),
  reconcile: (actor, kinds) => shared().reconcile(actor, kinds),
  recover: (actor, kinds) => shared().recover(actor, kinds),
  confirm: (actor, kind, intentId) => shared().confirm(actor, kind, intentId),
  refute: (actor, kind, refuted) => shared().refute(actor, kind, refuted),
  contradict: (actor, kind, intentId) => shared().contradict(actor, kind, intentId),
};
