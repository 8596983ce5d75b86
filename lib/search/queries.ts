import { and, eq, inArray } from "drizzle-orm";
import { getTranslations } from "next-intl/server";
import { question } from "@/lib/action";
import { approval } from "@/lib/db/tables/approvals";
import { can, type Permission, type Role } from "@/lib/permission/permission";
import { query } from "@/lib/query";
import { shownOnboardingDocument } from "@/lib/db/document";
import { account, onboarding } from "@/lib/db/tables/customers";
import { kycCase } from "@/lib/db/tables/kyc";
import { type Db, db } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import { shortAddress } from "@/lib/text/short";
import { wallet, walletRequest } from "@/lib/db/tables/wallets";
import { findEverywhere, SearchQuery } from "./find";

export const search = question("accounts:read", SearchQuery, findEverywhere);

type IdQuery = { store: Db; tenant: string; ids: string[] };
type NamedHit = { id: string; name: string };
type Kind = { needs: Permission; read: (asked: IdQuery) => Promise<NamedHit[]> };

async function accounts({ store, tenant, ids }: IdQuery): Promise<NamedHit[]> {
  const rows = await store
    .select({ id: account.ref, branch: account.branch, number: account.number })
    .from(account)
    .where(and(eq(account.tenant, tenant), inArray(account.ref, ids.filter(isUuid))));
  return rows.map(({ id, branch, number }) => ({ id, name: `${branch} / ${number}` }));
}

async function onboardings({ store, tenant, ids }: IdQuery): Promise<NamedHit[]> {
  const rows = await store
    .select()
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), inArray(onboarding.id, ids.filter(isUuid))));
  return rows.map((row) => ({ id: row.id, name: shownOnboardingDocument(row).mask }));
}

const cases = ({ store, tenant, ids }: IdQuery): Promise<NamedHit[]> =>
  store
    .select({ id: kycCase.kycUUID, name: kycCase.vatNumber })
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), inArray(kycCase.kycUUID, ids)));

async function wallets({ store, tenant, ids }: IdQuery): Promise<NamedHit[]> {
  const rows = await store
    .select({ id: wallet.id, address: wallet.address })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), inArray(wallet.id, ids)));
  return rows.map(({ id, address }) => ({ id, name: shortAddress(address) }));
}

async function depositAddresses({ store, tenant, ids }: IdQuery): Promise<NamedHit[]> {
  const { intentId, address, kind } = walletRequest;
  const isOne = and(eq(walletRequest.tenant, tenant), eq(kind, "address"), inArray(intentId, ids.filter(isUuid)));
  const rows = await store.select({ id: intentId, address }).from(walletRequest).where(isOne);
  return rows.flatMap((row) => (row.address === null ? [] : [{ id: row.id, name: shortAddress(row.address) }]));
}

async function approvals({ store, tenant, ids }: IdQuery): Promise<NamedHit[]> {
  const t = await getTranslations("writes");
  const rows = await store
    .select({ id: approval.id, kind: approval.kind })
    .from(approval)
    .where(and(eq(approval.tenant, tenant), inArray(approval.id, ids.filter(isUuid))));
  return rows.map(({ id, kind }) => ({ id, name: t(kind) }));
}

const KINDS: Readonly<Record<string, Kind>> = {
  account: { needs: "accounts:read", read: accounts },
  onboarding: { needs: "onboarding:read", read: onboardings },
  kyc: { needs: "kyc:read", read: cases },
  wallet: { needs: "wallets:read", read: wallets },
  "wallet-request": { needs: "wallets:read", read: depositAddresses },
  approval: { needs: "approvals:read", read: approvals },
};

/** Readable names of records, masked, by `kind:id`; unreadable and deleted ones, and what the reader may not see, have none. */
export async function readNames(
  { tenant, roles }: { tenant: string; roles: readonly Role[] },
  objects: readonly string[],
): Promise<Record<string, string>> {
  const store = await db();
  const found = await Promise.all(
    Object.entries(KINDS).map(async ([kind, { needs, read }]) => {
      const ids = objects.flatMap((one) => (one.startsWith(`${kind}:`) ? [one.slice(kind.length + 1)] : []));
      if (ids.length === 0 || !can(roles, needs)) return [];
      return (await read({ store, tenant, ids: [...new Set(ids)] })).map(({ id, name }) => [`${kind}:${id}`, name]);
    }),
  );
  return Object.fromEntries(found.flat());
}

export const listNames = query("audit:read", readNames);
