import { and, desc, eq, inArray, ne } from "drizzle-orm";
import type { Evidence } from "@/lib/dossiers/records";
import { account, kycCase, onboarding } from "@/lib/store/schema";
import { lookupHashes } from "@/lib/store/seal";
import type { Tx } from "@/lib/store/store";
import { kycStart } from "./schema";
import type { StartedCase } from "./started";

type Place = { tenant: string; kycUUID: string };
type Related = Evidence["related"];

const MOST = 200;

/** The form with which our people started the case, in the words of the interface. */
export function subjectOf(started: StartedCase): NonNullable<Evidence["subject"]> {
  const { kycType, model: backgroundcheckModel, documentscopy, isRepeat, startedBy, startedAt } = started;
  return {
    startedBy,
    startedAt: startedAt.toISOString(),
    form: { kycType, backgroundcheckModel, documentscopy, isRepeat, ...started.subject },
    members: started.members.map((member) => ({ ...member })),
  };
}

/** Other cases of the document that this one was started with. */
async function startedAlike(tx: Tx, { tenant, kycUUID }: Place, hashes: readonly string[]): Promise<string[]> {
  const rows = await tx
    .select({ other: kycStart.kycUUID })
    .from(kycStart)
    .where(and(eq(kycStart.tenant, tenant), inArray(kycStart.documentHash, [...hashes]), ne(kycStart.kycUUID, kycUUID)))
    .limit(MOST);
  return rows.flatMap(({ other }) => other ?? []);
}

type Known = { maskedDocument: string | null; alike: readonly string[] };

async function casesOf(tx: Tx, { tenant, kycUUID }: Place, { maskedDocument, alike }: Known): Promise<Related> {
  if (maskedDocument === null) return [];
  const rows = await tx
    .select()
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), eq(kycCase.vatNumber, maskedDocument), ne(kycCase.kycUUID, kycUUID)))
    .orderBy(desc(kycCase.seq))
    .limit(MOST);
  return rows.map(({ kycUUID: id, status, firstSeenAt }) => ({
    kind: "kyc" as const,
    id,
    status,
    basis: alike.includes(id) ? ("document" as const) : ("masked-document" as const),
    since: firstSeenAt.toISOString(),
  }));
}

async function openedBy(tx: Tx, tenant: string, hashes: readonly string[]): Promise<Related> {
  const onboardings = await tx
    .select()
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), inArray(onboarding.documentHash, [...hashes])))
    .orderBy(desc(onboarding.seq))
    .limit(MOST);
  const accounts = await tx
    .select()
    .from(account)
    .where(and(eq(account.tenant, tenant), inArray(account.documentHash, [...hashes])))
    .orderBy(desc(account.firstSeenAt))
    .limit(MOST);
  const basis = "document" as const;
  return [
    ...onboardings.map(({ id, status, firstSeenAt }) => ({
      kind: "onboarding" as const,
      id,
      status,
      basis,
      since: firstSeenAt.toISOString(),
    })),
    ...accounts.map(({ ref: id, firstSeenAt }) => ({
      kind: "account" as const,
      id,
      status: null,
      basis,
      since: firstSeenAt.toISOString(),
    })),
  ];
}

type Subject = { maskedDocument: string | null; started: StartedCase | null };

/** What else is known of whoever the case is about: by the document where our people started it, else by its mask alone. */
export async function relatedOf(tx: Tx, place: Place, { maskedDocument, started }: Subject): Promise<Related> {
  if (started === null) return casesOf(tx, place, { maskedDocument, alike: [] });
  const hashes = lookupHashes(started.subject.vatNumber);
  const alike = await startedAlike(tx, place, hashes);
  return [...(await casesOf(tx, place, { maskedDocument, alike })), ...(await openedBy(tx, place.tenant, hashes))];
}
