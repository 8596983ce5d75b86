import { randomUUID } from "node:crypto";
import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { decodeJwt } from "jose";
import { z } from "zod";
import { emailSpellings, readEmail } from "@/lib/text/email-address";
import { record, recordAll } from "@/lib/audit/record";
import { isStorable } from "@/lib/contract/shared";
import { log } from "@/lib/log/log";
import { env } from "@/lib/settings/env";
import type { Oidc } from "@/lib/settings/oidc-settings";
import { storeNow } from "@/lib/db/clock";
import { staff } from "@/lib/db/tables/staff";
import { auditEvent } from "@/lib/db/tables/audit";
import { db, type Tx } from "@/lib/db/connection";
import { beginSecondStep, type Opened } from "./entry";
import { isEnrolled, clearFactor } from "./factor";
import { can, type Role, ROLES } from "@/lib/permission/permission";
import { holdRoster, isAdmin, isLastAdmin, readRoster } from "./roster";
import { staffIdentity, staffMembership } from "@/lib/db/tables/auth";
import { endSessionsOf, type Membership, openSessionFor, readMemberships } from "./sessions";
import { entranceOf } from "./sign-in";
import type { Device } from "./sign-in-try";

const ClaimText = z.string().min(1).max(320).refine(isStorable);

/** Trusted from the provider, even if it could not be invited. */
const ClaimEmail = z
  .email({ pattern: z.regexes.unicodeEmail })
  .max(320)
  .refine(isStorable)
  .transform((told) => {
    const read = readEmail(told);
    return "email" in read ? read.email : emailSpellings(told)[0];
  });

export const Claims = z.looseObject({
  sub: ClaimText,
  email: ClaimEmail.optional().catch(undefined),
  // Some providers send a text.
  email_verified: z
    .union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")])
    .optional()
    .catch(undefined),
  name: ClaimText.optional().catch(undefined),
  amr: z.array(z.string()).optional().catch(undefined),
  auth_time: z.number().min(0).optional().catch(undefined),
});
export type Claims = z.output<typeof Claims>;

type ToldClaims = Readonly<Record<string, unknown>>;

const Inner = z.record(z.string(), z.unknown());

/** `realm_access.roles`: a claim of exactly this name, as names may hold dots, or a nested one. */
function claimAt(claims: ToldClaims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  const [first = "", ...rest] = path.split(".");
  const inner = rest.length === 0 ? undefined : Inner.safeParse(claims[first]).data;
  return inner === undefined ? undefined : claimAt(inner, rest.join("."));
}

const isComplete = (claims: ToldClaims, { rolesClaim }: Oidc): boolean =>
  claims["email"] !== undefined && claimAt(claims, rolesClaim) !== undefined;

const ClaimValues = z.union([z.array(z.string()), z.string()]);

