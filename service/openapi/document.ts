import { events } from "./events";
import { SHARED_PARAMETERS } from "./parameters";
import { gatewayPaths, type PathItem } from "./paths";
import { sharedResponses } from "./responses";
import { createComponents, type Schema } from "./schemas";
import { TAGS } from "./tags";
import { tokenEndpoints } from "./token-endpoints";

/** The description of the service, as an OpenAPI 3.1 document. */
export type ServiceDescription = {
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

/** The names of the schemas that a part of the document refers to. */
function referred(part: unknown): string[] {
  return Array.from(JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g), ([, name = ""]) => name);
}

/** Those schemas that something refers to, directly or through another one. */
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

/** The description of the service as it answers at `url`. */
export function describeService(url: string): ServiceDescription {
  return { ...DESCRIPTION, servers: [{ url, description: "This installation" }] };
}
