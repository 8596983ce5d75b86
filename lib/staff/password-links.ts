import { eq } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import { isEnrolled } from "@/lib/auth/factor";
import { closePasswordLinks, makePasswordLink, type MadeLink } from "@/lib/auth/password-link";
import { mustHaveSecondFactor } from "@/lib/auth/requirement";
import { BankError } from "@/lib/bank/error";
import { publish } from "@/lib/live/publish";
import { staff } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";
import { COMMAND, type Manager, tenantsBeyond, withMember } from "./roster";
import type { StaffDenial } from "./rules";

type Told = { manager: Manager; staffId: string };

/** Somebody who must have a second factor and has none would be let in by the link alone, to set one up. */
async function wouldSuffice(store: Db | Tx, { manager, staffId }: Told): Promise<boolean> {
  if (manager.id === COMMAND || (await isEnrolled(store, staffId))) return false;
  return mustHaveSecondFactor(store, staffId);
}

/**
 * Why the manager may issue no link for a person of their tenant's; null when they may. `isShown`: they will see it
 * themselves, since no mail server is there to take it to its person alone.
 */
export async function linkDenialOf(store: Db | Tx, told: Told, isShown: boolean): Promise<StaffDenial | null> {
  const [person] = await store.select().from(staff).where(eq(staff.id, told.staffId));
  if (typeof person?.passwordHash !== "string") return "no-password";
  if (person.isBreakGlass && told.manager.id !== COMMAND) return "break-glass";
  if ((await tenantsBeyond(store, told.manager, told.staffId)).length > 0) return "works-elsewhere";
  return isShown && (await wouldSuffice(store, told)) ? "link-alone" : null;
}

export type IssuedLink = MadeLink & { staffId: string; name: string; email: string };

/**
 * Makes a link by which a person sets a new password, good once for an hour, in the place of all before it. Throws
 * `BankError`: forbidden with a `StaffDenial`, conflict `person-disabled`.
 */
export function issuePasswordLink(store: Db, told: Told, isShown: boolean): Promise<IssuedLink> {
  const { manager, staffId } = told;
  return withMember(store, told, async (tx, member) => {
    if (!member.isActive) throw new BankError("conflict", { code: "person-disabled" });
    const denial = await linkDenialOf(tx, told, isShown);
    if (denial !== null) throw new BankError("forbidden", { code: denial });
    const [person] = await tx.select({ name: staff.name, email: staff.email }).from(staff).where(eq(staff.id, staffId));
    if (person === undefined) throw new BankError("not-found", { code: "no-such-person" });
    await closePasswordLinks(tx, staffId);
    const made = await makePasswordLink(tx, { staffId, tenant: manager.tenant, issuedBy: manager.id });
    await publish(tx, { tenant: manager.tenant, topic: "staff", object: staffId });
    const entry = { tenant: manager.tenant, actor: manager.id, object: `staff:${staffId}`, detail: { isShown } };
    await record(tx, { ...entry, code: "staff.password-link", outcome: "DONE" });
    return { ...made, staffId, ...person };
  });
}
