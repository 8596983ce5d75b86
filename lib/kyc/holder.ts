import { and, eq } from "drizzle-orm";
import { AppError } from "@/lib/errors/app-error";
import type { Holder } from "@/lib/errors/result";
import { staff } from "@/lib/db/tables/staff";
import { kycCase } from "@/lib/db/tables/kyc";
import type { Db, Tx } from "@/lib/db/connection";

export type CaseKey = { tenant: string; kycUUID: string };

export const whereCase = ({ tenant, kycUUID }: CaseKey) =>
  and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID));

function withHolder(store: Db | Tx, key: CaseKey) {
  const { assigneeId: id, assignedAt, status } = kycCase;
  return store
    .select({ id, name: staff.name, assignedAt, status })
    .from(kycCase)
    .leftJoin(staff, eq(staff.id, id))
    .where(whereCase(key));
}

type HolderRow = Awaited<ReturnType<typeof withHolder>>[number];

const holderIn = ({ id, name, assignedAt }: HolderRow): Holder | null =>
  id === null ? null : { id, name: name ?? "", since: (assignedAt ?? new Date(0)).toISOString() };

export async function readHolder(store: Db | Tx, key: CaseKey): Promise<Holder | null> {
  const [found] = await withHolder(store, key);
  return found === undefined ? null : holderIn(found);
}

/** Locks the case until the transaction ends. Throws `AppError` not-found. */
export async function holdCase(tx: Tx, key: CaseKey): Promise<Holder | null> {
  const [found] = await withHolder(tx, key).for("update", { of: kycCase });
  if (found === undefined) throw new AppError("not-found", { code: "kyc-case" });
  return holderIn(found);
}

/** Throws conflict `case-not-yours`, with the assignee and since when. */
export async function requireOwnCase(tx: Tx, key: CaseKey, staffId: string): Promise<void> {
  const holder = await holdCase(tx, key);
  if (holder?.id !== staffId) throw new AppError("conflict", { code: "case-not-yours", holder });
}
