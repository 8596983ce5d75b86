import { and, asc, eq } from "drizzle-orm";
import { z } from "zod";
import { maskDocument } from "@/lib/contract/document";
import type { PersonKyc, QsaMember } from "@/lib/contract/kyc";
import { staff } from "@/lib/store/schema";
import { lookupHash, lookupHashes, seal, shownSealed, unseal } from "@/lib/store/seal";
import type { SealedPlace } from "@/lib/store/sealed-columns";
import type { Db, Tx } from "@/lib/store/store";
import { isUnopened } from "@/lib/text/typed";
import { kycStart, kycStartMember } from "./schema";

const bare = (text: string) => text.replaceAll(/[\s./-]/g, "").toUpperCase();

/** Whether what the provider shows of a document, whichever part that is, is of this one: every sign of it that it shows. */
export function fitsMask(document: string, masked: string): boolean {
  const shown = bare(masked);
  if (shown.length !== document.length || !/[0-9]/.test(shown)) return false;
  // An X may hide a sign, and in a CNPJ it may be one.
  return Array.from(shown).every((sign, place) => !/[0-9A-WYZ]/.test(sign) || sign === document[place]);
}

/** Whoever a case is about as screens show it; each part in clear only by a reveal. */
export type SubjectView = {
  /** Masked. */
  document: string;
  /** The first letters of the names. */
  name: string;
  /** The year alone, and the first letters of the mother's names; null of a company. */
  birthYear: string | null;
  motherName: string | null;
};
type MemberView = SubjectView & { ownerType: Member["ownerType"] };

export type StartView = Pick<StartedCase, "model" | "documentscopy" | "isRepeat"> & {
  byName: string;
  /** ISO. */
  at: string;
  subject: SubjectView;
  members: MemberView[];
};

/** `Maria Aparecida dos Santos`: `M••• A••• d••• S•••`, however long each is. */
export const initialsOf = (name: string): string =>
  isUnopened(name)
    ? name
    : name
        .trim()
        .split(/\s+/)
        .map((word) => `${Array.from(word)[0] ?? ""}•••`)
        .join(" ");

const viewOf = ({ vatNumber, name, birthDate, motherName }: Subject): SubjectView => ({
  document: isUnopened(vatNumber) ? vatNumber : maskDocument(vatNumber),
  name: initialsOf(name),
  birthYear: birthDate?.slice(-4) ?? null,
  motherName: motherName === null ? null : initialsOf(motherName),
});

/** What is known of how a case was started, as screens show it. */
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

/** Whoever a case is about, as the form said; a company has neither birth date nor mother. `birthDate` is DD-MM-YYYY. */
export type Subject = { vatNumber: string; name: string; birthDate: string | null; motherName: string | null };
type Member = Subject & { ownerType: QsaMember["ownerType"] };

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
