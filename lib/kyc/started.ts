import { and, asc, eq } from "drizzle-orm";
import { z } from "zod";
import type { PersonKyc, QsaMember } from "@/lib/contract/kyc";
import type { SealedPlace } from "@/lib/store/sealed-columns";
import { lookupHash, lookupHashes, seal, shownSealed, unseal } from "@/lib/store/seal";
import { staff } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";
import { isUnopened } from "@/lib/unopened";
import { kycStart, kycStartMember } from "./schema";

/** Whoever a case is about, as the form said; a company has neither birth date nor mother. `birthDate` is DD-MM-YYYY. */
export type Subject = { vatNumber: string; name: string; birthDate: string | null; motherName: string | null };
export type Member = Subject & { ownerType: QsaMember["ownerType"] };

/** What our own people told the provider when they started a case. In clear: it never leaves the server as it is. */
export type StartedCase = {
  intentId: string;
  kycType: "PF" | "PJ";
  model: PersonKyc["backgroundcheckModel"];
  documentscopy: boolean;
  /** The same document had been started before, and whoever started it knew. */
  isRepeat: boolean;
  startedBy: { id: string; name: string };
  startedAt: Date;
  subject: Subject;
  /** By which the like of its document is found. */
  hashes: string[];
  /** Of a company, in the order they were given. */
  members: readonly Member[];
};

const Kept = z.object({ name: z.string(), birthDate: z.string().nullable(), motherName: z.string().nullable() });

type Holder = { table: "kyc_start" | "kyc_start_member"; row: readonly string[] };
type SealedSubject = { documentHash: string; documentSealed: string; subjectSealed: string };

const placeOf = ({ table, row }: Holder, column: "document_sealed" | "subject_sealed"): SealedPlace => ({
  column: `${table}.${column}`,
  row,
});

/** A subject as the row of this name is to keep it. */
export function sealSubject(holder: Holder, { vatNumber, ...rest }: Subject): SealedSubject {
  return {
    documentHash: lookupHash(vatNumber),
    documentSealed: seal(vatNumber, placeOf(holder, "document_sealed")),
    subjectSealed: seal(JSON.stringify(Kept.parse(rest)), placeOf(holder, "subject_sealed")),
  };
}

/** The subject that the row of this name keeps, in clear. */
export function unsealSubject(holder: Holder, kept: Omit<SealedSubject, "documentHash">, open = unseal): Subject {
  const vatNumber = open(kept.documentSealed, placeOf(holder, "document_sealed"));
  const rest = open(kept.subjectSealed, placeOf(holder, "subject_sealed"));
  if (isUnopened(rest)) return { vatNumber, name: rest, birthDate: null, motherName: null };
  return { vatNumber, ...Kept.parse(JSON.parse(rest)) };
}

/** How a case of the tenant was started here; null for one that was started elsewhere. */
export const startOf = (store: Db | Tx, tenant: string, kycUUID: string): Promise<StartedCase | null> =>
  readStart(store, { tenant, kycUUID }, unseal);

/** The same for a screen: in the place of what does not open stands that. */
export const shownStartOf = (store: Db | Tx, tenant: string, kycUUID: string): Promise<StartedCase | null> =>
  readStart(store, { tenant, kycUUID }, shownSealed);

type Named = { tenant: string; kycUUID: string };

async function readStart(store: Db | Tx, { tenant, kycUUID }: Named, open: typeof unseal): Promise<StartedCase | null> {
  const [found] = await store
    .select({ start: kycStart, byName: staff.name })
    .from(kycStart)
    .innerJoin(staff, eq(staff.id, kycStart.staffId))
    .where(and(eq(kycStart.tenant, tenant), eq(kycStart.kycUUID, kycUUID)));
  if (found === undefined) return null;
  const { intentId, kycType, model, documentscopy, isRepeat, staffId, createdAt } = found.start;
  const subject = unsealSubject({ table: "kyc_start", row: [tenant, intentId] }, found.start, open);
  const members = await store
    .select()
    .from(kycStartMember)
    .where(and(eq(kycStartMember.tenant, tenant), eq(kycStartMember.intentId, intentId)))
    .orderBy(asc(kycStartMember.position));
  return {
    intentId,
    kycType,
    model,
    documentscopy,
    isRepeat,
    startedBy: { id: staffId, name: found.byName },
    startedAt: createdAt,
    subject,
    hashes: isUnopened(subject.vatNumber) ? [found.start.documentHash] : lookupHashes(subject.vatNumber),
    members: members.map((member) => ({
      ownerType: member.ownerType,
      ...unsealSubject({ table: "kyc_start_member", row: [tenant, intentId, String(member.position)] }, member, open),
    })),
  };
}
