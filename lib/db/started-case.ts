import { and, asc, eq } from "drizzle-orm";
import { cache } from "react";
import { z } from "zod";
import { maskDocument } from "@/lib/contract/document";
import { withoutSeparators } from "@/lib/contract/fold";
import type { PersonKyc, QsaMember } from "@/lib/contract/kyc";
import { staff } from "@/lib/db/tables/staff";
import { lookupHash, lookupHashes, seal, shownSealed, unseal } from "./seal";
import type { SealedTarget } from "./sealed-columns";
import type { Db, Tx } from "./connection";
import { maskName } from "@/lib/text/masks";
import { isUnopened } from "@/lib/text/provider-word";
import { kycStart, kycStartMember } from "@/lib/db/tables/kyc";

const bare = (text: string) => withoutSeparators(text).toUpperCase();

export function fitsMask(document: string, masked: string): boolean {
  const shown = bare(masked);
  if (shown.length !== document.length || !/[0-9]/.test(shown)) return false;
  // An X may be a mask, or a CNPJ's own letter.
  return Array.from(shown).every((character, index) => !/[0-9A-WYZ]/.test(character) || character === document[index]);
}

export type SubjectView = {
  /** Masked. */
  document: string;
  name: string;
  /** The year, and the mother's initials; null for a company. */
  birthYear: string | null;
  motherName: string | null;
};
type MemberView = SubjectView & { ownerType: Member["ownerType"] };

export type StartView = Pick<StartedCase, "model" | "documentscopy" | "isRepeat"> & {
  byName: string;
  at: string;
  subject: SubjectView;
  members: MemberView[];
};

const viewOf = ({ vatNumber, name, birthDate, motherName }: StartedSubject): SubjectView => ({
  document: isUnopened(vatNumber) ? vatNumber : maskDocument(vatNumber),
  name: maskName(name),
  birthYear: birthDate?.slice(-4) ?? null,
  motherName: motherName === null ? null : maskName(motherName),
});

export function startView(start: StartedCase): StartView {
  const { model, documentscopy, isRepeat, startedBy, startedAt, subject, members } = start;
  return {
    model,
    documentscopy,
    isRepeat,
    byName: startedBy.name,
    at: startedAt.toISOString(),
    subject: viewOf(subject),
    members: members.map(({ ownerType, ...member }) => ({ ownerType, ...viewOf(member) })),
  };
}

/** A company has neither birth date nor mother. `birthDate` is DD-MM-YYYY. */
export type StartedSubject = { vatNumber: string; name: string; birthDate: string | null; motherName: string | null };
type Member = StartedSubject & { ownerType: QsaMember["ownerType"] };

/** In clear: it never leaves the server. */
export type StartedCase = {
  intentId: string;
  kycType: "PF" | "PJ";
  model: PersonKyc["backgroundcheckModel"];
  documentscopy: boolean;
  isRepeat: boolean;
  startedBy: { id: string; name: string };
  startedAt: Date;
  subject: StartedSubject;
  hashes: string[];
  members: readonly Member[];
};

const SubjectFields = z.object({
  name: z.string(),
  birthDate: z.string().nullable(),
  motherName: z.string().nullable(),
});

type Holder = { table: "kyc_start" | "kyc_start_member"; row: readonly string[] };
type SealedSubject = { documentHash: string; documentSealed: string; subjectSealed: string };

const targetOf = ({ table, row }: Holder, column: "document_sealed" | "subject_sealed"): SealedTarget => ({
  column: `${table}.${column}`,
  row,
});

export function sealSubject(holder: Holder, { vatNumber, ...rest }: StartedSubject): SealedSubject {
  return {
    documentHash: lookupHash(vatNumber),
    documentSealed: seal(vatNumber, targetOf(holder, "document_sealed")),
    subjectSealed: seal(JSON.stringify(SubjectFields.parse(rest)), targetOf(holder, "subject_sealed")),
  };
}

export function unsealSubject(
  holder: Holder,
  stored: Omit<SealedSubject, "documentHash">,
  open = unseal,
): StartedSubject {
  const vatNumber = open(stored.documentSealed, targetOf(holder, "document_sealed"));
  const rest = open(stored.subjectSealed, targetOf(holder, "subject_sealed"));
  if (isUnopened(rest)) return { vatNumber, name: rest, birthDate: null, motherName: null };
  return { vatNumber, ...SubjectFields.parse(JSON.parse(rest)) };
}

export const startOfCase = (store: Db | Tx, tenant: string, kycUUID: string): Promise<StartedCase | null> =>
  readStart(store, { tenant, kycUUID }, unseal);

export const shownStartOf = cache((store: Db | Tx, tenant: string, kycUUID: string): Promise<StartedCase | null> =>
  readStart(store, { tenant, kycUUID }, shownSealed),
);

type CaseId = { tenant: string; kycUUID: string };

async function readStart(
  store: Db | Tx,
  { tenant, kycUUID }: CaseId,
  open: typeof unseal,
): Promise<StartedCase | null> {
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
