import { and, eq, gte } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import type { Network } from "@/lib/contract/crypto";
import { refreshOnboarding } from "@/lib/onboarding/records";
import { account, kycCase, onboarding } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { readSweeps } from "@/lib/store/watch-state";
import { findWallet, refreshBalance } from "@/lib/wallets/records";
import { networksOf } from "@/lib/wallets/rules";
import { hurryWatch } from "@/lib/watch";
import type { Hint } from "./hint";

/** What came of looking: `object` is the record of ours that it was about, where there is one. */
export type Looked = { isDone: true; object: string | null } | { isDone: false };

/** What is spent on hints out of what all of them may spend; false when there is not that much left. */
export type Spend = (calls: number) => boolean;

/** A hint, and since when it holds: whatever was looked at after that answers it. */
export type Heeding = { hint: Hint; since: Date; spend: Spend };

export type Looker = {
  store: Db;
  tenant: string;
  actors: { onboarding: Actor<"onboarding:read">; wallets: Actor<"wallets:read"> };
};

/** What a whole sweep may cost, for those who have one made. */
const SWEEP_CALLS = 5;

const LATER: Looked = { isDone: false };
const done = (object: string | null): Looked => ({ isDone: true, object });

/** Leaves it to a watch that reads everything of its kind, in a sweep that begins after the hint. */
async function bySweep({ store, tenant }: Looker, name: string, { since, spend }: Heeding): Promise<boolean> {
  const { begunAt, asOf } = await readSweeps(store, { tenant, name });
  if (asOf !== null && asOf >= since) return true;
  const isUnderWay = begunAt !== null && begunAt >= since;
  if (!isUnderWay && spend(SWEEP_CALLS)) await hurryWatch(tenant, name);
  return false;
}

async function lookAtOnboarding(looker: Looker, id: string, { since, spend }: Heeding): Promise<Looked> {
  const { store, tenant, actors } = looker;
  const isIt = and(eq(onboarding.tenant, tenant), eq(onboarding.onBoardingId, id), gte(onboarding.checkedAt, since));
  const [seen] = await store.select({ id: onboarding.id }).from(onboarding).where(isIt);
  if (seen !== undefined) return done(`onboarding:${seen.id}`);
  if (!spend(1)) return LATER;
  const kept = await refreshOnboarding(actors.onboarding, id);
  return done(`onboarding:${kept.id}`);
}

const isOneOf = (networks: readonly Network[], name: string | null): name is Network =>
  networks.some((network) => network === name);

async function lookAtWallet(looker: Looker, walletId: string, heeding: Heeding & { network: string | null }) {
  const { store, tenant, actors } = looker;
  const { network, spend } = heeding;
  const found = await findWallet(store, tenant, walletId);
  if (found === null) return (await bySweep(looker, "wallets", heeding)) ? done(null) : LATER;
  const all = networksOf(found.family);
  const networks = isOneOf(all, network) ? [network] : all;
  if (!spend(networks.length)) return LATER;
  for (const one of networks) await refreshBalance(actors.wallets, { walletId, address: found.address, network: one });
  return done(`wallet:${walletId}`);
}

async function lookAtCase(looker: Looker, kycUUID: string | null, heeding: Heeding): Promise<Looked> {
  if (!(await bySweep(looker, "kyc", heeding))) return LATER;
  if (kycUUID === null) return done(null);
  const isIt = and(eq(kycCase.tenant, looker.tenant), eq(kycCase.kycUUID, kycUUID));
  const [kept] = await looker.store.select({ id: kycCase.kycUUID }).from(kycCase).where(isIt);
  return done(kept === undefined ? null : `kyc:${kept.id}`);
}

/** A statement is read anew by everybody who opens it: what is open of transfers is what there is to settle. */
async function lookAtTransfers(looker: Looker, accountId: string | null, heeding: Heeding): Promise<Looked> {
  if (!(await bySweep(looker, "transfers", heeding))) return LATER;
  if (accountId === null) return done(null);
  const isIt = and(eq(account.tenant, looker.tenant), eq(account.accountId, accountId));
  const [kept] = await looker.store.select({ ref: account.ref }).from(account).where(isIt);
  return done(kept === undefined ? null : `account:${kept.ref}`);
}

/**
 * Looks again, by the interface, at what an event is about. Throws the `BankError` of a read that failed; not done: what it
 * waits for is under way, or there is nothing left to spend.
 */
export async function look(looker: Looker, heeding: Heeding): Promise<Looked> {
  const { hint } = heeding;
  if (hint.wakes === "kyc") return lookAtCase(looker, hint.kycUUID, heeding);
  if (hint.wakes === "transfers") return lookAtTransfers(looker, hint.accountId, heeding);
  if (hint.wakes === "onboarding" && hint.onBoardingId !== null)
    return lookAtOnboarding(looker, hint.onBoardingId, heeding);
  if (hint.wakes === "wallets" && hint.walletId !== null)
    return lookAtWallet(looker, hint.walletId, { ...heeding, network: hint.network });
  return (await bySweep(looker, hint.wakes, heeding)) ? done(null) : LATER;
}
