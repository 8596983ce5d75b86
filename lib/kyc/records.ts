import { and, desc, eq, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { maskDocument } from "@/lib/contract/document";
import type { KycProcessName, KycStatus, KycType } from "@/lib/contract/kyc";
import type { OnboardingStatus } from "@/lib/contract/onboarding";
import { account, onboarding } from "@/lib/db/tables/customers";
import { kycCase, kycStart } from "@/lib/db/tables/kyc";
import { shownSealed } from "@/lib/db/seal";
import type { Db } from "@/lib/db/connection";
import { maskName } from "@/lib/text/masks";
import { isUnopened, providerText } from "@/lib/text/provider-word";
import { caseRulesOf } from "./case-rules";
import { type StartedCase, unsealSubject } from "@/lib/db/started-case";

export { countOpenCasesOf, handOverCases } from "./assign";
export { type Assignee, readAssignees } from "./assignees";

/** Otherwise only the masked document is the same. */
type Matched = { isSure: boolean };

type RelatedCase = Matched & {
  kycUUID: string;
  /** As the provider masks it. */
  vatNumber: string;
  kycType: KycType;
  process: KycProcessName;
  status: KycStatus;
  firstSeenAt: string;
};
type RelatedOnboarding = Matched & {
  id: string;
  document: string;
  status: OnboardingStatus;
  firstSeenAt: string;
};
type RelatedAccount = Matched & { ref: string; document: string; branch: string; number: string };

export type Related = { cases: RelatedCase[]; onboardings: RelatedOnboarding[]; accounts: RelatedAccount[] };

const MAX_OF_EACH = 20;

type Person = {
  tenant: string;
  kycUUID: string;
  /** Masked. */
  vatNumber: string;
};
type RelatedTo = Person & { start: StartedCase | null };

/** Word for word as in the schema, so that the index is used. */
export const SHOWN = sql<string>`regexp_replace(vat_number, '[^0-9A-Za-z]', '', 'g')`;

const bareOf = (masked: string) => masked.replaceAll(/[^0-9A-Za-z]/g, "");

/** Cases that may belong to this masked document, those with these hashes certainly; without `kycUUID`. */
async function readCases(store: Db, { tenant, kycUUID, vatNumber }: Person, hashes: string[]): Promise<RelatedCase[]> {
  const isSure = hashes.length === 0 ? sql`false` : inArray(kycStart.documentHash, hashes);
  const isPerhaps = hashes.length === 0 ? undefined : isNull(kycStart.kycUUID);
  const shown = bareOf(vatNumber);
  const isLike = shown === "" ? sql`false` : sql`${SHOWN} = ${shown}`;
  const started = store
    .select({ kycUUID: kycStart.kycUUID })
    .from(kycStart)
    .where(and(eq(kycStart.tenant, tenant), inArray(kycStart.documentHash, hashes)));
  const isStarted = inArray(kycCase.kycUUID, hashes.length === 0 ? [] : started);
  const rows = await store
    .select({ found: kycCase, isSure: sql<boolean>`coalesce(${isSure}, false)` })
    .from(kycCase)
    .leftJoin(kycStart, and(eq(kycStart.tenant, kycCase.tenant), eq(kycStart.kycUUID, kycCase.kycUUID)))
    .where(and(eq(kycCase.tenant, tenant), ne(kycCase.kycUUID, kycUUID), or(and(isLike, isPerhaps), isStarted)))
    .orderBy(desc(sql`coalesce(${isSure}, false)`), desc(kycCase.seq))
    .limit(MAX_OF_EACH);
  return rows.map(({ found, ...matched }) => {
    const { kycUUID: id, kycType, process, status, firstSeenAt } = found;
    const vat = providerText(found.vatNumber);
    return {
      kycUUID: id,
      vatNumber: vat,
      kycType,
      process,
      status,
      firstSeenAt: firstSeenAt.toISOString(),
      ...matched,
    };
  });
}

type StoredDocument = { documentHash: string; documentMask: string | null };

const fits = (table: typeof onboarding | typeof account, hashes: string[], vatNumber: string): SQL =>
  hashes.length > 0 ? inArray(table.documentHash, hashes) : eq(table.documentMask, vatNumber);

export async function readRelated(store: Db, { start, ...person }: RelatedTo): Promise<Related> {
  const isShown = start !== null && !isUnopened(start.subject.vatNumber);
  const mask = isShown ? maskDocument(start.subject.vatNumber) : person.vatNumber;
  return readSame(store, person, { mask, hashes: start?.hashes ?? [] });
}

/** Certain matches of this document, and the cases that only share its mask. */
export const relatedTo = (store: Db, tenant: string, document: KnownDocument): Promise<Related> =>
  readSame(store, { tenant, kycUUID: "", vatNumber: document.mask }, document);

type KnownDocument = { mask: string; hashes: string[] };

async function readSame(store: Db, person: Person, { mask, hashes }: KnownDocument): Promise<Related> {
  const { tenant, vatNumber } = person;
  const sureness = ({ documentHash, documentMask }: StoredDocument) => ({
    isSure: hashes.includes(documentHash),
    document: documentMask ?? mask,
  });
  // One after the other, as a transaction's connection answers one query at a time.
  const foundOnboardings = await store
    .select()
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), fits(onboarding, hashes, vatNumber)))
    .orderBy(desc(onboarding.seq))
    .limit(MAX_OF_EACH);
  const foundAccounts = await store
    .select()
    .from(account)
    .where(and(eq(account.tenant, tenant), fits(account, hashes, vatNumber)))
    .orderBy(desc(account.firstSeenAt))
    .limit(MAX_OF_EACH);
  const cases = await readCases(store, person, hashes);
  return {
    cases,
    onboardings: foundOnboardings.map((row) => ({
      id: row.id,
      status: row.status,
      firstSeenAt: row.firstSeenAt.toISOString(),
      ...sureness(row),
    })),
    accounts: foundAccounts.map((row) => ({ ref: row.ref, branch: row.branch, number: row.number, ...sureness(row) })),
  };
}

/** Certain, and first, when started here with the document; otherwise by its mask. */
export const casesOf = (store: Db, tenant: string, { mask, hashes }: KnownDocument): Promise<RelatedCase[]> =>
  readCases(store, { tenant, kycUUID: "", vatNumber: mask }, hashes);

export const stoppedWordsOf = async (store: Db, tenant: string): Promise<readonly string[]> =>
  (await caseRulesOf(store, tenant)).rules.stoppedWords;

/** Initials of the subjects of cases started here that are still open. */
export async function startedNames(
  store: Db,
  tenant: string,
  kycUUIDs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const starts = await store
    .select()
    .from(kycStart)
    .where(and(eq(kycStart.tenant, tenant), inArray(kycStart.kycUUID, [...kycUUIDs])));
  const names = new Map<string, string>();
  for (const start of starts) {
    const { name } = unsealSubject({ table: "kyc_start", row: [tenant, start.intentId] }, start, shownSealed);
    if (start.kycUUID !== null && !isUnopened(name)) names.set(start.kycUUID, maskName(name));
  }
  return names;
}
