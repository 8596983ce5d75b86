import { eq } from "drizzle-orm";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { recordRefusedRead } from "@/lib/audit/record";
import { env } from "@/lib/settings/env";
import type { Environment, Tenant } from "@/lib/settings/tenants-file";
import { staff } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import { entrancePath, returnPath, secondStepWay } from "./entry";
import { type Factor, factorOf } from "./factor";
import { listPasskeys, type Passkey } from "./passkeys";
import { type Permission, permissionsOf, type Role } from "./permission";
import { getOpenSession, getSession } from "./session";
import { mustHaveSecondFactor, readMemberships, readOwnSessions, type Session, tenantsAmong } from "./sessions";
import { deskIdOf, type OwnSession } from "./view";

export type OwnFactors = Factor & {
  passkeys: Passkey[];
  /** One of their roles asks for a second factor: it cannot be taken away. */
  isRequired: boolean;
  /** They sign in elsewhere and have no password here. */
  hasPassword: boolean;
};

/** By what the signed-in person gets in; null when nobody is. */
export async function getOwnFactors(): Promise<OwnFactors | null> {
  const session = await getSession();
  if (session === null) return null;
  const store = await db();
  const { staffId } = session;
  const [person] = await store.select({ passwordHash: staff.passwordHash }).from(staff).where(eq(staff.id, staffId));
  return {
    ...(await factorOf(store, staffId)),
    passkeys: await listPasskeys(store, staffId),
    isRequired: await mustHaveSecondFactor(store, staffId),
    hasPassword: typeof person?.passwordHash === "string",
  };
}

type Place = { clientId: string; name: string; environment: Environment };

/** What the shell always shows: who is here, for which tenant, and what they may do. */
export type Desk = {
  id: string;
  person: { name: string; email: string; roles: Role[] };
  tenant: Place;
  /** Where this person may work, the current one among them. */
  tenants: Place[];
  permissions: Permission[];
  /** How long the session lasts without a sign of its person, in milliseconds: still, and from such a sign on. */
  session: { endsInMs: number; idleMs: number };
};

const toPlace = ({ clientId, name, environment }: Tenant): Place => ({ clientId, name, environment });

/** The desk of the signed-in person; null when nobody is. Read once for each request. */
export const getDesk = cache(async (): Promise<Desk | null> => {
  const session = await getSession();
  if (session === null) return null;
  const { name, email, roles, endsInMs } = session;
  const { tenants: all, sessionIdleMs: idleMs } = env();
  // With one tenant there is nothing to choose, and nothing to ask.
  const tenants = all.length === 1 ? all : tenantsAmong(await readMemberships(await db(), session.staffId));
  const tenant = all.find(({ clientId }) => clientId === session.tenant) ?? all[0];
  return {
    id: deskIdOf(session),
    person: { name, email, roles },
    tenant: toPlace(tenant),
    tenants: tenants.map(toPlace),
    permissions: permissionsOf(roles),
    session: { endsInMs, idleMs },
  };
});

/** Set by the process in front of Next, over whatever a browser sent under this name. */
const ADDRESS_HEADER = "x-retaguarda-address";

/** To the sign-in screen, from which somebody comes back to what they asked for. */
export async function redirectToSignIn(): Promise<never> {
  redirect(entrancePath("/sign-in", returnPath((await headers()).get(ADDRESS_HEADER))));
}

/** The living sessions of whoever is signed in, this one first. */
export async function listOwnSessions(): Promise<OwnSession[]> {
  const session = await getSession();
  return session === null ? [] : readOwnSessions(await db(), session);
}

/** How far somebody is who is not at their desk yet. */
export type Entrance = {
  /** Where they belong instead of the sign-in screen; null when nowhere else. */
  leadsTo: string | null;
  /** What is left for who is half way in; null for who is not. */
  secondStep: "code" | "passkey" | null;
  hasSingleSignOn: boolean;
};

/** Setting a second factor up asks for a recent proof: who lingered before it signs in again. */
const mayEnrol = ({ mustEnrol, isProven }: Session) => mustEnrol && isProven;

function leadsOn(session: Session | null, next: string | null): string | null {
  if (session === null) return null;
  if (!session.mustEnrol) return next ?? "/";
  return mayEnrol(session) ? entrancePath("/enrol", next) : null;
}

/** `next` is the screen to come back to, as the address says. */
export async function getEntrance(next?: string | string[]): Promise<Entrance> {
  const leadsTo = leadsOn(await getOpenSession(), returnPath(next));
  return {
    leadsTo,
    secondStep: leadsTo === null ? await secondStepWay() : null,
    hasSingleSignOn: env().oidc !== null,
  };
}

/** Who must set a second factor up before anything else, and the screen they go on to; everybody else to the sign-in. */
export async function requireEnrolling(next?: string | string[]) {
  const [session, back] = [await getOpenSession(), returnPath(next)];
  if (session === null || !mayEnrol(session)) redirect(entrancePath("/sign-in", back));
  return { desk: deskIdOf(session), email: session.email, leadsTo: back ?? "/" };
}

/** Puts on record that whoever is signed in opened a screen that needs a permission they lack. */
export async function noteRefusedScreen(permission: Permission): Promise<void> {
  const session = await getSession();
  if (session !== null && !permissionsOf(session.roles).includes(permission))
    await recordRefusedRead(session, permission);
}
