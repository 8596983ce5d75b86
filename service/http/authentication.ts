import type { Hono } from "hono";
import type { Introspection, Revocation, Token } from "@/lib/contract/auth";
import type { Service } from "@/service/context";
import { ServiceError, unauthenticated } from "@/service/error";
import {
  type AccessToken,
  authenticateBasic,
  TOKEN_LIFETIME_SECONDS,
  TOKEN_SCOPE,
  type Tokens,
} from "@/service/tokens/tokens";
import { created, type Entry, ok, respond } from "./answer";

const iso = (epochSeconds: number) => new Date(epochSeconds * 1_000).toISOString();

export const AUTHENTICATION_PATHS = ["access-token", "introspect", "revoke"].map(
  (name) => `/v1/authentication/oauth/${name}`,
);

/** In the header `token`. 400 without it, 401 for a token not issued to this client. */
async function inspected(service: Service, tokens: Tokens, headers: Headers): Promise<AccessToken> {
  const tenant = authenticateBasic(service.tenants, headers.get("authorization") ?? undefined);
  const text = headers.get("token")?.replace(/^Bearer +/i, "");
  if (!text) throw new ServiceError(400, "You must send the bearer token on header");
  const token = await tokens.read(text);
  if (token?.clientId !== tenant.clientId) throw unauthenticated("Invalid token");
  return token;
}

function describe(token: AccessToken, state: "active" | "expired" | "revoked"): Introspection {
  if (state !== "active") return { active: false, reason: state };
  return {
    active: true,
    client_id: token.clientId,
    token_type: "Bearer",
    exp: token.expiresAt,
    iat: token.issuedAt,
    issued_at: iso(token.issuedAt),
    expires_at: iso(token.expiresAt),
    scope: TOKEN_SCOPE,
  };
}

/** interface: Endpoints › Authentication endpoints. Outside the gateway. */
export function mountAuthentication(app: Hono<Entry>, service: Service, tokens: Tokens): void {
  app.post("/v1/authentication/oauth/access-token", async (c) => {
    const tenant = authenticateBasic(service.tenants, c.req.header("authorization"));
    const { text, token } = await tokens.issue(tenant.clientId);
    const answer: Token = {
      access_token: text,
      token_type: "Bearer",
      expires_in: TOKEN_LIFETIME_SECONDS,
      issued_at: iso(token.issuedAt),
      scope: TOKEN_SCOPE,
    };
    return respond(c, created(answer));
  });
  app.post("/v1/authentication/oauth/introspect", async (c) => {
    const token = await inspected(service, tokens, c.req.raw.headers);
    return respond(c, created(describe(token, tokens.stateOf(token))));
  });
  app.post("/v1/authentication/oauth/revoke", async (c) => {
    const token = await inspected(service, tokens, c.req.raw.headers);
    await tokens.revoke(token);
    const answer: Revocation = { body: "The token has been revoked", when: service.clock.now() };
    return respond(c, ok(answer));
  });
}
