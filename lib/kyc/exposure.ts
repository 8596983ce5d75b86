import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Db, Tx } from "@/lib/db/connection";
import type { Exposure } from "@/lib/db/enums/kyc";
import { lookupHashes, shownSealed } from "@/lib/db/seal";
import { unsealSubject } from "@/lib/db/started-case";
import { account, onboarding } from "@/lib/db/tables/customers";
import { kycCase, kycStart, kycStartMember } from "@/lib/db/tables/kyc";
import { onboardingRequest } from "@/lib/db/tables/onboarding";
import { isUnopened } from "@/lib/text/provider-word";

/** A decision about such a case needs a second person, where the policy says so. */
export const isExposed = (exposure: Exposure): boolean => exposure === "yes" || exposure === "perhaps";

/** Each person by the hashes of their document under every key. */
type Started = { subject: string[]; members: string[][]; isCompany: boolean };

type StoredSubject = { documentHash: string; documentSealed: string; subjectSealed: string };

function hashesOf(holder: Parameters<typeof unsealSubject>[0], stored: StoredSubject): string[] {
  const { vatNumber } = unsealSubject(holder, stored, shownSealed);
  return isUnopened(vatNumber) ? [stored.documentHash] : lookupHashes(vatNumber);
}

async function readStarts(store: Db | Tx, tenant: string, kycUUIDs: readonly string[]): Promise<Map<string, Started>> {
  const starts = await store
    .select()
    .from(kycStart)
    .where(and(eq(kycStart.tenant, tenant), inArray(kycStart.kycUUID, [...kycUUIDs])));
  const intents = starts.map(({ intentId }) => intentId);
  const members =
    intents.length === 0
      ? []
      : await store
          .select()
          .from(kycStartMember)
          .where(and(eq(kycStartMember.tenant, tenant), inArray(kycStartMember.intentId, intents)));
  return new Map(
    starts.flatMap((start) => {
      const { intentId, kycUUID, kycType } = start;
      if (kycUUID === null) return [];
      const own = members.filter((member) => member.intentId === intentId);
      const started = {
        subject: hashesOf({ table: "kyc_start", row: [tenant, intentId] }, start),
        members: own.map((member) =>
          hashesOf({ table: "kyc_start_member", row: [tenant, intentId, String(member.position)] }, member),
        ),
        isCompany: kycType === "PJ",
      };
      return [[kycUUID, started] as const];
    }),
  );
}

/** True by hash when anything typed or read says so, also where something else says no. */
async function readTold(store: Db | Tx, tenant: string, hashes: string[]): Promise<Map<string, boolean>> {
  const told = new Map<string, boolean>();
  if (hashes.length === 0) return told;
  for (const table of [account, onboardingRequest]) {
    const rows = await store
      .select({ hash: table.documentHash, said: sql<boolean>`bool_or(${table.isExposed})` })
      .from(table)
      .where(and(eq(table.tenant, tenant), inArray(table.documentHash, hashes), isNotNull(table.isExposed)))
      .groupBy(table.documentHash);
    for (const { hash, said } of rows) told.set(hash, said || told.get(hash) === true);
  }
  return told;
}

/** The masks that a politically exposed person is known under. */
async function readExposedMasks(store: Db | Tx, tenant: string, masks: string[]): Promise<Set<string>> {
  if (masks.length === 0) return new Set();
  const read = await store
    .select({ mask: account.documentMask })
    .from(account)
    .where(and(eq(account.tenant, tenant), inArray(account.documentMask, masks), eq(account.isExposed, true)));
  const typed = await store
    .select({ mask: onboarding.documentMask })
    .from(onboarding)
    .innerJoin(
      onboardingRequest,
      and(eq(onboardingRequest.tenant, tenant), eq(onboardingRequest.onboardingId, onboarding.id)),
    )
    .where(
      and(
        eq(onboarding.tenant, tenant),
        inArray(onboarding.documentMask, masks),
        eq(onboardingRequest.isExposed, true),
      ),
    );
  return new Set([...read, ...typed].flatMap(({ mask }) => mask ?? []));
}

function exposureOf({ subject, members, isCompany }: Started, told: ReadonlyMap<string, boolean>): Exposure {
  const saidOf = (hashes: readonly string[]) => {
    const said = hashes.flatMap((hash) => told.get(hash) ?? []);
    return said.includes(true) ? true : (said[0] ?? null);
  };
  const people = (isCompany ? members : [subject]).map(saidOf);
  if (saidOf(subject) === true || people.includes(true)) return "yes";
  return people.length > 0 && people.every((said) => said === false) ? "no" : "unknown";
}

type ShownCase = { kycUUID: string; vatNumber: string };

/** Whether holder or a partner is politically exposed, by what was typed or read about their documents. */
export async function readExposures(
  store: Db | Tx,
  tenant: string,
  cases: readonly ShownCase[],
): Promise<ReadonlyMap<string, Exposure>> {
  if (cases.length === 0) return new Map();
  const starts = await readStarts(
    store,
    tenant,
    cases.map(({ kycUUID }) => kycUUID),
  );
  const told = await readTold(
    store,
    tenant,
    [...starts.values()].flatMap(({ subject, members }) => [...subject, ...members.flat()]),
  );
  const others = cases.filter(({ kycUUID }) => !starts.has(kycUUID)).map(({ vatNumber }) => vatNumber);
  const masks = await readExposedMasks(store, tenant, [...new Set(others)]);
  return new Map(
    cases.map(({ kycUUID, vatNumber }) => {
      const started = starts.get(kycUUID);
      if (started !== undefined) return [kycUUID, exposureOf(started, told)];
      return [kycUUID, masks.has(vatNumber) ? "perhaps" : "unknown"];
    }),
  );
}

/** Of one case, in the transaction that decides. */
export async function readExposure(
  tx: Tx,
  { tenant, kycUUID }: { tenant: string; kycUUID: string },
): Promise<Exposure> {
  const isIt = and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID));
  const cases = await tx.select({ kycUUID: kycCase.kycUUID, vatNumber: kycCase.vatNumber }).from(kycCase).where(isIt);
  return (await readExposures(tx, tenant, cases)).get(kycUUID) ?? "unknown";
}
