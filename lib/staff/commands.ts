import { eq } from "drizzle-orm";
import { z } from "zod";
import { ROLES } from "@/lib/permission/permission";
import { faultOf, hashPassword, PASSWORD_SENTENCES } from "@/lib/auth/password";
import { staffMembership } from "@/lib/db/tables/auth";
import { AppError } from "@/lib/errors/app-error";
import { command, CommandRefusal } from "@/lib/db/command";
import { tenantOf } from "@/lib/settings/env";
import type { Db } from "@/lib/db/connection";
import { addStaff, closeAccount, findId, openAccount, setBreakGlass, StaffToAdd } from "./records";
import { openToAll, readNetworks } from "@/lib/security/networks";
import { invite, linkOf } from "./invitations";
import { issuePasswordLink, passwordAddress } from "./password-links";
import { changeRoles, disablePerson, enablePerson, resetFactorOf } from "./people";
import { readStaff } from "./listing";
import { COMMAND } from "./roster";
import { Email, PersonName, Roles } from "./inputs";

const Tenant = z.string().refine((clientId) => tenantOf(clientId) !== undefined, { error: "is no tenant of ours" });
const Done = z.null();

/** Null when they belong to all of these tenants already. */
const Added = z.object({ id: z.string(), isNew: z.boolean(), tenants: z.array(z.string()) }).nullable();

export const addPerson = command({ name: "staff:add", input: StaffToAdd, output: Added, run: addStaff });

const SENTENCES: Readonly<Record<string, string>> = {
  "last-admin": "that is the last admin of a tenant: make somebody else one first",
  "no-such-person": "they do not work at that tenant; let them in with add",
  "roles-changed": "somebody changed their roles at this moment; look with list and try again",
  "already-member": "they work at that tenant already; change their roles with roles",
  "no-password": "they sign in with the company account: there is no password here",
  "person-disabled": "they are disabled; let them in again with enable",
  "already-invited": "they are invited already; renew or revoke the invitation on the screen",
};

function inEnglish(error: unknown): never {
  const sentence = error instanceof AppError ? SENTENCES[error.details.code ?? ""] : undefined;
  throw sentence === undefined ? error : new CommandRefusal(sentence);
}

async function idOf(db: Db, email: string): Promise<string> {
  const found = await findId(db, email);
  if (found === undefined) throw new CommandRefusal(`${email} has no account here`);
  return found;
}

const Listed = z.object({
  tenant: z.string(),
  name: z.string(),
  email: z.string(),
  roles: z.array(z.enum(ROLES)),
  state: z.enum(["active", "disabled", "proposed", "invited", "expired"]),
  hasSecondFactor: z.boolean().nullable(),
  isBreakGlass: z.boolean(),
  lastActiveAt: z.string().nullable(),
});

export const listPeople = command({
  name: "staff:list",
  input: z.object({ tenants: z.array(Tenant) }),
  output: z.array(Listed),
  run: async (db, { tenants }) => {
    const rows = tenants.map(async (tenant) => (await readStaff(db, tenant)).map((row) => ({ tenant, ...row })));
    return (await Promise.all(rows)).flat();
  },
});

export const setPersonRoles = command({
  name: "staff:roles",
  input: z.object({ email: Email, tenants: z.array(Tenant), roles: Roles }),
  output: Done,
  run: async (db, { email, tenants, roles }) => {
    const staffId = await idOf(db, email);
    const held = await db.select().from(staffMembership).where(eq(staffMembership.staffId, staffId));
    for (const tenant of tenants) {
      const expected = held.find((membership) => membership.tenant === tenant)?.roles ?? [];
      await changeRoles(db, { id: COMMAND, tenant }, { staffId, roles, expected }).catch(inEnglish);
    }
    return null;
  },
});

/** The networks of each tenant, empty where people may work from anywhere; `isOff` empties them first. */
export const addressesByCommand = command({
  name: "staff:addresses",
  input: z.object({ tenants: z.array(Tenant), isOff: z.boolean() }),
  output: z.array(z.object({ tenant: z.string(), networks: z.array(z.string()) })),
  run: async (db, { tenants, isOff }) => {
    const lists: { tenant: string; networks: string[] }[] = [];
    for (const tenant of tenants) {
      if (isOff) await openToAll(db, tenant);
      lists.push({ tenant, networks: await readNetworks(db, tenant) });
    }
    return lists;
  },
});

const OneAccount = z.object({ email: Email, tenant: Tenant.nullable() });

export const disableAccount = command({
  name: "staff:disable",
  input: OneAccount,
  output: Done,
  run: async (db, { email, tenant }) => {
    const staffId = await idOf(db, email);
    const done = tenant === null ? closeAccount(db, staffId) : disablePerson(db, { id: COMMAND, tenant }, staffId);
    await done.catch(inEnglish);
    return null;
  },
});

export const enableAccount = command({
  name: "staff:enable",
  input: OneAccount,
  output: Done,
  run: async (db, { email, tenant }) => {
    const staffId = await idOf(db, email);
    const done = tenant === null ? openAccount(db, staffId) : enablePerson(db, { id: COMMAND, tenant }, staffId);
    await done.catch(inEnglish);
    return null;
  },
});

export const resetSecondFactor = command({
  name: "staff:reset-mfa",
  input: z.object({ email: Email }),
  output: z.boolean(),
  run: async (db, { email }) => {
    const { staffId, tenant } = await someTenantOf(db, email);
    return resetFactorOf(db, { id: COMMAND, tenant }, staffId);
  },
});

export const setBreakGlassAccount = command({
  name: "staff:break-glass",
  input: z.object({ email: Email, password: z.string().nullable() }),
  output: Done,
  run: async (db, { email, password }) => {
    const staffId = await idOf(db, email);
    const fault = password === null ? null : faultOf(password, { email, name: "" });
    if (fault !== null) throw new CommandRefusal(PASSWORD_SENTENCES[fault]);
    // Hashing is slow, so it runs outside any transaction.
    const passwordHash = password === null ? null : await hashPassword(password);
    await setBreakGlass(db, staffId, passwordHash).catch(inEnglish);
    return null;
  },
});

/** A tenant where they may sign in, or else any they belong to. */
async function someTenantOf(db: Db, email: string): Promise<{ staffId: string; tenant: string }> {
  const staffId = await idOf(db, email);
  const held = await db.select().from(staffMembership).where(eq(staffMembership.staffId, staffId));
  const { tenant } = held.find(({ disabledAt }) => disabledAt === null) ?? held[0] ?? {};
  if (tenant === undefined) throw new CommandRefusal(`${email} works at no tenant`);
  return { staffId, tenant };
}

export const linkByCommand = command({
  name: "staff:password-link",
  input: z.object({ email: Email }),
  output: z.object({ link: z.string(), expiresAt: z.string() }),
  run: async (db, { email }) => {
    const { staffId, tenant } = await someTenantOf(db, email);
    const managed = { manager: { id: COMMAND, tenant }, staffId };
    const issued = await issuePasswordLink(db, managed, true).catch(inEnglish);
    return { link: passwordAddress(issued), expiresAt: issued.expiresAt.toISOString() };
  },
});

export const inviteByCommand = command({
  name: "staff:invite",
  input: z.object({ email: Email, name: PersonName, roles: Roles, tenant: Tenant }),
  output: z.object({ link: z.string(), expiresAt: z.string() }),
  run: async (db, { tenant, ...asked }) => {
    const invitation = await invite(db, { id: COMMAND, tenant }, asked).catch(inEnglish);
    return { link: linkOf(invitation), expiresAt: invitation.expiresAt.toISOString() };
  },
});
