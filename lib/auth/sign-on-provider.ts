import { decodeJwt } from "jose";
import { env } from "@/lib/env";
import type { Oidc } from "@/lib/oidc-settings";
import { isComplete } from "./claims";

export const SIGN_ON = "sso";
const TIMEOUT_MS = 10_000;

type Tokens = { id_token?: string | undefined; access_token?: string | undefined };
type Client = { userinfo: (accessToken: string) => Promise<Record<string, unknown>> };

/** The ID token's claims, checked by now, and what else the provider tells of the same person when they leave something out. */
async function readClaims(oidc: Oidc, { id_token = "", access_token }: Tokens, client: Client) {
  const claims = decodeJwt(id_token);
  if (isComplete(claims, oidc) || access_token === undefined) return claims;
  const more = await client.userinfo(access_token);
  if (more["sub"] !== claims.sub) throw new Error("userinfo is of somebody else than the ID token");
  return { ...more, ...claims };
}

/** How the company's provider is spoken to: discovery, code flow with PKCE, state and nonce, a checked ID token. */
export function signOnProvider(oidc: Oidc) {
  return {
    id: SIGN_ON,
    name: SIGN_ON,
    type: "oauth" as const,
    wellKnown: `${oidc.issuer}/.well-known/openid-configuration`,
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    // Who signed in there longer ago is asked again, and the answer says when it was.
    authorization: { params: { scope: "openid email profile", max_age: Math.ceil(env().stepUpMs / 1000) } },
    checks: ["pkce" as const, "state" as const, "nonce" as const],
    idToken: true,
    httpOptions: { timeout: TIMEOUT_MS },
    userinfo: {
      request: ({ tokens, client }: { tokens: Tokens; client: Client }) => readClaims(oidc, tokens, client),
    },
    // Who they are here is decided by what is granted them, not by next-auth.
    profile: ({ sub }: { sub?: unknown }) => ({ id: String(sub) }),
  };
}
