import { randomUUID } from "node:crypto";
import { eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { emailSpellings } from "@/lib/text/email-address";
import { recordAll } from "@/lib/audit/record";
import { faultOf, hashPassword, PASSWORD_SENTENCES } from "@/lib/auth/password";
import { closePasswordLinks } from "@/lib/auth/sign-in";
import { type Role, ROLES } from "@/lib/permission/permission";
import { holdRoster, revokeInvitationsBy } from "@/lib/auth/roster";
import { staffIdentity, staffMembership } from "@/lib/db/tables/auth";
import { endSessionsOf } from "@/lib/auth/sessions";
import { AppError } from "@/lib/errors/app-error";
import { publish } from "@/lib/db/publish";
import { tenantOf } from "@/lib/settings/env";
import { staff } from "@/lib/db/tables/staff";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { COMMAND, requireAnotherAdmin } from "./roster";
import { Email, PersonName, Roles } from "./inputs";

/** In one order, so that two who lock several rosters cannot deadlock. */
async function tenantsOf(tx: Tx, staffId: string): Promise<string[]> {
  const held = await tx.select().from(staffMembership).where(eq(staffMembership.staffId, staffId));
  return held.map(({ tenant }) => tenant).toSorted();
}

type AccountChange = { staffId: string; tenants: string[]; code: "staff.disable" | "staff.enable"; after: string };

async function announce(tx: Tx, { staffId, tenants, code, after }: AccountChange): Promise<void> {
  for (const tenant of tenants) await publish(tx, { tenant, topic: "staff", object: staffId });
  const what = { actor: COMMAND, code, outcome: "DONE", object: `staff:${staffId}` } as const;
  await recordAll(
    tx,
    tenants.map((tenant) => ({ tenant, ...what, detail: { after, everywhere: true } })),
  );
}

/** Only by command. Throws `AppError` for the last admin of any tenant. */
export function closeAccount(store: Db, staffId: string): Promise<void> {
  return store.transaction(async (tx) => {
    const tenants = await tenantsOf(tx, staffId);
    for (const tenant of tenants) requireAnotherAdmin(await holdRoster(tx, tenant), staffId);
    await tx
      .update(staff)
      .set({ disabledAt: sql`clock_timestamp()` })
      .where(eq(staff.id, staffId));
    await revokeInvitationsBy(tx, { staffId, at: null });
    await endSessionsOf(tx, staffId, { reason: "disabled", by: COMMAND, at: tenants });
    await announce(tx, { staffId, tenants, code: "staff.disable", after: "disabled" });
  });
}

export function openAccount(store: Db, staffId: string): Promise<void> {
  return store.transaction(async (tx) => {
    const tenants = await tenantsOf(tx, staffId);
    await tx.update(staff).set({ disabledAt: null }).where(eq(staff.id, staffId));
    await tx.update(staffMembership).set({ disabledAt: null }).where(eq(staffMembership.staffId, staffId));
    await announce(tx, { staffId, tenants, code: "staff.enable", after: "active" });
  });
}

/** Only by command, audited at every tenant; null removes it. */
export function setBreakGlass(store: Db, staffId: string, passwordHash: string | null): Promise<void> {
  return store.transaction(async (tx) => {
    const tenants = await tenantsOf(tx, staffId);
    const [person] = await tx.select().from(staff).where(eq(staff.id, staffId)).for("update");
    if (person === undefined) throw new AppError("not-found", { code: "no-such-person" });
    const linked = await tx.select().from(staffIdentity).where(eq(staffIdentity.staffId, staffId)).limit(1);
    const isBreakGlass = passwordHash !== null;
    // A person with no other way in keeps the password.
    const stored = passwordHash ?? (linked.length === 0 ? person.passwordHash : null);
    await tx.update(staff).set({ isBreakGlass, passwordHash: stored }).where(eq(staff.id, staffId));
    await closePasswordLinks(tx, staffId);
    const sessionsEnded = await endSessionsOf(tx, staffId, { reason: "password-changed", by: COMMAND, at: tenants });
    for (const tenant of tenants) await publish(tx, { tenant, topic: "staff", object: staffId });
    const detail = { before: person.isBreakGlass, after: isBreakGlass, sessionsEnded };
    const change = {
      actor: COMMAND,
      code: "staff.break-glass",
      outcome: "DONE",
      object: `staff:${staffId}`,
      detail,
    } as const;
    await recordAll(
      tx,
      tenants.map((tenant) => ({ tenant, ...change })),
    );
  });
}

/** Public on purpose: these people are refused at any provider but the embedded service. */
export const DEMO_PASSWORD = "retaguarda-demo";

export const DEMO_NAMES: Readonly<Record<Role, string>> = {
  support: "Beatriz Nogueira",
  compliance: "Rafael Tavares",
  finance: "Helena Prado",
  approver: "Marcos Azevedo",
  auditor: "Lívia Sampaio",
  admin: "Otávio Brandão",
};

export function demoEmail(role: Role): string {
  return `${role}@retaguarda.demo`;
}

/** Without this person the first one could appoint no approver. */
export const DEMO_SECOND_ADMIN = { email: "admin2@retaguarda.demo", name: "Camila Duarte", role: "admin" } as const;

export const DEMO_PEOPLE: readonly { email: string; name: string; role: Role }[] = [
  ...ROLES.map((role) => ({ role, email: demoEmail(role), name: DEMO_NAMES[role] })),
  DEMO_SECOND_ADMIN,
];

export const StaffToAdd = z
  .object({
    email: Email,
    name: PersonName,
    roles: Roles,
    password: z.string(),
    tenants: z.array(z.string().refine((clientId) => tenantOf(clientId) !== undefined)).min(1),
  })
  .superRefine(({ password, ...owner }, context) => {
    const fault = faultOf(password, owner);
    if (fault !== null) context.addIssue({ code: "custom", path: ["password"], message: PASSWORD_SENTENCES[fault] });
  });
type NewStaff = z.output<typeof StaffToAdd> & { isDemo?: boolean };

export type Added = { id: string; isNew: boolean; tenants: string[] };

export async function findId(store: Db | Tx, email: string): Promise<string | undefined> {
  const [known] = await store
    .select({ id: staff.id })
    .from(staff)
    .where(inArray(sql`lower(${staff.email})`, emailSpellings(email)));
  return known?.id;
}

/** A known person keeps name, password and roles. Null when they belong to all of these tenants. */
export async function addStaff(store: Db, person: NewStaff): Promise<Added | null> {
  const { email, name, roles, isDemo = false } = person;
  const isKnown = (await findId(store, email)) !== undefined;
  // Hashing is slow, so it runs outside any transaction.
  const passwordHash = isKnown ? null : await hashPassword(person.password);
  return store.transaction(async (tx) => {
    const made = { id: randomUUID(), email, name, isDemo };
    const inserted =
      passwordHash === null
        ? []
        : await tx
            .insert(staff)
            .values({ ...made, passwordHash })
            .onConflictDoNothing()
            .returning({ id: staff.id });
    const id = inserted[0]?.id ?? (await findId(tx, email));
    if (id === undefined) throw new Error("a person was deleted while being added");
    const memberships = person.tenants.map((tenant) => ({ staffId: id, tenant, roles }));
    const joined = await tx
      .insert(staffMembership)
      .values(memberships)
      .onConflictDoNothing()
      .returning({ tenant: staffMembership.tenant });
    const added = { actor: COMMAND, code: "staff.add", outcome: "DONE", object: `staff:${id}` } as const;
    const detail = { roles: roles.join(",") };
    await recordAll(
      tx,
      joined.map(({ tenant }) => ({ tenant, ...added, detail })),
    );
    const tenants = joined.map(({ tenant }) => tenant);
    return tenants.length === 0 ? null : { id, isNew: inserted.length > 0, tenants };
  });
}

export async function addDemoStaff(tenants: string[]): Promise<void> {
  const store = await db();
  for (const { role, ...person } of DEMO_PEOPLE) {
    await addStaff(store, { ...person, roles: [role], password: DEMO_PASSWORD, tenants, isDemo: true });
  }
}
