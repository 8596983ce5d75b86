import { WEBHOOK_HEADERS } from "@/lib/contract/webhooks";
import type { Service } from "@/service/context";
import type { Answer, Letter } from "./post";
import { sign } from "./sign";
import type { webhookEvent } from "./schema";

type EventRow = typeof webhookEvent.$inferSelect;

/** An event whose next attempt is due; `attempts` are those it has behind it. */
export type DueEvent = Pick<EventRow, "id" | "clientId" | "event" | "body" | "attempts">;

/** What an attempt came to, and what becomes of the event. */
export type Outcome = {
  id: string;
  number: number;
  at: Date;
  answer: Answer;
  status: EventRow["status"];
  dueAt: Date;
};

/** How long to wait after each failure; after one more the delivery is FAILED (interface: Limits › Webhook attempts). */
const GAPS_MS = [1_000, 2_000, 4_000] as const;

const USER_AGENT = "Retaguarda-Webhooks/1";

function letterFor({ url, secret }: { url: string; secret: string }, { id, event, body }: DueEvent): Letter {
  return {
    url,
    body,
    headers: {
      "Content-Type": "application/json",
      "Content-Length": String(Buffer.byteLength(body)),
      "User-Agent": USER_AGENT,
      [WEBHOOK_HEADERS.event]: event,
      [WEBHOOK_HEADERS.id]: id,
      [WEBHOOK_HEADERS.signature]: sign(secret, body),
    },
  };
}

const isDelivered = ({ httpStatus }: Answer) => httpStatus !== null && httpStatus >= 200 && httpStatus < 300;

function outcomeOf({ id, attempts }: DueEvent, { at, answer }: Pick<Outcome, "at" | "answer">, nowMs: number): Outcome {
  const number = attempts + 1;
  const gapMs = GAPS_MS[number - 1];
  const attempt = { id, number, at, answer };
  if (isDelivered(answer)) return { ...attempt, status: "DELIVERED", dueAt: at };
  if (gapMs === undefined) return { ...attempt, status: "FAILED", dueAt: at };
  return { ...attempt, status: "PENDING", dueAt: new Date(nowMs + gapMs) };
}

/**
 * Makes one attempt at an event and says what it came to; nothing is written (interface: Events › Delivery rules).
 * Null when `signal` broke it off: then it never was.
 */
export async function deliver(service: Service, event: DueEvent, signal: AbortSignal): Promise<Outcome | null> {
  const { clock, log, post, tenants } = service;
  const at = new Date(clock.now());
  const webhook = tenants.find(event.clientId)?.webhook;
  const answer: Answer = webhook
    ? await post(letterFor(webhook, event), signal)
    : { httpStatus: null, error: "no-webhook" };
  if (signal.aborted && answer.httpStatus === null) return null;
  const outcome = outcomeOf(event, { at, answer }, clock.now());
  const { id, clientId } = event;
  log.debug({ id, clientId, number: outcome.number, ...answer, status: outcome.status }, "a webhook was sent");
  return outcome;
}
