import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { env } from "@/lib/env";
import type { Oidc } from "@/lib/oidc-settings";
import { storeNow } from "@/lib/store/clock";
import { staff } from "@/lib/store/schema";
import { db, type Tx } from "@/lib/store/store";
import { type Claims, membershipsOf, provedSecondFactor, provenAtProvider } from "./claims";
import type { Device } from "./device";
import type { Opened } from "./entry";
import { isEnrolled, resetFactor } from "./factor";
import { readMemberships } from "./membership";
import { holdRoster } from "./roster";
import { PROVIDER, replaceRoles } from "./provided-roles";
import { staffIdentity } from "./schema";
import { endSessionsOf, openSessionFor } from "./sessions";
import { entranceOf } from "./sign-in";
import { beginSecondStep } from "./sign-in-step";

/** Why somebody whom the provider knows does not come in; the sign-in screen has a sentence for each. */
export const SSO_REFUSALS = ["sso-unverified", "sso-taken", "sso-disabled", "sso-unmapped"] as const;
export type SsoRefusal = (typeof SSO_REFUSALS)[number];

type Person = { name: string; email: string };
type Vouched = { claims: Claims; oidc: Oidc; device: Device; onLinked: (person: Person) => void };
type Known = { id: string; isOut: boolean };

/** By the provider's own name for them, which never changes: the e-mail counts only once. */
async function findLinked(tx: Tx, oidc: Oidc, subject: string): Promise<Known | undefined> {
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

/**
 * Takes away all that opened a local account: whoever took its invitation's link chose it, and need not have been the person
 * whom the provider vouches for. From now on they come in by the provider alone; a break-glass account keeps the password that was set
 * from the command line.
 */
async function dropLocalAccess(tx: Tx, { id, passwordHash, isBreakGlass }: typeof staff.$inferSelect) {
  const at = (await readMemberships(tx, id)).map(({ tenant }) => tenant).toSorted();
  // An invitation that is being made at this moment is made before it is revoked.
  for (const tenant of at) await holdRoster(tx, tenant);
  const taken = await resetFactor(tx, id);
  if (!isBreakGlass) await tx.update(staff).set({ passwordHash: null }).where(eq(staff.id, id));
  const sessionsEnded = await endSessionsOf(tx, id, { reason: "linked", by: PROVIDER, at });
  const detail = { how: PROVIDER, hadPassword: passwordHash !== null, isBreakGlass, ...taken, sessionsEnded };
  const told = { actor: PROVIDER, code: "staff.link", outcome: "DONE", object: `staff:${id}`, detail } as const;
  for (const tenant of at) await record(tx, { tenant, ...told });
}

/** Links the provider's name for somebody to the person of their verified e-mail, who is made when there is none. */
async function link(tx: Tx, { claims, oidc, onLinked }: Omit<Vouched, "device">): Promise<Known | SsoRefusal> {
  const { sub, name, email = "", email_verified } = claims;
  if (email === "" || email_verified !== true) return "sso-unverified";
  const made = { id: randomUUID(), email, name: name ?? email, passwordHash: null };
  await tx.insert(staff).values(made).onConflictDoNothing();
  const [person] = await tx
    .select()
    .from(staff)
    .where(eq(sql`lower(${staff.email})`, email.toLowerCase()))
    .for("update");
  // Somebody else's first sign-in of the same person may have been quicker.
  const linked = await findLinked(tx, oidc, sub);
  if (linked !== undefined) return linked;
  // Everybody knows the password of a demo person: nobody of the company's is to become one.
  if (person === undefined || person.isDemo || (await isLinkedElsewhere(tx, oidc, person.id))) return "sso-taken";
  await tx.insert(staffIdentity).values({ issuer: oidc.issuer, subject: sub, staffId: person.id });
  if (person.id !== made.id) {
    await dropLocalAccess(tx, person);
    onLinked(person);
  }
  return { id: person.id, isOut: person.disabledAt !== null };
}

type Entered = Opened | { step: string } | SsoRefusal;

async function enter(tx: Tx, { claims, oidc, device, onLinked }: Vouched): Promise<Entered> {
  const tenants = env().tenants.map(({ clientId }) => clientId);
  const given = membershipsOf(claims, oidc, tenants);
  const linked = await findLinked(tx, oidc, claims.sub);
  // Who is granted nothing is not made a person either.
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

/**
 * Lets in whom the provider has just vouched for: their roles here are what its claim says, at every sign-in anew. A
 * session, or the step that is left, or why not. `tellLinked` tells who had a local account that it is the provider's now.
 */
export async function enterByProvider(
  vouched: Omit<Vouched, "onLinked">,
  tellLinked: (person: Person) => Promise<void>,
): Promise<Entered> {
  const linked: Person[] = [];
  const onLinked = (person: Person) => void linked.push(person);
  const entered = await (await db()).transaction((tx) => enter(tx, { ...vouched, onLinked }));
  for (const person of linked) await tellLinked(person);
  return entered;
}
