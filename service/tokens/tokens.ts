import { createHash, timingSafeEqual } from "node:crypto";
import { eq, lte } from "drizzle-orm";
import { errors, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import { unauthenticated } from "@/service/error";
import { uuid } from "@/service/random";
import type { Tenant, TenantDirectory } from "@/service/tenants/load-tenants";
import { revokedToken, signingKey } from "@/service/store/schema";

const digest = (text: string) => createHash("sha256").update(text).digest();

function decode(encoded: string): { clientId: string; clientSecret: string } {
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return { clientId: text.slice(0, Math.max(colon, 0)), clientSecret: text.slice(colon + 1) };
}

/** interface: Errors › Authentication errors. Throws 401; timing does not reveal whether the client exists. */
export function authenticateBasic(tenants: TenantDirectory, authorization: string | undefined): Tenant {
  if (!authorization) throw unauthenticated("You must send an Authorization header");
  const [, encoded] = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization) ?? [];
  if (!encoded) throw unauthenticated("Expected a Basic token");
  const { clientId, clientSecret } = decode(encoded);
  const tenant = tenants.find(clientId);
  const isRight = timingSafeEqual(digest(clientSecret), digest(tenant?.clientSecret ?? ""));
  if (!tenant || !isRight) throw unauthenticated("Invalid client credentials");
  return tenant;
}

const ID = "access-token";

/** Stored, so that tokens survive a restart. */
async function loadSigningKey({ db, random, clock }: Service): Promise<Uint8Array> {
  const secret = Buffer.from(random(32)).toString("base64url");
  await db
    .insert(signingKey)
    .values({ id: ID, secret, createdAt: instant(clock) })
    .onConflictDoNothing();
  const [row] = await db.select().from(signingKey).where(eq(signingKey.id, ID));
  if (!row) throw new Error("the signing key could not be stored");
  return Buffer.from(row.secret, "base64url");
}

export const TOKEN_LIFETIME_SECONDS = 3_600;
export const TOKEN_SCOPE = "banking crypto kyc";
const ISSUER = "retaguarda-service";

const Claims = z.object({ sub: z.string(), jti: z.uuid(), iat: z.number(), exp: z.number() });

/** Times in epoch seconds. */
export type AccessToken = { id: string; clientId: string; issuedAt: number; expiresAt: number };
type TokenState = "active" | "expired" | "revoked";

export type Tokens = {
  issue: (clientId: string) => Promise<{ text: string; token: AccessToken }>;
  /** Null when this service did not sign it. */
  read: (text: string) => Promise<AccessToken | null>;
  stateOf: (token: AccessToken) => TokenState;
  revoke: (token: AccessToken) => Promise<void>;
};

function isForged(error: unknown): boolean {
  return error instanceof errors.JOSEError;
}

async function readToken(key: Uint8Array, text: string): Promise<AccessToken | null> {
  // The service's clock decides about expiry, so only the signature counts here.
  const verified = await jwtVerify(text, key, {
    algorithms: ["HS256"],
    issuer: ISSUER,
    currentDate: new Date(0),
  }).catch((error: unknown) => {
    if (isForged(error)) return null;
    throw error;
  });
  const claims = Claims.safeParse(verified?.payload);
  if (!claims.success) return null;
  const { sub, jti, iat, exp } = claims.data;
  return { id: jti, clientId: sub, issuedAt: iat, expiresAt: exp };
}

export async function openTokens(service: Service): Promise<Tokens> {
  const { clock, db, random } = service;
  const key = await loadSigningKey(service);
  await db.delete(revokedToken).where(lte(revokedToken.expiresAt, instant(clock)));
  const ended = await db.select().from(revokedToken);
  const revoked = new Set(ended.map((row) => row.tokenId));

  const issue: Tokens["issue"] = async (clientId) => {
    const issuedAt = Math.floor(clock.now() / 1_000);
    const token = { id: uuid(random), clientId, issuedAt, expiresAt: issuedAt + TOKEN_LIFETIME_SECONDS };
    const jwt = new SignJWT({ scope: TOKEN_SCOPE }).setProtectedHeader({ alg: "HS256", typ: "JWT" });
    jwt
      .setIssuer(ISSUER)
      .setSubject(clientId)
      .setJti(token.id)
      .setIssuedAt(issuedAt)
      .setExpirationTime(token.expiresAt);
    return { text: await jwt.sign(key), token };
  };
  const stateOf: Tokens["stateOf"] = (token) => {
    if (revoked.has(token.id)) return "revoked";
    return clock.now() >= token.expiresAt * 1_000 ? "expired" : "active";
  };
  const revoke: Tokens["revoke"] = async (token) => {
    const row = { clientId: token.clientId, revokedAt: instant(clock), expiresAt: new Date(token.expiresAt * 1_000) };
    await db
      .insert(revokedToken)
      .values({ tokenId: token.id, ...row })
      .onConflictDoNothing();
    revoked.add(token.id);
  };
  return { issue, read: (text) => readToken(key, text), stateOf, revoke };
}
