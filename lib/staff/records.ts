import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { recordAll } from "@/lib/audit/record";
import { hashPassword } from "@/lib/auth/password";
import { faultOf, PASSWORD_SENTENCES } from "@/lib/auth/password-rules";
import { staffMembership } from "@/lib/auth/schema";
import { tenantOf } from "@/lib/env";
import { staff } from "@/lib/store/schema";
import { type Db, db, type Tx } from "@/lib/store/store";
import { COMMAND } from "./roster";
import { Email, PersonName, Roles } from "./rules";
import { DEMO_PASSWORD, DEMO_PEOPLE } from "./demo";

/** A person as `npm run staff -- add` gives them: the same roles at each of the tenants. */
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

/** Who was added, and where they had not belonged before. */
export type Added = { id: string; isNew: boolean; tenants: string[] };

/** Who has this e-mail, however it is written. */
export async function findId(store: Db | Tx, email: string): Promise<string | undefined> {
  const [known] = await store
    .select({ id: staff.id })
    .from(staff)
    .where(eq(sql`lower(${staff.email})`, email.toLowerCase()));
  return known?.id;
}

/**
 * Adds a person, or lets one who is known by this e-mail into further tenants: their name and password stay then. Null
 * when they belong to all of these already; roles once given are not changed here.
 */
export async function addStaff(store: Db, person: NewStaff): Promise<Added | null> {
  const { email, name, roles, isDemo = false } = person;
  const isKnown = (await findId(store, email)) !== undefined;
  // Costs a moment on purpose, which no transaction should last.
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

/** The demo's people at each of the tenants, for the embedded service only. */
export async function addDemoStaff(tenants: string[]): Promise<void> {
  const store = await db();
  for (const { role, ...person } of DEMO_PEOPLE) {
    await addStaff(store, { ...person, roles: [role], password: DEMO_PASSWORD, tenants, isDemo: true });
  }
}
