import { sql } from "drizzle-orm";
import { type Permission, rolesWith } from "@/lib/permission/permission";
import { documentsWithin } from "@/lib/contract/document";
import { log } from "@/lib/log/log";
import { auditEvent, type AuditOutcome } from "@/lib/db/tables/audit";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { type AuditCode, refusalCode } from "./codes";

type Detail = Record<string, string | number | boolean | null>;

export type AuditEntry = {
  tenant: string;
  /** Staff id, `command`, or `watch:<name>`. */
  actor: string;
  code: AuditCode;
  outcome: AuditOutcome;
  /** The act's object, as `kind:id`. */
  object?: string;
  intentId?: string;
  /** Never personal data in clear, never a secret. */
  detail?: Detail;
};

const EMAIL = /[^\s@]@[^\s@]+\.[^\s@]/;

const isPersonal = (text: string) => EMAIL.test(text) || documentsWithin(text).length > 0;

export const WITHHELD = "(withheld)";

/** Withholds and logs what looks personal: throwing here would undo the write, or lose the end of a sent one. */
function fit(code: AuditCode, detail: Detail): Detail {
  const entries = Object.entries(detail).map(([name, value]) => {
    if (typeof value !== "string" || !isPersonal(value)) return [name, value] as const;
    log.error({ code, name }, "personal data kept out of the audit record");
    return [name, WITHHELD] as const;
  });
  return Object.fromEntries(entries);
}

const rowOf = ({ detail = {}, ...entry }: AuditEntry) => ({ ...entry, detail: fit(entry.code, detail) });

/** Append last in the write's own transaction, as it locks the tenant's record until then. Never in a loop. */
export async function record(tx: Db | Tx, entry: AuditEntry): Promise<void> {
  await tx.insert(auditEvent).values(rowOf(entry));
}

/** Always in one order, so that two writers cannot deadlock. */
export async function holdHeads(tx: Tx, tenants: readonly string[]): Promise<void> {
  // Through a function of the record's owner, as locking a row needs the right to change it.
  await tx.execute(
    sql`select audit_hold(array[${sql.join(
      tenants.map((tenant) => sql`${tenant}`),
      sql`, `,
    )}]::text[])`,
  );
}

/** One insert in this order, sorted by tenant so that two writers cannot deadlock. Last, like `record`. */
export async function recordAll(tx: Db | Tx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const inOrder = entries.toSorted((one, other) =>
    one.tenant < other.tenant ? -1 : Number(one.tenant > other.tenant),
  );
  await tx.insert(auditEvent).values(inOrder.map(rowOf));
}

type Who = { tenant: string; staffId: string };

const GATHERED_MS = 60_000;

type RefusedRead = { entry: AuditEntry; times: number };

declare global {
  var retaguardaRefusedReads: Map<string, RefusedRead> | undefined;
}

const refusedReads = () => (globalThis.retaguardaRefusedReads ??= new Map<string, RefusedRead>());

async function recordGathered(keys: readonly string[]): Promise<void> {
  const refused = refusedReads();
  const ended = keys.flatMap((key) => refused.get(key) ?? []);
  for (const key of keys) refused.delete(key);
  const repeated = ended.filter(({ times }) => times > 0);
  await recordAll(
    await db(),
    repeated.map(({ entry, times }) => ({ ...entry, detail: { ...entry.detail, times } })),
  );
}

/** At once; further refusals of the same person within a minute become one more row with their number. */
export async function recordRefusedRead({ tenant, staffId: actor }: Who, permission: Permission): Promise<void> {
  const refused = refusedReads();
  const key = JSON.stringify([tenant, actor, permission]);
  const before = refused.get(key);
  if (before !== undefined) {
    before.times += 1;
    return;
  }
  const detail = { needs: rolesWith(permission).join(","), how: "read" };
  const entry = { tenant, actor, code: refusalCode(permission), outcome: "REFUSED", detail } as const;
  refused.set(key, { entry, times: 0 });
  const fail = (err: unknown) => log.error({ tenant, actor, err }, "refused reads could not be put on record");
  setTimeout(() => void recordGathered([key]).catch(fail), GATHERED_MS).unref();
  await record(await db(), entry);
}

/** Before the process ends: what has not waited out its minute. */
export const endRefusedReads = (): Promise<void> => recordGathered([...refusedReads().keys()]);
