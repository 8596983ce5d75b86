import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { and, asc, count, eq, gt, lt, or, sql } from "drizzle-orm";
import { z } from "zod";
import { isStorable } from "@/lib/contract/shared";
import { env } from "@/lib/settings/env";
import { seal, unseal } from "@/lib/db/seal";
import type { Db, Tx } from "@/lib/db/connection";
import { PASSKEY_NAME_MAX } from "@/lib/db/enums/auth";
import { passkeyChallenge, staffPasskey } from "@/lib/db/tables/auth";
import type { Session } from "./sessions";

/** Each is one more way into the account. */
export const MAX_PASSKEYS = 10;
const ANSWERED_WITHIN_MS = 5 * 60_000;

const storeTime = sql`clock_timestamp()`;
const Base64Url = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\w-]+$/);
export const CredentialId = Base64Url(1_364);

export const PasskeyAnswer = z.object({
  passkey: CredentialId,
  clientDataJSON: Base64Url(4_096),
  authenticatorData: Base64Url(2_048),
  signature: Base64Url(2_048),
});
export type PasskeyAnswer = z.output<typeof PasskeyAnswer>;

export const NewPasskey = z.object({
  name: z.string().trim().min(1).max(PASSKEY_NAME_MAX).refine(isStorable),
  passkey: CredentialId,
  clientDataJSON: Base64Url(4_096),
  attestationObject: Base64Url(16_384),
  transports: z
    .array(
      z
        .string()
        .max(32)
        .regex(/^[a-z-]+$/),
    )
    .max(10),
});
export type NewPasskey = z.output<typeof NewPasskey>;

const publicKeyOf = (staffId: string, id: string) =>
  ({ column: "staff_passkey.public_key_sealed", row: [staffId, id] }) as const;

const relyingParty = () => ({ rpID: env().publicUrl.hostname, expectedOrigin: env().publicUrl.origin });

/** One challenge per session or step, by the hash of its id; a new one replaces it. */
async function issueChallenge(store: Db | Tx, idHash: string, challenge: string): Promise<void> {
  const issued = { challenge, expiresAt: sql`clock_timestamp() + ${ANSWERED_WITHIN_MS} * interval '1 millisecond'` };
  await store.delete(passkeyChallenge).where(lt(passkeyChallenge.expiresAt, storeTime));
  await store
    .insert(passkeyChallenge)
    .values({ idHash, ...issued })
    .onConflictDoUpdate({ target: passkeyChallenge.idHash, set: issued });
}

/** Used once: an answer is checked one time, right or wrong. */
async function takeChallenge(tx: Tx, idHash: string): Promise<string | null> {
  const isOpen = and(eq(passkeyChallenge.idHash, idHash), gt(passkeyChallenge.expiresAt, storeTime));
  const taken = await tx.delete(passkeyChallenge).where(isOpen).returning({ challenge: passkeyChallenge.challenge });
  return taken[0]?.challenge ?? null;
}

const readPasskeys = (store: Db | Tx, staffId: string) =>
  store.select().from(staffPasskey).where(eq(staffPasskey.staffId, staffId)).orderBy(asc(staffPasskey.createdAt));

export type Passkey = { id: string; name: string; addedAt: string; usedAt: string | null };

export async function listPasskeys(store: Db | Tx, staffId: string): Promise<Passkey[]> {
  const held = await readPasskeys(store, staffId);
  return held.map(({ id, name, createdAt, usedAt }) => {
    return { id, name, addedAt: createdAt.toISOString(), usedAt: usedAt?.toISOString() ?? null };
  });
}

export async function countPasskeys(store: Db | Tx, staffId: string): Promise<number> {
  const [row] = await store.select({ held: count() }).from(staffPasskey).where(eq(staffPasskey.staffId, staffId));
  return row?.held ?? 0;
}

export async function askForNewPasskey(
  store: Db | Tx,
  { staffId, email, name, idHash }: Session,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const held = await readPasskeys(store, staffId);
  const options = await generateRegistrationOptions({
    rpName: "Retaguarda",
    rpID: relyingParty().rpID,
    userID: new TextEncoder().encode(staffId),
    userName: email,
    userDisplayName: name,
    timeout: ANSWERED_WITHIN_MS,
    attestationType: "none",
    excludeCredentials: held.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: "discouraged", userVerification: "required" },
  });
  await issueChallenge(store, idHash, options.challenge);
  return options;
}

