import { and, desc, eq, inArray, ne, or, type SQL } from "drizzle-orm";
import { maskDocument } from "@/lib/contract/document";
import type { KycProcessName, KycStatus, KycType } from "@/lib/contract/kyc";
import type { OnboardingStatus } from "@/lib/contract/onboarding";
import { account, kycCase, onboarding } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { kycStart } from "./schema";
import type { StartedCase } from "./started";
import { providerText } from "@/lib/unknown";
import { isUnopened } from "@/lib/unopened";

/** Whether it is surely the same person's, or only shares what the provider leaves of a masked document. */
export type Likeness = { isSure: boolean };

export type RelatedCase = Likeness & {
  kycUUID: string;
  /** As the provider masks it. */
  vatNumber: string;
  kycType: KycType;
  process: KycProcessName;
  status: KycStatus;
  firstSeenAt: string;
};
export type RelatedOnboarding = Likeness & {
  id: string;
  /** Masked. */
  document: string;
  status: OnboardingStatus;
  firstSeenAt: string;
};
export type RelatedAccount = Likeness & { ref: string; document: string; branch: string; number: string };

/** What else there is of the person whom a case is about, newest first; what is sure stands first. */
export type Related = { cases: RelatedCase[]; onboardings: RelatedOnboarding[]; accounts: RelatedAccount[] };

const MOST_OF_EACH = 20;

type Person = {
  tenant: string;
  /** Not to be found; empty: none. */
  kycUUID: string;
  /** Masked. */
  vatNumber: string;
};
type Sought = Person & { start: StartedCase | null };

const surestFirst = <Row extends Likeness>(rows: Row[]): Row[] =>
  rows.toSorted((one, other) => Number(other.isSure) - Number(one.isSure));

/** The cases that may be of whoever has this masked document, those of these hashes surely; `kycUUID` is left out. */
export async function readCases(
  store: Db,
  { tenant, kycUUID, vatNumber }: Omit<Sought, "start">,
  hashes: string[],
): Promise<RelatedCase[]> {
  const started = store
    .select({ kycUUID: kycStart.kycUUID })
    .from(kycStart)
    .where(and(eq(kycStart.tenant, tenant), inArray(kycStart.documentHash, hashes)));
  const isSure = inArray(kycCase.kycUUID, hashes.length === 0 ? [] : started);
  const rows = await store
    .select({ found: kycCase, hash: kycStart.documentHash })
    .from(kycCase)
    .leftJoin(kycStart, and(eq(kycStart.tenant, kycCase.tenant), eq(kycStart.kycUUID, kycCase.kycUUID)))
    .where(
      and(
        eq(kycCase.tenant, tenant),
        ne(kycCase.kycUUID, kycUUID),
        or(eq(kycCase.vatNumber, vatNumber), hashes.length === 0 ? undefined : isSure),
      ),
    )
    .orderBy(desc(kycCase.seq))
    .limit(MOST_OF_EACH);
  return rows.flatMap(({ found, hash }) => {
    const { kycUUID: id, kycType, process, status, firstSeenAt } = found;
    const isSureOf = hash !== null && hashes.includes(hash);
    // Two that we started ourselves and whose documents differ are surely two.
    if (!isSureOf && hash !== null && hashes.length > 0) return [];
    const shown = { kycUUID: id, vatNumber: providerText(found.vatNumber), kycType, process, status };
    return [{ ...shown, firstSeenAt: firstSeenAt.toISOString(), isSure: isSureOf }];
  });
}

type Held = { documentHash: string; documentMask: string | null };

/** Of those who keep the document: who has this one, or, while nobody told us which it is, one of this mask. */
const fits = (table: typeof onboarding | typeof account, hashes: string[], vatNumber: string): SQL =>
  hashes.length > 0 ? inArray(table.documentHash, hashes) : eq(table.documentMask, vatNumber);

/** Everything of ours about whoever a case is about, other than the case. */
export async function readRelated(store: Db, sought: Sought): Promise<Related> {
  const { tenant, vatNumber, start } = sought;
  const hashes = start?.hashes ?? [];
  const likeness = ({ documentHash, documentMask }: Held) => ({
    isSure: hashes.includes(documentHash),
    document:
      documentMask ??
      (start === null || isUnopened(start.subject.vatNumber) ? vatNumber : maskDocument(start.subject.vatNumber)),
  });
  const onboardings = await store
    .select()
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), fits(onboarding, hashes, vatNumber)))
    .orderBy(desc(onboarding.seq))
    .limit(MOST_OF_EACH);
  const accounts = await store
    .select()
    .from(account)
    .where(and(eq(account.tenant, tenant), fits(account, hashes, vatNumber)))
    .orderBy(desc(account.firstSeenAt))
    .limit(MOST_OF_EACH);
  return {
    cases: surestFirst(await readCases(store, sought, hashes)),
    onboardings: onboardings.map((row) => ({
      id: row.id,
      status: row.status,
      firstSeenAt: row.firstSeenAt.toISOString(),
      ...likeness(row),
    })),
    accounts: accounts.map((row) => ({ ref: row.ref, branch: row.branch, number: row.number, ...likeness(row) })),
  };
}
