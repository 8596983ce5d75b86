import { z } from "zod";
import type { Actor } from "@/lib/auth/grant";
import { parseJson, stringifyJson } from "@/lib/contract/json";
import { sha256 } from "@/lib/hash";
import { unseal } from "@/lib/store/seal";
import type { Tx } from "@/lib/store/store";
import type { Bank } from "./client";
import { BankError } from "./error";
import { intentPlace } from "./intent-place";
import type { bankIntent } from "./intent-schema";
import type { Write } from "./operations";

export type Intent = typeof bankIntent.$inferSelect;

/** How an intent ended, or that it is not known: `intent.state` says which. `by` is who found out. */
export type IntentEnd<Kept> = { intent: Intent; by: string; kept: Kept | null };

/** An intent that a person must see to: its own row is gone, what is sealed does not open, or it ended otherwise than somebody said. */
export type IntentIncident = { tenant: string; by: string; object: string; intentId: string; cause: unknown };

/** `withinMs` is how long somebody waits for it; nobody waits for what recovery asks. */
export type Sending = { actor: Actor; bytes: string; withinMs?: number };

/** What an answered attempt leaves: `kept` as JSON, null when the answer does not say that it is done. */
export type AnsweredAttempt = { kept: string | null; requestId: string; answerHash: string };

/** A write that is carried out by intents; see `intentKind`. */
export type IntentKind<Body, Kept> = {
  path: string;
  isKeyed: boolean;
  busyCode: string | null;
  unconfirmedCode: string;
  bytesOf: (body: Body) => string;
  /** What of the bytes tells one order from another. */
  tracedOf: (body: Body) => string;
  attempt: (post: Bank["post"], sending: Sending, intent: Intent) => Promise<AnsweredAttempt>;
  keptOf: (intent: Intent) => Kept;
  ended: (tx: Tx, intent: Intent, by: string) => Promise<void>;
  unreadable: (tx: Tx, incident: IntentIncident) => Promise<void>;
};

/** What recovery needs to know of a kind. */
export type RecoverableKind = Pick<IntentKind<never, unknown>, "path" | "isKeyed" | "attempt" | "ended" | "unreadable">;

type Spec<Body extends z.ZodType, Answer extends z.ZodType, Kept> = {
  operation: Write<Body, Answer>;
  /** Takes an Idempotency-Key: its bytes are kept, sealed, and may go out again. Never for a body that holds a secret. */
  isKeyed: boolean;
  /** The body without its secrets: not even a keyed hash is kept of those. Left out: there are none. */
  traced?: (body: z.output<Body>) => unknown;
  /** One in flight for each object: what a person is told who wants another one. Null: any number. */
  busyCode: string | null;
  /** What a person is told when it is not known whether it took effect. */
  unconfirmedCode: string;
  /** What a screen shows of the answer, also when the intent comes again; `keep` gives null when it is not an answer that says done. */
  kept: z.ZodType<Kept>;
  keep: (answer: z.output<Answer>) => Kept | null;
  /** Runs in the transaction that writes the end, as often as what is known changes: the audit row, the area's own rows. */
  ended: (tx: Tx, end: IntentEnd<Kept>) => Promise<void>;
  /** Puts on record that recovery can do nothing with one. */
  unreadable: (tx: Tx, incident: IntentIncident) => Promise<void>;
};

/** Describes a write once, for those who order it and for the recovery of what was left behind. */
export function intentKind<Body extends z.ZodType, Answer extends z.ZodType, Kept>(
  spec: Spec<Body, Answer, Kept>,
): IntentKind<z.output<Body>, Kept> {
  const { operation, isKeyed, busyCode, unconfirmedCode } = spec;
  const write = (body: z.output<Body>) => stringifyJson(z.encode(operation.body, body));
  const read = (bytes: string) => operation.body.parse(parseJson(bytes));
  // Read back once, so that what is read from the store is written as it was: 10.5 and 10.50 are one amount.
  const bytesOf = (body: z.output<Body>) => write(read(write(body)));
  const keptOf = (intent: Intent) => {
    const { keptSealed } = intent;
    const kept = keptSealed === null ? "null" : unseal(keptSealed, intentPlace("kept_sealed", intent));
    return spec.kept.parse(JSON.parse(kept));
  };
  return {
    path: operation.path,
    isKeyed,
    busyCode,
    unconfirmedCode,
    bytesOf,
    tracedOf: (body) => (spec.traced === undefined ? bytesOf(body) : stringifyJson(spec.traced(body))),
    attempt: async (post, { actor, bytes, withinMs }, { key, object, attempts }) => {
      const body = read(bytes);
      // Another release may write the same order in other bytes, which the provider refuses under the same key.
      if (write(body) !== bytes) throw new BankError("conflict", { code: "intent-bytes", mayHaveExecuted: false });
      const { answer, text, requestId } = await post(actor, operation, {
        body,
        object,
        nth: attempts,
        ...(isKeyed && { idempotencyKey: key }),
        ...(withinMs !== undefined && { withinMs }),
      });
      const kept = spec.keep(answer);
      return { kept: kept === null ? null : JSON.stringify(kept), requestId, answerHash: sha256(text) };
    },
    keptOf,
    unreadable: spec.unreadable,
    ended: (tx, intent, by) => spec.ended(tx, { intent, by, kept: intent.state === "DONE" ? keptOf(intent) : null }),
  };
}
