import { sql } from "drizzle-orm";
import { type Permission, rolesWith } from "@/lib/auth/permission";
import { isCnpj, isCpf } from "@/lib/contract/document";
import { log } from "@/lib/process/log";
import { auditEvent, type AuditOutcome } from "@/lib/store/schema";
import { type Db, db, type Tx } from "@/lib/store/store";
import { type AuditCode, refusalCode } from "./codes";

type Detail = Record<string, string | number | boolean | null>;

type AuditEntry = {
  tenant: string;
  /** Staff id, `command`, or `watch:<name>`. */
  actor: string;
  code: AuditCode;
  outcome: AuditOutcome;
  /** `kind:id`: what it was done to. */
  object?: string;
  intentId?: string;
  /** Ids, numbers, codes and hashes; never personal data in clear, never a secret. */
  detail?: Detail;
};

const EMAIL = /[^\s@]@[^\s@]+\.[^\s@]/;
const POINTED =
  /(?<![\dA-Z])(\d{3}\.\d{3}\.\d{3}-\d{2}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2})(?![\dA-Z])/i;

function isPersonal(text: string): boolean {
  const words = text.toUpperCase().split(/[^\dA-Z]+/);
  return EMAIL.test(text) || POINTED.test(text) || words.some((word) => isCpf(word) || isCnpj(word));
}

/** What stands in the record for a value that had no business there. */
export const WITHHELD = "(withheld)";

/**
 * The value, if it may be on record. One that looks like a person's is withheld and the log says so: to throw here would
 * undo the write that it tells of, or leave the end of one that was sent unknown.
 */
function fit(code: AuditCode, detail: Detail): Detail {
  const entries = Object.entries(detail).map(([name, value]) => {
    if (typeof value !== "string" || !isPersonal(value)) return [name, value] as const;
    log.error({ code, name }, "personal data kept out of the audit record");
    return [name, WITHHELD] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * Appends to the record; called with the transaction of the write it tells of, so that neither stands without the other. It
 * holds the end of the tenant's record until that transaction ends: so it comes last in it.
 */
export async function record(tx: Db | Tx, entry: AuditEntry): Promise<void> {
  await tx.insert(auditEvent).values({
    tenant: entry.tenant,
    actor: entry.actor,
    code: entry.code,
    outcome: entry.outcome,
    object: entry.object ?? null,
    intentId: entry.intentId ?? null,
    detail: fit(entry.code, entry.detail ?? {}),
  });
}

/**
 * Takes the ends of these tenants' records, in the order in which everybody takes several: of two who then write to the same
 * ones, neither waits for somebody who waits for them.
 */
export async function holdHeads(tx: Tx, tenants: readonly string[]): Promise<void> {
  // By a function of the record's owner: to lock a row takes the right to change it, which nobody here needs to have.
  await tx.execute(
    sql`select audit_hold(array[${sql.join(
      tenants.map((tenant) => sql`${tenant}`),
      sql`, `,
    )}]::text[])`,
  );
}

/** Appends to the records of several tenants, always in the same order of tenants: two who do so never wait for each other. */
export async function recordAll(tx: Tx, entries: readonly AuditEntry[]): Promise<void> {
  const inOrder = entries.toSorted((one, other) =>
    one.tenant < other.tenant ? -1 : Number(one.tenant > other.tenant),
  );
  for (const entry of inOrder) await record(tx, entry);
}

type Who = { tenant: string; staffId: string };

/** Puts on record that somebody tried to read what their roles do not grant. */
export async function recordRefusedRead({ tenant, staffId: actor }: Who, permission: Permission): Promise<void> {
  const detail = { needs: rolesWith(permission).join(","), how: "read" };
  await record(await db(), { tenant, actor, code: refusalCode(permission), outcome: "REFUSED", detail });
}
