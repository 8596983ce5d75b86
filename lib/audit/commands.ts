import { z } from "zod";
import { command } from "@/lib/command";
import { CommandRefusal } from "@/lib/command-refusal";
import { auditEvent } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { noteVerified } from "./check";
import { publicKeyFrom } from "./head";
import { tenantsWithHeads } from "./heads-file";
import { abandoned } from "./open-intents";
import { record } from "./record";
import { auditHead } from "./schema";
import { FAULT_KINDS, verifyTenant } from "./verify";
import { ownTrust } from "./watch";

const Verification = z.object({
  tenant: z.string(),
  rows: z.int(),
  heads: z.int(),
  cutShort: z.int(),
  fault: z.object({ kind: z.enum(FAULT_KINDS), seq: z.int() }).nullable(),
  abandoned: z.array(z.object({ intentId: z.string(), seq: z.int(), code: z.string() })),
});
export type Verification = z.infer<typeof Verification>;

/** Every tenant that has, or should have, a record. */
async function tenantsOf(db: Db, directories: readonly string[]): Promise<string[]> {
  const kept = await db.selectDistinct({ tenant: auditEvent.tenant }).from(auditEvent);
  const heads = await db.select({ tenant: auditHead.tenant }).from(auditHead);
  const named = [...kept, ...heads].map(({ tenant }) => tenant);
  return [...new Set([...named, ...directories.flatMap(tenantsWithHeads)])].toSorted();
}

/** A folder that was named for its copies and has none would prove nothing, and look as if it did. */
function refuseEmpty(directories: readonly string[]): void {
  const empty = directories.find((directory) => tenantsWithHeads(directory).length === 0);
  if (empty !== undefined) throw new CommandRefusal(`no signed heads in ${empty}`);
}

/** Checks all of every tenant's record, and puts that on record. */
export const verifyRecord = command({
  name: "audit:verify",
  input: z.object({
    /** Where else heads are kept: copies of them on another machine. */
    directories: z.array(z.string()),
    /** In PEM: of keys that signed before the present one. */
    publicKeys: z.array(z.string()),
  }),
  output: z.array(Verification),
  async run(db, { directories, publicKeys }) {
    refuseEmpty(directories);
    const own = ownTrust();
    const trust = {
      directories: [...own.directories, ...directories],
      publicKeys: [...own.publicKeys, ...publicKeys.map(publicKeyFrom)],
    };
    const answers: Verification[] = [];
    for (const tenant of await tenantsOf(db, trust.directories)) {
      const found = await verifyTenant(db, tenant, trust);
      await noteVerified(db, found, new Date());
      const { upTo, heads, cutShort, fault, begun } = found;
      const detail = { rows: upTo.seq, heads, fault: fault?.kind ?? null, firstBad: fault?.seq ?? null };
      await record(db, { tenant, actor: "command", code: "audit.verify", outcome: "DONE", detail });
      answers.push({ tenant, rows: upTo.seq, heads, cutShort, fault, abandoned: abandoned(begun, Date.now()) });
    }
    return answers;
  },
});
