import { eq } from "drizzle-orm";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { recordRefusedRead } from "@/lib/audit/record";
import { env, tenantOf } from "@/lib/settings/env";
import type { Environment, Tenant } from "@/lib/settings/tenants-file";
import { staff } from "@/lib/db/tables/staff";
import { db } from "@/lib/db/connection";
import { entrancePath, returnPath, secondStepWay } from "./entry";
import { type Factor, factorOf } from "./factor";
import { listPasskeys, type Passkey } from "./passkeys";
import { type Permission, permissionsOf, type Role } from "@/lib/permission/permission";
import { getAddressRefusal, getOpenSession, getSession } from "./session";
import { mustHaveSecondFactor, readMemberships, readOwnSessions, type Session, tenantsAmong } from "./sessions";
import { scopeIdOf, type OwnSession } from "./view";

export type OwnFactors = Factor & {
  passkeys: Passkey[];
  isRequired: boolean;
  hasPassword: boolean;
};

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

type TenantOption = { clientId: string; name: string; environment: Environment };

export type SessionScope = {
  id: string;
  person: { name: string; email: string; roles: Role[] };
  tenant: TenantOption;
  tenants: TenantOption[];
  permissions: Permission[];
  /** `endsInMs` from now, `idleMs` from the person's next activity. */
  session: { endsInMs: number; idleMs: number };
};

const toTenantOption = ({ clientId, name, environment }: Tenant): TenantOption => ({ clientId, name, environment });

/** Null when nobody is signed in. Read once per request. */
export const getScope = cache(async (): Promise<SessionScope | null> => {
  const session = await getSession();
  if (session === null) return null;
  const { name, email, roles, endsInMs } = session;
  const { tenants: all, sessionIdleMs: idleMs } = env();
  const tenants = all.length === 1 ? all : tenantsAmong(await readMemberships(await db(), session.staffId));
  const tenant = all.find(({ clientId }) => clientId === session.tenant) ?? all[0];
  return {
    id: scopeIdOf(session),
    person: { name, email, roles },
    tenant: toTenantOption(tenant),
    tenants: tenants.map(toTenantOption),
    permissions: permissionsOf(roles),
    session: { endsInMs, idleMs },
  };
});

/** Set by the process in front of Next, over any value from a browser. */
const ADDRESS_HEADER = "x-retaguarda-address";

const REFUSED_PATH = "/refused";

export async function redirectToSignIn(): Promise<never> {
  if ((await getAddressRefusal()) !== null) redirect(REFUSED_PATH);
  redirect(entrancePath("/sign-in", returnPath((await headers()).get(ADDRESS_HEADER))));
}

export async function listOwnSessions(): Promise<OwnSession[]> {
  const session = await getSession();
  return session === null ? [] : readOwnSessions(await db(), session);
}

export type Entrance = {
  leadsTo: string | null;
  secondStep: "code" | "passkey" | null;
  hasSingleSignOn: boolean;
};

/** Setting up a second factor needs a recent proof. */
const mayEnrol = ({ mustEnrol, isProven }: Session) => mustEnrol && isProven;

function leadsOn(session: Session | null, next: string | null): string | null {
  if (session === null) return null;
  if (!session.mustEnrol) return next ?? "/";
  return mayEnrol(session) ? entrancePath("/enrol", next) : null;
}

/** `next`: the screen to return to, from the URL. */
export async function getEntrance(next?: string | string[]): Promise<Entrance> {
  const isRefused = (await getAddressRefusal()) !== null;
  const leadsTo = isRefused ? REFUSED_PATH : leadsOn(await getOpenSession(), returnPath(next));
  return {
    leadsTo,
    secondStep: leadsTo === null ? await secondStepWay() : null,
    hasSingleSignOn: env().oidc !== null,
  };
}

export async function requireEnrolling(next?: string | string[]) {
  const session = await getOpenSession();
  const back = returnPath(next);
  if (session === null || !mayEnrol(session)) redirect(entrancePath("/sign-in", back));
  return { scope: scopeIdOf(session), email: session.email, leadsTo: back ?? "/" };
}

/** The address as the console saw it, and the company whose list lacks it; null for everybody else. */
export async function getRefusedAddress(): Promise<{ address: string | null; company: string } | null> {
  const refused = await getAddressRefusal();
  return refused === null
    ? null
    : { address: refused.address, company: tenantOf(refused.tenant)?.name ?? refused.tenant };
}

/** Audits an attempt to open a screen without permission. */
export async function noteRefusedScreen(permission: Permission): Promise<void> {
  const session = await getSession();
  if (session !== null && !permissionsOf(session.roles).includes(permission))
    await recordRefusedRead(session, permission);
}
