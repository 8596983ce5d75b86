import { setTimeout as sleep } from "node:timers/promises";
import type { Actor } from "@/lib/auth/grant";
import { isHashOf, lookupHash } from "@/lib/store/seal";
import { db, type Tx } from "@/lib/store/store";
import { bank } from "./bank";
import { BankError, kindOf } from "./error";
import { contradictIntent } from "./intent-conclusion";
import type { Intent, IntentKind, RecoverableKind } from "./intent-kind";
import { findIntent, openIntent } from "./intent-record";
import { type Recovery, recoverIntents, setAside, settleAbandoned } from "./intent-recovery";
import { type Attempting, end, type IntentDoor, sendIntent } from "./intent-sending";
import { passStep } from "./intent-step";
import { refusedUnsent, SEEN, unseen, type Verdict } from "./intent-verdict";

/** A person waits no longer than this, whoever is sending. */
const WAITS_MS = 60_000;
const LOOKS_EVERY_MS = 250;

export type IntentWish<Body> = {
  actor: Actor;
  /** Made when the form opened. */
  intentId: string;
  /** What it is done to: `kyc:<kycUUID>`. */
  object: string;
  body: Body;
  /** Runs in the transaction that puts the intent on record: the INTENT audit row, the area's own rows, its own refusals. */
  opened: (tx: Tx) => Promise<void>;
  /** Runs when the intent is on record and nothing was sent yet; what it throws refuses the intent. */
  prepare?: () => Promise<void>;
};

/** HELD is neither done nor failed: the provider's analyst decides until `pendingExpiresAt`. */
export type IntentOutcome<Kept> =
  | { state: "DONE"; kept: Kept }
  | { state: "HELD"; antifraudId: string | null; pendingExpiresAt: Date | null };

export type Intents = {
  /**
   * Carries a write out at most once for its intent: on record, sent, and how it ended, each in one transaction with what
   * the area adds. The same intent again is answered the same; while it is being sent, whoever comes waits with the first.
   * Throws the provider's refusal, after which the intent may go again; unavailable (the kind's `unconfirmedCode`) when it is
   * not known whether it took effect; conflict `intent-already-sent` as long as that is so, `intent-reused` for another
   * body, and the kind's `busyCode`.
   */
  carryOut: <Body, Kept>(kind: IntentKind<Body, Kept>, wish: IntentWish<Body>) => Promise<IntentOutcome<Kept>>;
  /** Decides what senders that died left behind: what was never sent is refused, all else is not known. Asks nobody. */
  settle: (actor: Actor, kinds: readonly RecoverableKind[]) => Promise<void>;
  /** Settles, and asks again, with the same bytes under the same key, about what is not known and may be asked. */
  recover: (actor: Actor, kinds: readonly RecoverableKind[]) => Promise<void>;
  /** Notes that the effect of an intent that was not known has been seen. */
  confirm: (actor: Actor, kind: RecoverableKind, intentId: string) => Promise<void>;
  /** Notes that one that was not known had none, as was seen; `code` says how. */
  refute: (actor: Actor, kind: RecoverableKind, refuted: { intentId: string; code: string }) => Promise<void>;
  /** Notes that one that a person ended did otherwise, as was seen: an incident, and theirs to end anew. */
  contradict: (actor: Actor, kind: RecoverableKind, intentId: string) => Promise<void>;
};

type Settling = { actor: Actor; kind: RecoverableKind; intentId: string };

async function settleAs(verdict: Verdict, { actor, kind, intentId }: Settling): Promise<void> {
  const store = await db();
  const intent = await findIntent(store, { tenant: actor.tenant, id: intentId });
  if (intent?.state !== "UNKNOWN") return;
  const [ended] = await Promise.allSettled([end({ store, actor, kind }, intent, verdict)]);
  if (ended.status === "rejected") await setAside({ store, actor, kind }, intent, ended.reason);
}

type Order = Attempting & {
  traced: string;
  bodyHash: string;
  opened: IntentWish<never>["opened"];
  prepare: () => Promise<void>;
};

function refuseReuse(first: { path: string; bodyHash: string }, second: { path: string; traced: string }): void {
  if (first.path !== second.path || !isHashOf(first.bodyHash, second.traced)) {
    throw new BankError("conflict", { code: "intent-reused" });
  }
}

/** An intent that another process is sending is waited for. */
async function standing(order: Order, intent: Intent): Promise<Intent> {
  const { door, store, kind } = order;
  refuseReuse({ path: intent.operation, bodyHash: intent.bodyHash }, { path: kind.path, traced: order.traced });
  const deadline = door.now() + WAITS_MS;
  let row = intent;
  while (row.state === "SENDING" && door.now() < deadline) {
    await door.sleep(LOOKS_EVERY_MS);
    row = (await findIntent(store, intent)) ?? row;
  }
  if (row.state === "DONE" || row.state === "HELD") return row;
  const { status, code, requestId } = row;
  if (row.state !== "REFUSED") throw new BankError("conflict", { code: "intent-already-sent" });
  throw new BankError(status === null ? "unavailable" : kindOf(status, code ?? undefined), {
    ...(status !== null && { status }),
    ...(code !== null && { code }),
    ...(requestId !== null && { requestId }),
  });
}

