import { z } from "zod";
import {
  AnswerText,
  known,
  messageEnvelope,
  OpenRecord,
  OptionalText,
  Required,
  TextOrEmpty,
} from "@/lib/contract/shared";
import { WEBHOOK_EVENTS } from "@/lib/contract/webhook-events";

/** Headers of a delivery (interface: Events › Delivery rules). The signature is hex HMAC-SHA256 of the raw body. */
export const WEBHOOK_HEADERS = {
  event: "X-Webhook-Event",
  id: "X-Webhook-Event-Id",
  signature: "X-Webhook-Signature",
} as const;

/** An event's payload is not documented. */
export const WebhookPayload = OpenRecord;

/** A subscription: the interface names URL, events and status `active`; the other fields are our assumption. */
export const Subscription = z.looseObject({
  id: OptionalText,
  clientId: OptionalText,
  url: AnswerText,
  events: z.preprocess((wire) => wire ?? [], z.array(known(WEBHOOK_EVENTS))),
  status: TextOrEmpty,
});
export type Subscription = z.infer<typeof Subscription>;

/** Answer of GET /v1/webhooks, 200, by our assumption `{message, data: […]}`. */
export const Subscriptions = messageEnvelope(z.array(Subscription));
export type Subscriptions = z.infer<typeof Subscriptions>;

/** Query of GET /v1/pix/getAccountInfoByPixKey; the parameter's name is our assumption. */
export const PixKeyQuery = z.looseObject({ pixKey: Required });
