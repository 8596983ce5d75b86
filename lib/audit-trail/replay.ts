import { and, desc, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import { staffMembership } from "@/lib/db/tables/auth";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import type { AuditCode } from "@/lib/audit/codes";

export const UnrecordedRoles = z.object({
  staffId: z.string(),
  recorded: z.array(z.string()),
  held: z.array(z.string()),
});
type UnrecordedRoles = z.infer<typeof UnrecordedRoles>;

const ROLE_CODES: readonly AuditCode[] = ["staff.add", "staff.accept", "staff.roles"];

const rolesIn = (list: unknown): string[] =>
  typeof list === "string" && list !== "" ? list.split(",").toSorted() : [];

/** People whose roles differ from the record, because somebody wrote to the database directly. */
export async function unrecordedRoles(db: Db, tenant: string): Promise<UnrecordedRoles[]> {
  const { object, detail, seq, code, outcome } = auditEvent;
  const given = await db
    .selectDistinctOn([object], { object, detail })
    .from(auditEvent)
    .where(and(eq(auditEvent.tenant, tenant), inArray(code, [...ROLE_CODES]), eq(outcome, "DONE")))
    .orderBy(object, desc(seq));
  const recorded = new Map(given.map((row) => [row.object, rolesIn(row.detail["after"] ?? row.detail["roles"])]));
  const members = await db.select().from(staffMembership).where(eq(staffMembership.tenant, tenant));
  const held = new Map(members.map(({ staffId, roles }) => [`staff:${staffId}`, roles.toSorted()]));
  return [...new Set([...recorded.keys(), ...held.keys()])].flatMap((name) => {
    if (name === null) return [];
    const roles = { recorded: recorded.get(name) ?? [], held: held.get(name) ?? [] };
    const isSame = roles.recorded.join() === roles.held.join();
    return isSame ? [] : [{ staffId: name.replace("staff:", ""), ...roles }];
  });
}