const SEPARATORS = /[\s,;|[\]{}"]+/;

/** Several groups in one text, JSON as text, or an empty text: the person's groups are then unknown. */
function isMisread(value: string, isAlone: boolean, { roleMap }: Oidc): boolean {
  if (Object.hasOwn(roleMap, value)) return false;
  if (value.trim() === "") return true;
  const parts = value.split(SEPARATORS);
  return parts.length > 1 && (isAlone || parts.some((part) => Object.hasOwn(roleMap, part)));
}

/** OpenID Connect Core 5.6.2: a claim too long for a token is only named there and kept elsewhere. */
const Elsewhere = z
  .object({ _claim_names: Inner })
  .transform(({ _claim_names: names }) => names)
  .catch({});

/** Null when the token does not say: without the claim, with an unreadable one, or with one kept elsewhere. */
function groupsOf(claims: Claims, oidc: Oidc): string[] | null {
  const { rolesClaim } = oidc;
  const elsewhere = Elsewhere.parse(claims);
  if (Object.hasOwn(elsewhere, rolesClaim.split(".", 1)[0] ?? "") || Object.hasOwn(elsewhere, rolesClaim)) return null;
  const told = ClaimValues.safeParse(claimAt(claims, rolesClaim)).data;
  if (told === undefined) return null;
  const values = typeof told === "string" ? [told] : told;
  return values.some((value) => isMisread(value, typeof told === "string", oidc)) ? null : values;
}

function membershipsOf(values: readonly string[], oidc: Oidc, tenants: readonly string[]): Membership[] {
  const grants = values.flatMap((value) => (Object.hasOwn(oidc.roleMap, value) ? [oidc.roleMap[value] ?? []] : []));
  const rolesAt = (tenant: string): Role[] => {
    const held = new Set(grants.flatMap((grant) => (Array.isArray(grant) ? grant : (grant[tenant] ?? []))));
    return ROLES.filter((role) => held.has(role));
  };
  return tenants.map((tenant) => ({ tenant, roles: rolesAt(tenant) })).filter(({ roles }) => roles.length > 0);
}

/** May be long ago. Without `auth_time` nothing recent is proven, as the screen may have been left unlocked. */
const provenAtProvider = ({ auth_time = 0 }: Claims, now: Date): Date =>
  new Date(Math.min(auth_time * 1000, now.getTime()));

/** RFC 8176. */
const SAYS_MFA = ["mfa", "mca"];

function provedSecondFactor({ amr = [] }: Claims, { trustsMfa }: Oidc): boolean {
  if (trustsMfa === "always") return true;
  return trustsMfa === "amr" && amr.some((method) => SAYS_MFA.includes(method));
}

/** Named in the audit record in place of a person. */
const PROVIDER = "oidc";

const rolesAt = (memberships: readonly Membership[], tenant: string): Role[] =>
  memberships.find((membership) => membership.tenant === tenant)?.roles ?? [];
const written = (roles: readonly Role[]) => roles.toSorted().join(",");

type GrantedMemberships = { given: readonly Membership[]; tenants: readonly string[] };
type Change = { at: string; before: Role[]; after: Role[]; isStored: boolean };

const isChange = ({ before, after }: Change) => written(before) !== written(after);

async function rolesOf(tx: Tx, staffId: string, tenants: readonly string[]): Promise<Membership[]> {
  const { tenant, roles } = staffMembership;
  const isTheirs = and(eq(staffMembership.staffId, staffId), inArray(tenant, [...tenants]));
  return tx.select({ tenant, roles }).from(staffMembership).where(isTheirs);
}

/** Locks each tenant's people in one order. A tenant's only admin stays one. */
async function readChanges(tx: Tx, staffId: string, { given, tenants }: GrantedMemberships): Promise<Change[]> {
  const held = await rolesOf(tx, staffId, tenants);
  const differing = tenants.filter((at) => written(rolesAt(held, at)) !== written(rolesAt(given, at))).toSorted();
  const changes: Change[] = [];
  for (const at of differing) {
    const roster = await holdRoster(tx, at);
    const before = roster.find((member) => member.staffId === staffId)?.roles ?? [];
    const asked = rolesAt(given, at);
    const isStored = isLastAdmin(roster, staffId) && !can(asked, "staff:manage");
    changes.push({ at, before, after: isStored ? [...asked, "admin"] : asked, isStored });
  }
  return changes;
}

async function write(tx: Tx, staffId: string, { at, after }: Change): Promise<void> {
  const { tenant } = staffMembership;
  if (after.length === 0) {
    await tx.delete(staffMembership).where(and(eq(staffMembership.staffId, staffId), eq(tenant, at)));
    return;
  }
  await tx
    .insert(staffMembership)
    .values({ staffId, tenant: at, roles: after })
    .onConflictDoUpdate({ target: [staffMembership.staffId, tenant], set: { roles: after } });
}

/** A change ends the person's sessions. Barred people stay barred; the last admin stays, audited as refused. */
async function replaceRoles(tx: Tx, staffId: string, asked: GrantedMemberships): Promise<void> {
  const changes = await readChanges(tx, staffId, asked);
  const changed = changes.filter(isChange);
  for (const change of changed) await write(tx, staffId, change);
  const at = changes.map((change) => change.at);
  if (changed.length > 0) await endSessionsOf(tx, staffId, { reason: "roles-changed", by: PROVIDER, at });
  const kept = changes.filter(({ isStored }) => isStored);
  for (const change of kept)
    log.warn({ tenant: change.at }, "single sign-on would have taken the last admin away: the role was kept");
  const entryOf = (change: Change, outcome: "DONE" | "REFUSED", why?: Record<string, string>) => ({
    tenant: change.at,
    actor: PROVIDER,
    code: "staff.roles" as const,
    outcome,
    object: `staff:${staffId}`,
    detail: { before: written(change.before), after: written(change.after), how: PROVIDER, ...why },
  });
  await recordAll(tx, [
    ...changed.map((change) => entryOf(change, "DONE")),
    ...kept.map((change) => entryOf(change, "REFUSED", { why: "last-admin" })),
  ]);
}

export const SIGN_ON = "sso";
const TIMEOUT_MS = 10_000;

type Tokens = { id_token?: string | undefined; access_token?: string | undefined };
type Client = { userinfo: (accessToken: string) => Promise<Record<string, unknown>> };

/** The ID token's claims, completed from userinfo. */
async function readClaims(oidc: Oidc, { id_token = "", access_token }: Tokens, client: Client) {
  const claims = decodeJwt(id_token);
  // The library trusts the issuer that the metadata names, so ours is compared here.
  if (claims.iss !== oidc.issuer && claims.iss !== `${oidc.issuer}/`)
    throw new Error(`the provider calls itself ${claims.iss}, and OIDC_ISSUER another name`);
  if (isComplete(claims, oidc) || access_token === undefined) return claims;
  const more = await client.userinfo(access_token);
  if (more["sub"] !== claims.sub) throw new Error("userinfo is of somebody else than the ID token");
  return { ...more, ...claims };
}

/** Code flow with PKCE, state and nonce. */
export function signOnProvider(oidc: Oidc) {
  return {
    id: SIGN_ON,
    name: SIGN_ON,
    type: "oauth" as const,
    wellKnown: `${oidc.issuer}/.well-known/openid-configuration`,
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    // Older sign-ins are repeated, and the answer carries `auth_time`.
    authorization: { params: { scope: "openid email profile", max_age: Math.ceil(env().stepUpMs / 1000) } },
    client: { id_token_signed_response_alg: oidc.tokenAlgorithm },
    checks: ["pkce" as const, "state" as const, "nonce" as const],
    idToken: true,
    httpOptions: { timeout: TIMEOUT_MS },
    userinfo: {
      request: ({ tokens, client }: { tokens: Tokens; client: Client }) => readClaims(oidc, tokens, client),
    },
    // Our roles, not next-auth, decide who they are here.
    profile: ({ sub }: { sub?: unknown }) => ({ id: String(sub) }),
  };
}

export const SSO_REFUSALS = ["sso-unverified", "sso-taken", "sso-disabled", "sso-unmapped", "sso-untold"] as const;
type SsoRefusal = (typeof SSO_REFUSALS)[number];

type Person = { name: string; email: string };
type Vouched = {
  claims: Claims;
  oidc: Oidc;
  device: Device;
  onLinked: (person: Person) => void;
  onUntold: (untold: Untold) => void;
};
type Untold = { person: Person; admins: readonly Person[] };
type KnownAccount = { id: string; isOut: boolean };

/** By `sub`: the e-mail counts only for the first link. */
async function findLinked(tx: Tx, oidc: Oidc, subject: string): Promise<KnownAccount | undefined> {
  const [linked] = await tx
    .select({ id: staff.id, disabledAt: staff.disabledAt, isDemo: staff.isDemo })
    .from(staffIdentity)
    .innerJoin(staff, eq(staff.id, staffIdentity.staffId))
    .where(and(eq(staffIdentity.issuer, oidc.issuer), eq(staffIdentity.subject, subject)));
  return linked && { id: linked.id, isOut: linked.disabledAt !== null };
}

async function isLinkedElsewhere(tx: Tx, oidc: Oidc, staffId: string): Promise<boolean> {
  const theirs = and(eq(staffIdentity.issuer, oidc.issuer), eq(staffIdentity.staffId, staffId));
  return (await tx.select({ staffId: staffIdentity.staffId }).from(staffIdentity).where(theirs)).length > 0;
}

/** An invitation link's user chose the password, so it goes. A break-glass account keeps its command-line one. */
async function dropLocalAccess(tx: Tx, { id, passwordHash, isBreakGlass }: typeof staff.$inferSelect) {
  const at = (await readMemberships(tx, id)).map(({ tenant }) => tenant).toSorted();
  // Waits for an invitation in progress, so that it is revoked, too.
  for (const tenant of at) await holdRoster(tx, tenant);
  const taken = await clearFactor(tx, id);
  if (!isBreakGlass) await tx.update(staff).set({ passwordHash: null }).where(eq(staff.id, id));
  const sessionsEnded = await endSessionsOf(tx, id, { reason: "linked", by: PROVIDER, at });
  const detail = { how: PROVIDER, hadPassword: passwordHash !== null, isBreakGlass, ...taken, sessionsEnded };
  const entry = { actor: PROVIDER, code: "staff.link", outcome: "DONE", object: `staff:${id}`, detail } as const;
  await recordAll(
    tx,
    at.map((tenant) => ({ tenant, ...entry })),
  );
}

type Linking = Pick<Vouched, "claims" | "oidc" | "onLinked">;

async function link(tx: Tx, { claims, oidc, onLinked }: Linking): Promise<KnownAccount | SsoRefusal> {
  const { sub, name, email = "", email_verified } = claims;
  const isVerified = email_verified ?? oidc.trustsEmail;
  if (email === "" || !isVerified) return "sso-unverified";
  const made = { id: randomUUID(), email, name: name ?? email, passwordHash: null };
  const hasEmail = inArray(sql`lower(${staff.email})`, emailSpellings(email));
  if ((await tx.$count(staff, hasEmail)) === 0) await tx.insert(staff).values(made).onConflictDoNothing();
  const [person] = await tx.select().from(staff).where(hasEmail).for("update");
  const linked = await findLinked(tx, oidc, sub);
  if (linked !== undefined) return linked;
  // Demo passwords are public, so nobody may become a demo person.
  if (person === undefined || person.isDemo || (await isLinkedElsewhere(tx, oidc, person.id))) return "sso-taken";
  await tx.insert(staffIdentity).values({ issuer: oidc.issuer, subject: sub, staffId: person.id });
  if (person.id !== made.id) {
    await dropLocalAccess(tx, person);
    onLinked(person);
  }
  return { id: person.id, isOut: person.disabledAt !== null };
}

type Entered = Opened | { step: string } | SsoRefusal;

const DAY_MS = 86_400_000;

/** Missing claims remove no role. Audited at each of the person's tenants; administrators are told once a day. */
async function refuseUntold(tx: Tx, { id }: KnownAccount, onUntold: Vouched["onUntold"]): Promise<SsoRefusal> {
  const object = `staff:${id}` as const;
  const since = new Date((await storeNow(tx)).getTime() - DAY_MS);
  const isOfThem = and(eq(auditEvent.code, "session.open"), eq(auditEvent.object, object), gt(auditEvent.at, since));
  const isKnown = await tx.$count(auditEvent, and(isOfThem, sql`${auditEvent.detail} ->> 'why' = 'sso-untold'`));
  log.error({ staffId: id }, "the provider did not tell somebody's groups: their roles stay, and they are not let in");
  const tenants = (await readMemberships(tx, id)).map(({ tenant }) => tenant);
  const detail = { how: PROVIDER, why: "sso-untold" };
  const entry = { actor: id, code: "session.open", outcome: "REFUSED", object, detail } as const;
  await recordAll(
    tx,
    tenants.map((tenant) => ({ tenant, ...entry })),
  );
  if (isKnown > 0) return "sso-untold";
  const { name, email } = staff;
  const [person] = await tx.select({ name, email }).from(staff).where(eq(staff.id, id));
  const adminIds: string[] = [];
  // One after the other, as a connection answers one query at a time.
  for (const tenant of tenants)
    adminIds.push(...(await readRoster(tx, tenant)).filter(isAdmin).map((member) => member.staffId));
  const admins = await tx
    .select({ name, email })
    .from(staff)
    .where(inArray(staff.id, [...new Set(adminIds)]));
  if (person !== undefined) onUntold({ person, admins });
  return "sso-untold";
}

async function enter(tx: Tx, { claims, oidc, device, onLinked, onUntold }: Vouched): Promise<Entered> {
  const tenants = env().tenants.map(({ clientId }) => clientId);
  const groups = groupsOf(claims, oidc);
  const linked = await findLinked(tx, oidc, claims.sub);
  if (groups === null) return linked === undefined ? refuse(tx, "sso-untold") : refuseUntold(tx, linked, onUntold);
  const given = membershipsOf(groups, oidc, tenants);
  if (linked === undefined && given.length === 0) return refuse(tx, "sso-unmapped");
  const person = linked ?? (await link(tx, { claims, oidc, onLinked }));
  if (typeof person === "string") return refuse(tx, person);
  await replaceRoles(tx, person.id, { given, tenants });
  if (person.isOut) return refuse(tx, "sso-disabled", person.id);
  const tenant = await entranceOf(tx, person.id);
  if (tenant === null) return refuse(tx, given.length === 0 ? "sso-unmapped" : "sso-disabled", person.id);
  const secondFactor = provedSecondFactor(claims, oidc);
  if (!secondFactor && (await isEnrolled(tx, person.id))) return { step: await beginSecondStep(tx, person.id, "oidc") };
  const provenAt = provenAtProvider(claims, await storeNow(tx));
  const opening = { staffId: person.id, tenant, how: "oidc", secondFactor, device, provenAt } as const;
  return { staffId: person.id, sessionId: await openSessionFor(tx, opening) };
}

async function refuse(tx: Tx, why: SsoRefusal, actor = "nobody"): Promise<SsoRefusal> {
  const [{ clientId: tenant }] = env().tenants;
  const detail = { how: PROVIDER, why };
  await record(tx, { tenant, actor, code: "session.open", outcome: "REFUSED", detail });
  return why;
}

type Notify = {
  linked: (person: Person) => Promise<void>;
  untold: (untold: Untold) => Promise<void>;
};

/** Roles follow the claim at every sign-in that contains it. */
export async function enterByProvider(
  vouched: Omit<Vouched, "onLinked" | "onUntold">,
  notify: Notify,
): Promise<Entered> {
  const notices: (() => Promise<void>)[] = [];
  const onLinked = (person: Person) => void notices.push(() => notify.linked(person));
  const onUntold = (untold: Untold) => void notices.push(() => notify.untold(untold));
  const entered = await (await db()).transaction((tx) => enter(tx, { ...vouched, onLinked, onUntold }));
  for (const tell of notices) await tell();
  return entered;
}
