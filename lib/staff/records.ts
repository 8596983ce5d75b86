import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { record } from "@/lib/audit/record";
import { ROLES } from "@/lib/auth/permission";
import { hashPassword, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "@/lib/auth/password";
import { staff } from "@/lib/store/schema";
import { type Db, db } from "@/lib/store/store";
import { DEMO_NAMES, DEMO_PASSWORD, demoEmail } from "./demo";

/** A new person as `npm run staff -- add` gives it. */
export const StaffToAdd = z.object({
  email: z.email(),
  name: z.string().trim().min(1),
  roles: z.array(z.enum(ROLES)).min(1),
  password: z.string().min(PASSWORD_MIN_LENGTH).max(PASSWORD_MAX_LENGTH),
});
type NewStaff = z.output<typeof StaffToAdd> & { isDemo?: boolean };

/** Adds a person; null when someone has this e-mail already. */
export async function addStaff(store: Db, tenant: string, person: NewStaff): Promise<{ id: string } | null> {
  const { email, name, roles, isDemo = false } = person;
  const passwordHash = await hashPassword(person.password);
  return store.transaction(async (tx) => {
    const [taken] = await tx
      .select({ id: staff.id })
      .from(staff)
      .where(eq(sql`lower(${staff.email})`, email.toLowerCase()));
    if (taken !== undefined) return null;
    const id = randomUUID();
    await tx.insert(staff).values({ id, email, name, passwordHash, roles: [...roles], isDemo });
    const object = `staff:${id}`;
    const detail = { roles: roles.join(",") };
    await record(tx, { tenant, actor: "command", code: "staff.add", outcome: "DONE", object, detail });
    return { id };
  });
}

/** One person per role, for the demo of the embedded service only. */
export async function addDemoStaff(tenant: string): Promise<void> {
  const store = await db();
  const [anyone] = await store.select({ id: staff.id }).from(staff).where(eq(staff.isDemo, true)).limit(1);
  if (anyone !== undefined) return;
  for (const role of ROLES) {
    const person = { email: demoEmail(role), name: DEMO_NAMES[role], roles: [role], password: DEMO_PASSWORD };
    await addStaff(store, tenant, { ...person, isDemo: true });
  }
}
