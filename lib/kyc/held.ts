import { and, eq } from "drizzle-orm";
import { BankError } from "@/lib/bank/error";
import type { Holder } from "@/lib/result";
import { kycCase, staff } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";

export type CasePlace = { tenant: string; kycUUID: string };

export const caseAt = ({ tenant, kycUUID }: CasePlace) => and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID));

function withHolder(store: Db | Tx, place: CasePlace) {
  const { assigneeId: id, assignedAt, status } = kycCase;
  return store
    .select({ id, name: staff.name, assignedAt, status })
    .from(kycCase)
    .leftJoin(staff, eq(staff.id, id))
    .where(caseAt(place));
}

type Found = Awaited<ReturnType<typeof withHolder>>[number];

const holderIn = ({ id, name, assignedAt }: Found): Holder | null =>
  id === null ? null : { id, name: name ?? "", since: (assignedAt ?? new Date(0)).toISOString() };

/** Whose the case is now; null: nobody's, or there is none. */
export async function readHolder(store: Db | Tx, place: CasePlace): Promise<Holder | null> {
  const [found] = await withHolder(store, place);
  return found === undefined ? null : holderIn(found);
}

/** Whose the case is, which nobody changes until the transaction ends. Throws `BankError` not-found. */
export async function holdCase(tx: Tx, place: CasePlace): Promise<Holder | null> {
  const [found] = await withHolder(tx, place).for("update", { of: kycCase });
  if (found === undefined) throw new BankError("not-found", { code: "kyc-case" });
  return holderIn(found);
}

/** Nobody decides a case that is not theirs. Throws conflict `case-not-yours`, which tells whose it is and since when. */
export async function requireOwnCase(tx: Tx, place: CasePlace, staffId: string): Promise<void> {
  const holder = await holdCase(tx, place);
  if (holder?.id !== staffId) throw new BankError("conflict", { code: "case-not-yours", holder });
}
