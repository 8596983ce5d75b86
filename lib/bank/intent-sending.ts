import type { Actor } from "@/lib/auth/grant";
import type { Db, Tx } from "@/lib/store/store";
import { backoffMs } from "./backoff";
import type { Bank } from "./client";
import { BankError } from "./error";
import { contradictIntent } from "./intent-conclusion";
import type { Intent, IntentKind, RecoverableKind, Sending } from "./intent-kind";
import { endIntent, findIntent, noteSending } from "./intent-record";
import { passStep } from "./intent-step";
import { judgeAnswer, judgeFailure, type Verdict } from "./intent-verdict";

/** Who ordered waits no longer than this, however often it is sent. */
const DEADLINE_MS = 60_000;

export type IntentDoor = {
  post: Bank["post"];
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  /** In [0, 1). */
  random: () => number;
};

export type Attempting = {
  door: IntentDoor;
  store: Db;
  kind: RecoverableKind & Pick<IntentKind<never, unknown>, "busyCode" | "unconfirmedCode">;
  actor: Actor;
  object: string;
  bytes: string;
};

type Trying = Sending & { door: IntentDoor; kind: RecoverableKind };

/** One attempt; whatever comes of it is a verdict. */
export async function attempt({ door, kind, ...sending }: Trying, intent: Intent): Promise<Verdict> {
  const [tried] = await Promise.allSettled([kind.attempt(door.post, sending, intent)]);
  passStep("answered", intent.id);
  if (tried.status === "fulfilled") return judgeAnswer(tried.value);
  return judgeFailure(tried.reason, { isKeyed: kind.isKeyed, mayHaveExecuted: intent.mayHaveExecuted });
}

/** Whether a person ended it meanwhile, and this certain answer says otherwise. */
async function isContradicted(tx: Tx, intent: Intent, { state, isConclusive }: Verdict): Promise<boolean> {
  const standing = isConclusive ? await findIntent(tx, intent) : null;
  return standing !== null && standing.key === intent.key && standing.endedBy !== null && standing.state !== state;
}

/** Writes how it ended with what the area adds; null when somebody else has written it meanwhile. */
export async function end(
  { store, kind, actor }: Pick<Attempting, "store" | "actor"> & { kind: RecoverableKind },
  intent: Intent,
  verdict: Verdict,
): Promise<Intent | null> {
  passStep("before-save", intent.id);
  const ended = await store.transaction(async (tx) => {
    const row = await endIntent(tx, intent, verdict);
    if (row !== null) await kind.ended(tx, row, actor.id);
    else if (await isContradicted(tx, intent, verdict)) await contradictIntent(tx, { intent, kind, by: actor.id });
    passStep("in-save", intent.id);
    return row;
  });
  passStep("saved", intent.id);
  return ended;
}

function unconfirmed({ unconfirmedCode }: Attempting["kind"], cause: unknown): BankError {
  const requestId = cause instanceof BankError ? cause.details.requestId : undefined;
  return new BankError("unavailable", {
    code: unconfirmedCode,
    ...(requestId !== undefined && { requestId }),
    cause,
  });
}

async function conclude(attempting: Attempting, intent: Intent, verdict: Verdict): Promise<Intent> {
  const ended = (await end(attempting, intent, verdict)) ?? (await findIntent(attempting.store, intent));
  if (ended?.state === "DONE" || ended?.state === "HELD") return ended;
  throw ended?.state === "REFUSED" ? verdict.error : unconfirmed(attempting.kind, verdict.error);
}

/** Sends an intent that is on record, again where it may be, and writes how it ended. */
export async function sendIntent(attempting: Attempting, opened: Intent): Promise<Intent> {
  const { door, store, kind, actor, bytes } = attempting;
  const deadline = door.now() + DEADLINE_MS;
  let intent = opened;
  for (let tried = 0; ; tried += 1) {
    passStep("before-send", intent.id);
    const noted = await noteSending(store, intent);
    // Recovery took it for abandoned: it is theirs, and nothing leaves here.
    if (noted === null) throw unconfirmed(kind, null);
    passStep("send-noted", intent.id);
    const withinMs = deadline - door.now();
    const verdict = await attempt({ door, kind, actor, bytes, withinMs }, noted);
    const retryAfterMs = verdict.error instanceof BankError ? (verdict.error.details.retryAfterMs ?? 0) : 0;
    const delayMs = Math.max(retryAfterMs, backoffMs(tried, door.random));
    if (!verdict.canTryAgain || door.now() + delayMs >= deadline) return conclude(attempting, noted, verdict);
    intent = { ...noted, mayHaveExecuted: noted.mayHaveExecuted || verdict.state === "UNKNOWN" };
    await door.sleep(delayMs);
  }
}
