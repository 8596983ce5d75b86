import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { command, CommandRefusal } from "@/lib/db/command";
import { auditEvent, auditHead } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { noteVerified } from "./check";
import { publicKeyFrom, tenantsWithHeads } from "@/lib/audit/head";
import { abandoned } from "@/lib/audit/incident";
import { record } from "@/lib/audit/record";
import { UnrecordedRoles, unrecordedRoles } from "./replay";
import { FAULT_KINDS, type Verified as VerifiedTenant, verifyTenant } from "./verify";
import { ownTrust } from "./watch";

const Verification = z.object({
  tenant: z.string(),
  rows: z.int(),
  heads: z.int(),
  cutShort: z.int(),
  /** Null when every row is covered by a signed head. */
  unsigned: z.object({ rows: z.int(), since: z.iso.datetime(), isOverdue: z.boolean() }).nullable(),
  fault: z.object({ kind: z.enum(FAULT_KINDS), seq: z.int() }).nullable(),
  abandoned: z.array(z.object({ intentId: z.string(), seq: z.int(), code: z.string() })),
  unrecorded: z.array(UnrecordedRoles),
});
export type Verification = z.infer<typeof Verification>;

const Verified = z.object({
  missingTriggers: z.array(z.string()),
  tenants: z.array(Verification),
});

const TRIGGERS = ["audit_event_append_only", "audit_event_chain", "audit_head_kept"];
/** Normally a head is signed each minute. */
const OVERDUE_MS = 600_000;

const Triggers = z.object({ rows: z.array(z.object({ name: z.string() })) });

export async function missingTriggers(db: Db): Promise<string[]> {
  const found = await db.execute(sql`
    SELECT tgname AS name FROM pg_trigger
    WHERE tgrelid IN ('audit_event'::regclass, 'audit_head'::regclass) AND tgenabled IN ('O', 'A')
  `);
  const present = new Set(Triggers.parse(found).rows.map(({ name }) => name));
  return TRIGGERS.filter((name) => !present.has(name));
}

export async function unsignedRows(
  db: Db,
  { tenant, upTo, newest }: Pick<VerifiedTenant, "tenant" | "upTo" | "newest">,
): Promise<Verification["unsigned"]> {
  const signed = newest?.seq ?? 0;
  const next = and(eq(auditEvent.tenant, tenant), eq(auditEvent.seq, signed + 1));
  const [first] = signed < upTo.seq ? await db.select({ at: auditEvent.at }).from(auditEvent).where(next) : [];
  if (first === undefined) return null;
  const isOverdue = Date.now() - first.at.getTime() > OVERDUE_MS;
  return { rows: upTo.seq - signed, since: first.at.toISOString(), isOverdue };
}

export async function tenantsOf(db: Db, directories: readonly string[]): Promise<string[]> {
  const stored = await db.selectDistinct({ tenant: auditEvent.tenant }).from(auditEvent);
  const heads = await db.select({ tenant: auditHead.tenant }).from(auditHead);
  const named = [...stored, ...heads].map(({ tenant }) => tenant);
  return [...new Set([...named, ...directories.flatMap(tenantsWithHeads)])].toSorted();
}

/** An empty folder would pass without proving anything. */
function refuseEmpty(directories: readonly string[]): void {
  const empty = directories.find((directory) => tenantsWithHeads(directory).length === 0);
  if (empty !== undefined) throw new CommandRefusal(`no signed heads in ${empty}`);
}

export const verifyRecord = command({
  name: "audit:verify",
  input: z.object({
    directories: z.array(z.string()),
    /** In PEM: earlier keys. */
    publicKeys: z.array(z.string()),
  }),
  output: Verified,
  async run(db, { directories, publicKeys }) {
    refuseEmpty(directories);
    const own = ownTrust();
    const trust = {
      directories: [...own.directories, ...directories],
      publicKeys: [...own.publicKeys, ...publicKeys.map(publicKeyFrom)],
    };
    const tenants: Verification[] = [];
    for (const tenant of await tenantsOf(db, trust.directories)) {
      const found = await verifyTenant(db, tenant, trust);
      const { upTo, heads, cutShort, fault, begun } = found;
      const unsigned = await unsignedRows(db, found);
      const detail = { rows: upTo.seq, heads, fault: fault?.kind ?? null, firstBad: fault?.seq ?? null };
      await db.transaction(async (tx) => {
        await noteVerified(tx, found, new Date());
        await record(tx, { tenant, actor: "command", code: "audit.verify", outcome: "DONE", detail });
      });
      const stand = { rows: upTo.seq, heads, cutShort, unsigned, fault };
      const unrecorded = await unrecordedRoles(db, tenant);
      tenants.push({ tenant, ...stand, abandoned: abandoned(begun, Date.now()), unrecorded });
    }
    return { missingTriggers: await missingTriggers(db), tenants };
  },
});