/** False when it does not answer the session's challenge, or is registered already. */
export async function addPasskey(tx: Tx, { staffId, idHash }: Session, given: NewPasskey): Promise<boolean> {
  const { passkey: id, name, transports, clientDataJSON, attestationObject } = given;
  const expectedChallenge = await takeChallenge(tx, idHash);
  if (expectedChallenge === null || (await countPasskeys(tx, staffId)) >= MAX_PASSKEYS) return false;
  const { rpID, expectedOrigin } = relyingParty();
  const response = { clientDataJSON, attestationObject };
  const registered = await verifyRegistrationResponse({
    response: { id, rawId: id, type: "public-key", clientExtensionResults: {}, response },
    expectedChallenge,
    expectedOrigin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(toRefusal);
  if (registered === null || !registered.verified) return false;
  const { credential } = registered.registrationInfo;
  if (credential.id !== id) return false;
  const publicKeySealed = seal(Buffer.from(credential.publicKey).toString("base64url"), publicKeyOf(staffId, id));
  const made = await tx
    .insert(staffPasskey)
    .values({ staffId, id, name, transports, publicKeySealed, counter: credential.counter })
    .onConflictDoNothing()
    .returning({ id: staffPasskey.id });
  return made.length > 0;
}

/** The library refuses by throwing and has no side effects: each of its errors is a refusal. */
function toRefusal(error: unknown): null {
  if (error instanceof Error) return null;
  throw error;
}

/** Null without a passkey. `idHash`: of the session or step. */
export async function askForPasskey(
  store: Db | Tx,
  { staffId, idHash }: Pick<Session, "staffId" | "idHash">,
): Promise<PublicKeyCredentialRequestOptionsJSON | null> {
  const held = await readPasskeys(store, staffId);
  if (held.length === 0) return null;
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().rpID,
    allowCredentials: held.map(({ id, transports }) => ({ id, transports })),
    timeout: ANSWERED_WITHIN_MS,
    userVerification: "required",
  });
  await issueChallenge(store, idHash, options.challenge);
  return options;
}

export async function checkPasskey(
  tx: Tx,
  { staffId, idHash }: Pick<Session, "staffId" | "idHash">,
  { passkey: id, ...response }: PasskeyAnswer,
): Promise<boolean> {
  const expectedChallenge = await takeChallenge(tx, idHash);
  if (expectedChallenge === null) return false;
  const isTheirs = and(eq(staffPasskey.staffId, staffId), eq(staffPasskey.id, id));
  const [held] = await tx.select().from(staffPasskey).where(isTheirs);
  if (held === undefined) return false;
  const { rpID, expectedOrigin } = relyingParty();
  const publicKey = new Uint8Array(Buffer.from(unseal(held.publicKeySealed, publicKeyOf(staffId, id)), "base64url"));
  const answered = await verifyAuthenticationResponse({
    response: { id, rawId: id, type: "public-key", clientExtensionResults: {}, response },
    expectedChallenge,
    expectedOrigin,
    expectedRPID: rpID,
    credential: { id, publicKey, counter: held.counter },
    requireUserVerification: true,
  }).catch(toRefusal);
  if (answered === null || !answered.verified) return false;
  const { newCounter } = answered.authenticationInfo;
  // Many authenticators do not count: theirs stays 0.
  const isAhead = or(lt(staffPasskey.counter, newCounter), and(eq(staffPasskey.counter, 0), sql`${newCounter} = 0`));
  const used = await tx
    .update(staffPasskey)
    .set({ counter: newCounter, usedAt: storeTime })
    .where(and(isTheirs, isAhead))
    .returning({ id: staffPasskey.id });
  return used.length > 0;
}

/** False when the person no longer has this passkey. */
export async function removePasskey(tx: Tx, staffId: string, id: string): Promise<boolean> {
  const isTheirs = and(eq(staffPasskey.staffId, staffId), eq(staffPasskey.id, id));
  return (await tx.delete(staffPasskey).where(isTheirs).returning({ id: staffPasskey.id })).length > 0;
}

export async function forgetPasskeys(tx: Tx, staffId: string): Promise<void> {
  await tx.delete(staffPasskey).where(eq(staffPasskey.staffId, staffId));
}
