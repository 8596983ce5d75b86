import { z } from "zod";
import { HeldTransaction } from "@/lib/contract/errors";
import errors from "@/lib/contract/fixtures/errors.json";
import type { Operation, Refusal } from "@/service/gateway/operations";
import type { Schema } from "@/lib/contract/json-schema";
import type { Components } from "./schemas";

export type Example = { summary?: string; value: unknown };
export type Examples = Readonly<Record<string, Example>>;

const RequestId = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };

export function json(schema: Schema, examples: Examples = {}) {
  const shown = Object.keys(examples).length > 0 && { examples };
  return { "application/json": { schema, ...shown } };
}

/** `headers` beside the request's id. */
export function answer(description: string, content: ReturnType<typeof json>, headers: object = {}) {
  return { description, headers: { ...RequestId, ...headers }, content };
}

const Failure = z.looseObject({ message: z.string() });
const gatewayFailure = <const Codes extends readonly [string, ...string[]]>(...codes: Codes) =>
  z.looseObject({ error: z.enum(codes), message: z.string() });

const Unidentified = gatewayFailure("MISSING_CLIENT_ID");
const Unpaid = gatewayFailure("ACCOUNT_SUSPENDED", "ACCOUNT_RESTRICTED");
const NoAccess = gatewayFailure("PRODUCT_NOT_ENABLED", "OPERATION_NOT_ALLOWED");
const Blocked = gatewayFailure("TRANSACTION_BLOCKED").extend({ antifraudId: z.string() });
const Unavailable = gatewayFailure("SECURITY_SERVICE_UNAVAILABLE");

const said = (message: string): Examples => ({ failure: { value: { message } } });
const shown = (...names: (keyof typeof errors)[]): Examples =>
  Object.fromEntries(names.map((name) => [name, { value: errors[name] }]));

type Failed = { description: string; schema: z.ZodType; name: string; examples: Examples; headers?: object };

const RetryAfter = { "Retry-After": { $ref: "#/components/headers/RetryAfter" } };

const FAILURES = {
  Invalid: {
    description: "The request does not fit; the message begins with the field's path.",
    schema: Failure,
    name: "Failure",
    examples: said("person.documentNumber: must be a CPF: 11 digits with valid check digits"),
  },
  InvalidOrUnidentified: {
    description: "No client id was found, or the request does not fit; the message then begins with the field's path.",
    schema: z.union([Unidentified, Failure]),
    name: "InvalidOrUnidentified",
    examples: {
      ...shown("MISSING_CLIENT_ID"),
      ...said("documentNumber: must be a valid CPF or CNPJ"),
    },
  },
  Unauthenticated: {
    description: "The credentials or the token are absent, expired, revoked or of another client.",
    schema: Failure,
    name: "Failure",
    examples: said("Invalid token"),
  },
  Unpaid: {
    description: "The client is suspended, or restricted to queries, until it has paid.",
    schema: Unpaid,
    name: "Unpaid",
    examples: shown("ACCOUNT_SUSPENDED", "ACCOUNT_RESTRICTED"),
  },
  NoAccess: {
    description: "The client lacks the product family or the operation.",
    schema: NoAccess,
    name: "NoAccess",
    examples: shown("PRODUCT_NOT_ENABLED", "OPERATION_NOT_ALLOWED"),
  },
  NoAccessOrForeign: {
    description: "The client lacks the product family or the operation, or what it names is another client's.",
    schema: z.union([NoAccess, Failure]),
    name: "NoAccessOrForeign",
    examples: { ...shown("PRODUCT_NOT_ENABLED"), ...said("The KYC process belongs to another client") },
  },
  NoAccessOrBlocked: {
    description: "The client lacks the product family or the operation, or antifraud blocked the transaction.",
    schema: z.union([NoAccess, Blocked]),
    name: "NoAccessOrBlocked",
    examples: shown("PRODUCT_NOT_ENABLED", "TRANSACTION_BLOCKED"),
  },
  NotFound: {
    description: "The client has nothing of that id.",
    schema: Failure,
    name: "Failure",
    examples: shown("business"),
  },
  Conflict: {
    description: "It exists already, its state has moved on, or its Idempotency-Key stands for something else.",
    schema: Failure,
    name: "Failure",
    examples: said("The document already has a banking account or a request in progress"),
  },
  TooLarge: {
    description: "The body has more than 1 MiB.",
    schema: Failure,
    name: "Failure",
    examples: said("The body must have at most 1 MiB"),
  },
  Refused: {
    description: "The request is in order, and the rules of the business do not let it through.",
    schema: Failure,
    name: "Failure",
    examples: said("Insufficient balance"),
  },
  RateLimited: {
    description: "Too many financial requests from this IP address within a minute.",
    schema: Failure,
    name: "Failure",
    examples: said("Rate limit exceeded"),
    headers: RetryAfter,
  },
  Unexpected: {
    description: "The service failed; its log tells why, under the request's id.",
    schema: Failure,
    name: "Failure",
    examples: said("Unexpected error, request 5f0c7a1e-4f0c-4f6d-9a80-6d3b1d2f8a11"),
  },
  AntifraudUnavailable: {
    description: "Antifraud cannot judge at the moment: try again, each time later.",
    schema: Unavailable,
    name: "AntifraudUnavailable",
    examples: shown("SECURITY_SERVICE_UNAVAILABLE"),
  },
} satisfies Record<string, Failed>;

type FailureName = keyof typeof FAILURES;

const shared = (name: FailureName | "Held") => ({ $ref: `#/components/responses/${name}` });

export function sharedResponses(components: Components) {
  const failures: [string, Failed][] = Object.entries(FAILURES);
  const described = failures.map(([id, { description, schema, name, examples, headers }]) => [
    id,
    answer(description, json(components.refer(schema, name), examples), headers),
  ]);
  const held = answer(
    "Antifraud holds the transaction until a person has decided; the amount is set aside meanwhile.",
    json(components.refer(HeldTransaction, "HeldTransaction"), shown("TRANSACTION_PENDING_APPROVAL")),
  );
  return { ...Object.fromEntries(described), Held: held };
}

const REFUSED: Readonly<Record<Exclude<Refusal, 403>, FailureName>> = {
  404: "NotFound",
  409: "Conflict",
  422: "Refused",
};

function forbidden({ isJudged, refusals }: Operation): FailureName {
  if (isJudged) return "NoAccessOrBlocked";
  return refusals.includes(403) ? "NoAccessOrForeign" : "NoAccess";
}

export function otherAnswers(operation: Operation) {
  const { method, refusals, isFinancial, isJudged } = operation;
  const own = refusals.flatMap((status) => (status === 403 ? [] : [[status, shared(REFUSED[status])] as const]));
  return {
    ...(isJudged && { 202: shared("Held") }),
    400: shared("InvalidOrUnidentified"),
    401: shared("Unauthenticated"),
    402: shared("Unpaid"),
    403: shared(forbidden(operation)),
    ...Object.fromEntries(own),
    ...(method !== "GET" && { 413: shared("TooLarge") }),
    ...(isFinancial && { 429: shared("RateLimited") }),
    500: shared("Unexpected"),
    ...(isJudged && { 503: shared("AntifraudUnavailable") }),
  };
}

export const tokenEndpointFailures = { 401: shared("Unauthenticated"), 500: shared("Unexpected") };
export const tokenHeaderFailure = { 400: shared("Invalid") };
