import { Introspection, Revocation, Token } from "@/lib/contract/auth";
import authentication from "@/lib/contract/fixtures/authentication.json";
import { WEBHOOK_EVENTS, type WebhookEvent } from "@/lib/contract/webhook-events";
import { WEBHOOK_HEADERS } from "@/lib/contract/webhooks";
import { type Operation, operations } from "@/service/gateway/operations";
import { PROSE } from "./prose";
import { answer, json, otherAnswers, sharedResponses, tokenEndpointFailures, tokenHeaderFailure } from "./responses";
import { type Schema, wireSchema } from "@/lib/contract/json-schema";
import { type Components, createComponents } from "./schemas";
import { wordsFor } from "./vocabulary";

type Parameter = {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  schema: Schema;
};

const SHARED_PARAMETERS = {
  ClientId: {
    name: "x-client-id",
    in: "header",
    required: true,
    description:
      "The client the request is made for. A field `application` of the JSON body counts before it, then a header `client_id`.",
    schema: { type: "string", minLength: 1, examples: ["aurora"] },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "A UUID of the caller's for this one order. Asked for again with it, within 24 hours, the order is not carried out again: the first answer is given once more, byte for byte (our assumption).",
    schema: { type: "string", maxLength: 255, examples: ["7c9e6679-7425-40de-944b-e07fc1f90ae7"] },
  },
  Token: {
    name: "token",
    in: "header",
    required: true,
    description: "The access token that is asked about.",
    schema: { type: "string", minLength: 1 },
  },
} as const satisfies Record<string, Parameter>;

const sharedParameter = (name: keyof typeof SHARED_PARAMETERS) => ({ $ref: `#/components/parameters/${name}` });

const titled = (name: string) => `The ${name}.`;

function pathParameters(id: string, path: string): Parameter[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: wordsFor(id, name) ?? titled(name),
    schema: { type: "string", minLength: 1 },
  }));
}

function queryParameters(id: string, { input }: Operation): Parameter[] {
  const { properties = {}, required = [] } = wireSchema(input);
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (typeof schema === "boolean") return [];
    const { description, ...bare } = schema;
    const words = wordsFor(id, name) ?? description ?? titled(name);
    return [{ name, in: "query", required: required.includes(name), description: words, schema: bare }];
  });
}

function parametersOf(id: string, operation: Operation) {
  return [
    sharedParameter("ClientId"),
    ...(operation.isKeyed ? [sharedParameter("IdempotencyKey")] : []),
    ...pathParameters(id, operation.path),
    ...(operation.method === "GET" ? queryParameters(id, operation) : []),
  ];
}

const AREAS = [
  {
    begin: "/v1/authentication/",
    name: "Authentication",
    description: "Tokens, got with the client's own credentials.",
  },
  {
    begin: "/v1/bank-accounts/",
    name: "Bank accounts",
    description: "Accounts in reais: opening, balance, statement, transfers, closing.",
  },
  { begin: "/v1/pix/", name: "PIX", description: "Whose a PIX key is." },
  {
    begin: "/v1/crypto/",
    name: "Crypto wallets",
    description: "Custodial wallets, checkout addresses and transfers on seven networks.",
  },
  { begin: "/v1/otc/", name: "OTC", description: "Trades of crypto against reais, over the counter." },
  { begin: "/v1/kyc/", name: "KYC", description: "Verification of people and companies." },
  { begin: "/v1/webhooks", name: "Webhooks", description: "What is delivered to the client, and where to." },
] as const;

const TAGS = AREAS.map(({ name, description }) => ({ name, description }));

/** Throws for a path without one. */
function tagOf(path: string): string {
  const area = AREAS.find(({ begin }) => path.startsWith(begin));
  if (!area) throw new Error(`${path} belongs to no area`);
  return area.name;
}

type PathItem = Record<string, object>;

type Id = keyof typeof operations;

const isId = (name: string): name is Id => Object.hasOwn(operations, name);
const capitalised = (name: string) => name.replace(/^./, (letter) => letter.toUpperCase());

function describeOperation(id: Id, components: Components) {
  const operation: Operation = operations[id];
  const { description, requests, answers } = PROSE[id];
  const { method, path, summary, family } = operation;
  const answered = components.refer(operation.answer, `${capitalised(id)}Answer`);
  const needs = family === null ? "Needs no product family." : `Product family: ${family}.`;
  return {
    operationId: id,
    summary,
    description: `${description}\n\n${needs}`,
    tags: [tagOf(path)],
    parameters: parametersOf(id, operation),
    ...(method !== "GET" && {
      requestBody: {
        required: true,
        content: json(components.refer(operation.input, `${capitalised(id)}Request`), requests),
      },
    }),
    responses: { 200: answer("Done.", json(answered, answers)), ...otherAnswers(operation) },
  };
}

function gatewayPaths(components: Components): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const id of Object.keys(operations).filter(isId)) {
    const { path, method } = operations[id];
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(id, components) };
  }
  return paths;
}

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

