import type { Clock } from "@/service/clock";
import { ServiceError, unauthenticated } from "@/service/error";
import type { Socket } from "node:net";
import type { Service } from "@/service/context";
import type { Billing, Tenant } from "@/service/tenants/load-tenants";
import type { AccessToken, Tokens } from "@/service/tokens/tokens";
import type { Operation } from "./operations";

const WINDOW_MS = 60_000;

/** Financial requests by client IP. Throws 429 when the minute is full. */
type RateLimit = { take: (ip: string) => void };

/** Oldest first; those before `first` are out of the window. */
type Taken = { times: number[]; first: number };

/** Removed in one go, so that each time is rarely moved. */
function leaveBehind(taken: Taken, endedAtMs: number): void {
  while ((taken.times[taken.first] ?? Infinity) <= endedAtMs) taken.first += 1;
  if (taken.first * 2 <= taken.times.length) return;
  taken.times = taken.times.slice(taken.first);
  taken.first = 0;
}

/** Sliding: never more than `limit` in any 60 seconds. */
export function createRateLimit(clock: Clock, limit: number): RateLimit {
  const byIp = new Map<string, Taken>();
  let sweepAtMs = 0;

  const sweep = (nowMs: number) => {
    if (nowMs < sweepAtMs) return;
    sweepAtMs = nowMs + WINDOW_MS;
    for (const [ip, { times }] of byIp) if ((times.at(-1) ?? 0) <= nowMs - WINDOW_MS) byIp.delete(ip);
  };

  return {
    take: (ip) => {
      const nowMs = clock.now();
      sweep(nowMs);
      const taken = byIp.get(ip) ?? { times: [], first: 0 };
      byIp.set(ip, taken);
      leaveBehind(taken, nowMs - WINDOW_MS);
      const oldest = taken.times[taken.first];
      if (oldest !== undefined && taken.times.length - taken.first >= limit) {
        const seconds = Math.ceil((oldest + WINDOW_MS - nowMs) / 1_000);
        throw new ServiceError(429, "Rate limit exceeded", { headers: { "Retry-After": String(seconds) } });
      }
      taken.times.push(nowMs);
    },
  };
}

export type Gateway = { service: Service; tokens: Tokens; billing: Billing; rateLimit: RateLimit };

export type Arrival = { headers: Headers; socket: Pick<Socket, "remoteAddress"> | undefined };

const missing = () =>
  new ServiceError(400, "The client id header is required: send x-client-id", { error: "MISSING_CLIENT_ID" });

function clientIdIn(places: readonly unknown[]): string | undefined {
  const names = places.map((name) => (typeof name === "string" ? name.trim() : ""));
  return names.find((name) => name !== "");
}

const headersNaming = ({ headers }: Arrival) => [headers.get("client_id"), headers.get("x-client-id")];

/** Checks only the field's name, as a body is not parsed before its sender is known. */
const mayNameTenant = (body: Uint8Array | null) =>
  body !== null && Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('"application"');

/** Throws 401, or first 400 when nothing names a tenant. */
export async function authenticate(
  { tokens }: Gateway,
  arrival: Arrival,
  body: Uint8Array | null = null,
): Promise<AccessToken> {
  const refusal = (message: string) =>
    clientIdIn(headersNaming(arrival)) === undefined && !mayNameTenant(body) ? missing() : unauthenticated(message);
  const authorization = arrival.headers.get("authorization");
  if (!authorization) throw refusal("You must send an Authorization header");
  const [, text] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  if (!text) throw refusal("Expected a Bearer token");
  const token = await tokens.read(text);
  if (token === null || tokens.stateOf(token) !== "active") throw refusal("Invalid token");
  return token;
}

function tenantNamed({ service }: Gateway, clientId: string, token: AccessToken): Tenant {
  const tenant = service.tenants.find(clientId);
  if (!tenant) throw unauthenticated("Unknown client id");
  if (token.clientId !== clientId) throw unauthenticated("Invalid token");
  return tenant;
}

function checkBilling(billing: Billing, tenant: Tenant, { method }: Operation): void {
  const status = billing.statusOf(tenant);
  if (status === "SUSPENDED") throw new ServiceError(402, "The account is suspended", { error: "ACCOUNT_SUSPENDED" });
  if (status === "RESTRICTED" && method !== "GET")
    throw new ServiceError(402, "The account is restricted for pending payments: only queries are allowed", {
      error: "ACCOUNT_RESTRICTED",
    });
}

function checkAccess(tenant: Tenant, { family, name }: Operation): void {
  if (family !== null && !tenant.enabledProducts.includes(family))
    throw new ServiceError(403, `The product ${family} is not enabled for this client`, {
      error: "PRODUCT_NOT_ENABLED",
    });
  if (tenant.allowedOperations !== null && !tenant.allowedOperations.includes(name))
    throw new ServiceError(403, `The operation ${name} is not allowed for this client`, {
      error: "OPERATION_NOT_ALLOWED",
    });
}

/** `application`: that field of the JSON body. */
type Known = Arrival & { token: AccessToken; application: unknown };

/** interface: Authentication; Errors › Gateway errors. Checks in the documented order; throws the first failure. */
export function admit(gateway: Gateway, operation: Operation, known: Known): Tenant {
  const clientId = clientIdIn([known.application, ...headersNaming(known)]);
  if (clientId === undefined) throw missing();
  const tenant = tenantNamed(gateway, clientId, known.token);
  checkBilling(gateway.billing, tenant, operation);
  checkAccess(tenant, operation);
  if (operation.isFinancial) gateway.rateLimit.take(known.socket?.remoteAddress ?? "in-process");
  return tenant;
}
