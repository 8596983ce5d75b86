import { WEBHOOK_EVENTS, WEBHOOK_HEADERS, type WebhookEvent } from "@/lib/contract/webhooks";
import { tagOf } from "./tags";

const EVENTS: Readonly<Record<WebhookEvent, { id: string; summary: string; description: string }>> = {
  "onboarding-create": {
    id: "onOnboardingCreate",
    summary: "A request for an account was taken, or its account exists",
    description: "Told when the request is accepted and, by our assumption, once more when the account is confirmed.",
  },
  "onboarding-biometrics": {
    id: "onOnboardingBiometrics",
    summary: "The holder has to show their face",
    description: "The address of the biometrics is there, or is another one now.",
  },
  "onboarding-backgroundcheck": {
    id: "onOnboardingBackgroundcheck",
    summary: "The provider refused a request for an account",
    description: "It carries the reasons.",
  },
  "crypto-cash-in": {
    id: "onCryptoCashIn",
    summary: "A deposit has arrived",
    description: "On a wallet or on a checkout address of the client.",
  },
};

const HEADERS = {
  [WEBHOOK_HEADERS.event]: "The name of the event.",
  [WEBHOOK_HEADERS.id]: "The event's id, the same at each attempt: leave out what has come before.",
  [WEBHOOK_HEADERS.signature]:
    "HMAC-SHA256 of the body's bytes under the subscription's secret, in 64 small hexadecimal digits. Compare it before anything is read, and in constant time.",
};

function header([name, description]: [string, string], event: WebhookEvent) {
  const schema =
    name === WEBHOOK_HEADERS.event
      ? { type: "string", const: event, examples: [event] }
      : { type: "string", ...(name === WEBHOOK_HEADERS.signature && { pattern: "^[0-9a-f]{64}$" }) };
  return { name, in: "header", required: true, description, schema };
}

const Payload = {
  type: "object",
  required: ["clientId"],
  properties: { clientId: { type: "string", description: "The client's id." } },
  additionalProperties: true,
  description:
    "Which fields come beside the client's id is our assumption: the ids of what the event is about, and its state.",
};

const answered = (description: string) => ({ description });

/** What the service posts to a client's webhook, by event (interface: Events). */
export function events() {
  return Object.fromEntries(
    WEBHOOK_EVENTS.map((event) => {
      const { id, summary, description } = EVENTS[event];
      const post = {
        operationId: id,
        summary,
        description,
        tags: [tagOf("/v1/webhooks")],
        security: [],
        parameters: Object.entries(HEADERS).map((entry) => header(entry, event)),
        requestBody: { required: true, content: { "application/json": { schema: Payload } } },
        responses: {
          "2XX": answered("Delivered, when it comes within 30 seconds."),
          "4XX": answered(
            "Not delivered: it is tried again after 1, 2 and 4 seconds, four times in all, and then marked as failed.",
          ),
        },
      };
      return [event, { post }];
    }),
  );
}