async function open(order: Order, intentId: string): Promise<{ intent: Intent; isOpened: boolean }> {
  const { store, kind, actor, object, bytes, bodyHash } = order;
  passStep("before-row", intentId);
  const opened = await store.transaction(async (tx) => {
    const row = await openIntent(tx, {
      tenant: actor.tenant,
      id: intentId,
      operation: kind.path,
      object,
      busyCode: kind.busyCode,
      actor: actor.id,
      bodyHash,
      bytes: kind.isKeyed ? bytes : null,
    });
    if (row.isOpened) await order.opened(tx);
    passStep("in-row", intentId);
    return row;
  });
  passStep("row-committed", intentId);
  return opened;
}

/** Opens the intent and sends it; an intent that stands is answered as it stands. */
async function carryThrough(order: Order, intentId: string): Promise<Intent> {
  const { intent, isOpened } = await open(order, intentId);
  if (!isOpened) return standing(order, intent);
  const [prepared] = await Promise.allSettled([order.prepare()]);
  if (prepared.status === "fulfilled") return sendIntent(order, intent);
  await end(order, intent, refusedUnsent(prepared.reason));
  throw prepared.reason;
}

function outcomeOf<Kept>(kind: Pick<IntentKind<never, Kept>, "keptOf">, intent: Intent): IntentOutcome<Kept> {
  const { state, antifraudId, pendingExpiresAt } = intent;
  return state === "HELD" ? { state, antifraudId, pendingExpiresAt } : { state: "DONE", kept: kind.keptOf(intent) };
}

type InFlight = { tenant: string; id: string; path: string; bodyHash: string; ended: Promise<Intent> };

/** The intents of this process; those of other processes are seen in the store. */
export function createIntents(door: IntentDoor): Intents {
  const inFlight = new Map<string, InFlight>();

  async function start(name: string, order: Order, intentId: string): Promise<Intent> {
    try {
      return await carryThrough(order, intentId);
    } finally {
      inFlight.delete(name);
    }
  }

  const recovery = async (actor: Actor, kinds: readonly RecoverableKind[]): Promise<Recovery> => {
    const store = await db();
    const own = [...inFlight.values()].filter(({ tenant }) => tenant === actor.tenant);
    return { door, store, actor, kinds, inFlight: own.map(({ id }) => id) };
  };

  return {
    carryOut: async (kind, { actor, intentId, object, body, opened, prepare = async () => {} }) => {
      const store = await db();
      const name = `${actor.tenant} ${intentId}`;
      const bytes = kind.bytesOf(body);
      const traced = kind.tracedOf(body);
      const bodyHash = lookupHash(traced);
      const running = inFlight.get(name);
      if (running !== undefined) {
        refuseReuse(running, { path: kind.path, traced });
        return outcomeOf(kind, await running.ended);
      }
      const order = { door, store, kind, actor, object, bytes, traced, bodyHash, opened, prepare };
      const ended = start(name, order, intentId);
      inFlight.set(name, { tenant: actor.tenant, id: intentId, path: kind.path, bodyHash, ended });
      return outcomeOf(kind, await ended);
    },
    settle: async (actor, kinds) => settleAbandoned(await recovery(actor, kinds)),
    recover: async (actor, kinds) => recoverIntents(await recovery(actor, kinds)),
    confirm: (actor, kind, intentId) => settleAs(SEEN, { actor, kind, intentId }),
    refute: (actor, kind, { intentId, code }) => settleAs(unseen(code), { actor, kind, intentId }),
    contradict: async ({ tenant, id: by }, kind, id) =>
      (await db()).transaction((tx) => contradictIntent(tx, { intent: { tenant, id }, kind, by })),
  };
}

declare global {
  var retaguardaIntents: Intents | undefined;
}

/** The one desk of intents of this process: Next loads modules several times, and an intent in flight is joined by all. */
function shared(): Intents {
  globalThis.retaguardaIntents ??= createIntents({
    post: bank.post,
    now: () => performance.now(),
    sleep: async (ms) => {
      await sleep(ms);
    },
    random: Math.random,
  });
  return globalThis.retaguardaIntents;
}

export const intents: Intents = {
  carryOut: (kind, wish) => shared().carryOut(kind, wish),
  settle: (actor, kinds) => shared().settle(actor, kinds),
  recover: (actor, kinds) => shared().recover(actor, kinds),
  confirm: (actor, kind, intentId) => shared().confirm(actor, kind, intentId),
  refute: (actor, kind, refuted) => shared().refute(actor, kind, refuted),
  contradict: (actor, kind, intentId) => shared().contradict(actor, kind, intentId),
};