const DELIVERY_HEADERS = {
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

/** interface: Events */
function events() {
  return Object.fromEntries(
    WEBHOOK_EVENTS.map((event) => {
      const { id, summary, description } = EVENTS[event];
      const post = {
        operationId: id,
        summary,
        description,
        tags: [tagOf("/v1/webhooks")],
        security: [],
        parameters: Object.entries(DELIVERY_HEADERS).map((entry) => header(entry, event)),
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

const BASE = "/v1/authentication/oauth";
const common = { tags: [tagOf(`${BASE}/`)], security: [{ basic: [] }] };

/** interface: Authentication endpoints */
function tokenEndpoints(components: Components): Record<string, PathItem> {
  const aboutToken = { ...common, parameters: [sharedParameter("Token")] };
  const failures = { ...tokenHeaderFailure, ...tokenEndpointFailures };
  const { token, activeIntrospection, inactiveIntrospection, revocation } = authentication;
  const issued = json(components.refer(Token, "Token"), { token: { value: token } });
  const inspected = json(components.refer(Introspection, "Introspection"), {
    active: { value: activeIntrospection },
    inactive: { summary: "Expired or revoked", value: inactiveIntrospection },
  });
  const revoked = json(components.refer(Revocation, "Revocation"), { revocation: { value: revocation } });
  return {
    [`${BASE}/access-token`]: {
      post: {
        ...common,
        operationId: "issueToken",
        summary: "Get an access token",
        description:
          "Takes the client's id and secret as Basic credentials, and no body. The token holds for an hour: get the next one five minutes before its end.",
        responses: { 201: answer("The token.", issued), ...tokenEndpointFailures },
      },
    },
    [`${BASE}/introspect`]: {
      post: {
        ...aboutToken,
        operationId: "introspectToken",
        summary: "Ask about an access token",
        description:
          "The token comes in the header `token` and nowhere else. One that has ended is told with its reason; one that this client was never given is 401.",
        responses: { 201: answer("What is known of the token.", inspected), ...failures },
      },
    },
    [`${BASE}/revoke`]: {
      post: {
        ...aboutToken,
        operationId: "revokeToken",
        summary: "End an access token",
        description: "At once and for good. The token comes in the header `token`.",
        responses: { 200: answer("The token has ended.", revoked), ...failures },
      },
    },
  };
}

/** OpenAPI 3.1. */
type ServiceDescription = {
  openapi: "3.1.0";
  info: object;
  servers: readonly { url: string; description: string }[];
  tags: readonly object[];
  security: readonly object[];
  paths: Readonly<Record<string, PathItem>>;
  webhooks: Readonly<Record<string, PathItem>>;
  components: { schemas: Readonly<Record<string, Schema>> } & Readonly<Record<string, object>>;
};

const INFO = {
  title: "Banking, crypto wallets and KYC",
  version: "1.0.0",
  summary: "The embedded service of Retaguarda: a provider of the banking-as-a-service interface, on this machine.",
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  description: `
Get a token with the client's id and secret, then send it as \`Authorization: Bearer …\` together with \`x-client-id\` on every call.

- **Checks come in one order**: client id (400), token (401), billing (402), product family and operation (403), rate limit (429),
  the request's own form (400), the rules of the business, antifraud.
- **Failures** carry \`message\`, for people. Those of the gateway carry \`error\`, too, for programs. A path that does not exist is 404,
  a method that a path lacks is 405 with \`Allow\`.
- **Money is exact.** Reais are JSON numbers with at most two decimals, and answers write every digit; crypto amounts are decimal
  strings. Read both as decimals, never as binary fractions.
- **Held transactions** are 202: antifraud waits for a person, and the amount is set aside until it is released, rejected or expires.
- **Try again** after 401 once, with a new token; after 429 when \`Retry-After\` says; after 5xx each time later. Not after 400, 402, 403,
  404, 409 or 422. Send an \`Idempotency-Key\` with the two transfers in reais, internal and TED, and trying again is safe. Crypto
  transfers take none: look in the history before you send one again.
- **Fields may be added**, and so may values where \`x-extensible-enum\` lists the known ones: let both pass.

Where the interface leaves something open, this service decides, and the document says so: "our assumption".
`.trim(),
};

const SECURITY_SCHEMES = {
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The access token; it holds for an hour. Every call carries the header `x-client-id` beside it.",
  },
  basic: { type: "http", scheme: "basic", description: "The client's id and secret, for the token endpoints alone." },
};

const HEADERS = {
  RequestId: {
    description: "The request's id, as the service's log has it.",
    required: true,
    schema: { type: "string", format: "uuid" },
  },
  RetryAfter: {
    description: "After how many seconds a request will be taken again.",
    required: true,
    schema: { type: "integer", minimum: 1, maximum: 60 },
  },
};

function referred(part: unknown): string[] {
  return Array.from(JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w{1,99})"/g), ([, name = ""]) => name);
}

function used(schemas: Record<string, Schema>, names: readonly string[]): Record<string, Schema> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const inner of referred(schemas[name])) visit(inner);
  };
  for (const name of names) visit(name);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}

function describe(): Omit<ServiceDescription, "servers"> {
  const components = createComponents();
  const paths = { ...tokenEndpoints(components), ...gatewayPaths(components) };
  const responses = sharedResponses(components);
  return {
    openapi: "3.1.0",
    info: INFO,
    tags: TAGS,
    security: [{ bearer: [] }],
    paths,
    webhooks: events(),
    components: {
      schemas: used(components.schemas(), referred({ paths, responses })),
      responses,
      parameters: SHARED_PARAMETERS,
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const DESCRIPTION = describe();

export function describeService(url: string): ServiceDescription {
  return { ...DESCRIPTION, servers: [{ url, description: "This installation" }] };
}
