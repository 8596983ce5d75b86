import type { Socket } from "node:net";
import { ServiceError, unauthenticated } from "@/service/error";
import type { Service } from "@/service/context";
import { type Soon, withValue } from "@/service/soon";
import type { Billing } from "@/service/tenants/billing";
import type { Tenant } from "@/service/tenants/load-tenants";
import type { AccessToken, Tokens } from "@/service/tokens/tokens";
import type { Operation } from "./operation";
import type { RateLimit } from "./rate-limit";

/** What the gateway consults. */
export type Gateway = { service: Service; tokens: Tokens; billing: Billing; rateLimit: RateLimit };

/** What came with a request beside its path; in process there is no socket. */
export type Arrival = { headers: Headers; socket: Pick<Socket, "remoteAddress"> | undefined };

function clientIdIn(places: readonly unknown[]): string {
  for (const name of places) {
    const found = typeof name === "string" ? name.trim() : "";
    if (found !== "") return found;
  }
  throw new ServiceError(400, "The client id header is required: send x-client-id", { error: "MISSING_CLIENT_ID" });
}

const headersNaming = ({ headers }: Arrival) => [headers.get("client_id"), headers.get("x-client-id")];

/**
 * The living token that a request carries. Throws 401, or 400 where nothing could name a tenant: a body could, and for that
 * it is not read before its sender is known.
 */
export function authenticate({ tokens }: Gateway, arrival: Arrival, hasBody = false): Soon<AccessToken> {
  if (!hasBody) clientIdIn(headersNaming(arrival));
  const authorization = arrival.headers.get("authorization");
  if (!authorization) throw unauthenticated("You must send an Authorization header");
  const [, text] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  if (!text) throw unauthenticated("Expected a Bearer token");
  return withValue(tokens.read(text), (token) => {
    if (token === null || tokens.stateOf(token) !== "active") throw unauthenticated("Invalid token");
    return token;
  });
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

/** A request of somebody known: `application` is the field of that name in its JSON body. */
export type Known = Arrival & { token: AccessToken; application: unknown };

/**
 * The gateway's checks of somebody known, in their order: tenant id, the token's client, billing, product family, operation,
 * rate limit (interface: Authentication; Errors › Gateway errors). Gives the tenant, or throws the answer of the first check
 * that fails.
 */
export function admit(gateway: Gateway, operation: Operation, known: Known): Tenant {
  const tenant = tenantNamed(gateway, clientIdIn([known.application, ...headersNaming(known)]), known.token);
  checkBilling(gateway.billing, tenant, operation);
  checkAccess(tenant, operation);
  if (operation.isFinancial) gateway.rateLimit.take(known.socket?.remoteAddress ?? "in-process");
  return tenant;
}
