import type { Socket } from "node:net";
import { ServiceError, unauthenticated } from "@/service/error";
import type { Service } from "@/service/context";
import { type Soon, withValue } from "@/service/soon";
import type { Billing } from "@/service/tenants/billing";
import type { Tenant } from "@/service/tenants/load-tenants";
import type { Tokens } from "@/service/tokens/tokens";
import type { Operation } from "./operation";
import type { RateLimit } from "./rate-limit";

/** What the gateway consults. */
export type Gateway = { service: Service; tokens: Tokens; billing: Billing; rateLimit: RateLimit };

/**
 * What of a request the gateway looks at: `application` is the field of that name in the JSON body, `socket` what it came
 * by; in process there is none.
 */
export type Arrival = { headers: Headers; application: unknown; socket: Pick<Socket, "remoteAddress"> | undefined };

function tenantId({ headers, application }: Arrival): string {
  for (const name of [application, headers.get("client_id"), headers.get("x-client-id")]) {
    const found = typeof name === "string" ? name.trim() : "";
    if (found !== "") return found;
  }
  throw new ServiceError(400, "The client id header is required: send x-client-id", { error: "MISSING_CLIENT_ID" });
}

function authenticate({ service, tokens }: Gateway, arrival: Arrival): Soon<Tenant> {
  const clientId = tenantId(arrival);
  const authorization = arrival.headers.get("authorization");
  if (!authorization) throw unauthenticated("You must send an Authorization header");
  const [, text] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  if (!text) throw unauthenticated("Expected a Bearer token");
  const tenant = service.tenants.find(clientId);
  if (!tenant) throw unauthenticated("Unknown client id");
  return withValue(tokens.read(text), (token) => {
    if (token?.clientId !== clientId || tokens.stateOf(token) !== "active") throw unauthenticated("Invalid token");
    return tenant;
  });
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

/**
 * The gateway's checks in their order: tenant id, bearer token, billing, product family, operation, rate limit
 * (interface: Authentication; Errors › Gateway errors). Gives the tenant, or throws the answer of the first check that
 * fails.
 */
export function admit(gateway: Gateway, operation: Operation, arrival: Arrival): Soon<Tenant> {
  return withValue(authenticate(gateway, arrival), (tenant) => {
    checkBilling(gateway.billing, tenant, operation);
    checkAccess(tenant, operation);
    if (operation.isFinancial) gateway.rateLimit.take(arrival.socket?.remoteAddress ?? "in-process");
    return tenant;
  });
}
