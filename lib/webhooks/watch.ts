import { z } from "zod";
import { isStorable } from "@/lib/contract/shared";
import { findIn, type FieldName } from "@/lib/contract/open-answer";
import type { Wake } from "@/lib/db/enums/webhooks";
import { and, eq, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import { noteMoved } from "@/lib/accounts/records";
import { type Actor, watchActor } from "@/lib/permission/grant";
import { isProviderTrouble } from "@/lib/provider/answer";
import { AppError } from "@/lib/errors/app-error";
import type { Network } from "@/lib/contract/crypto";
import { parseJson } from "@/lib/contract/json";
import type { ErrorKind } from "@/lib/errors/result";
import { publish } from "@/lib/db/publish";
import { refreshOnboarding } from "@/lib/onboarding/records";
import { log } from "@/lib/log/log";
import { triggerWatch, type Watch } from "@/lib/watch/watch";
import { storeNow, storeTimeBefore } from "@/lib/db/clock";
import { withoutParameters } from "@/lib/db/error";
import { account, onboarding } from "@/lib/db/tables/customers";
import { kycCase } from "@/lib/db/tables/kyc";
import { lookupHashes, unseal } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { readSweeps, recall, remember } from "@/lib/db/watch-state";
import { findWallet, findWalletAt, refreshBalance } from "@/lib/wallets/records";
import { networksOf } from "@/lib/wallets/inputs";
import { EXPECTED_WATCH, sweepExpected } from "./expected-sweep";
import { webhookEvent } from "@/lib/db/tables/webhooks";

/** The event's name is in an unsigned header, so the signed body comes first. */
export type ChangeNotice =
  | { wakes: "onboarding"; onBoardingId: string | null }
  | { wakes: "wallets"; walletId: string | null; network: string | null; addresses?: readonly string[] }
  | { wakes: "kyc"; kycUUID: string | null }
  | { wakes: "transfers"; accountId: string | null };

const Id = z.string().trim().min(1).max(200).refine(isStorable);

/** The payload is undocumented. */
const idIn = (payload: unknown, wanted: FieldName) => Id.safeParse(findIn(payload, wanted)?.text).data ?? null;

const ADDRESS = /^[\dA-Za-z:]{25,110}$/;
const MAX_ADDRESSES = 20;
const MAX_LEVELS = 8;

/** Any possible chain address, under any name: only the wallets tell which is ours. */
function addressesIn(payload: unknown, levels = MAX_LEVELS): string[] {
  if (typeof payload === "string") return ADDRESS.test(payload.trim()) ? [payload.trim()] : [];
  if (levels === 0 || typeof payload !== "object" || payload === null) return [];
  const found = Object.values(payload).flatMap((value) => addressesIn(value, levels - 1));
  return [...new Set(found)].slice(0, MAX_ADDRESSES);
}

/** By prefix; the interface's own events are in the first two. */
const FAMILIES: readonly (readonly [start: RegExp, wakes: Wake])[] = [
  [/^onboarding-/, "onboarding"],
  [/^crypto-/, "wallets"],
  [/^kyc-/, "kyc"],
  [/^(transfer|pix|ted|boleto)-/, "transfers"],
];

export function noticeOf(event: string, payload: unknown): ChangeNotice | null {
  const onBoardingId = idIn(payload, "onboardingId");
  const kycUUID = idIn(payload, "kycId");
  const walletId = idIn(payload, "walletId");
  const network = idIn(payload, "network");
  const accountId = idIn(payload, "accountId");
  if (onBoardingId !== null) return { wakes: "onboarding", onBoardingId };
  if (kycUUID !== null) return { wakes: "kyc", kycUUID };
  if (walletId !== null) return { wakes: "wallets", walletId, network };
  if (accountId !== null) return { wakes: "transfers", accountId };
  const [, family] = FAMILIES.find(([start]) => start.test(event)) ?? [];
  if (family === "onboarding") return { wakes: family, onBoardingId };
  if (family === "kyc") return { wakes: family, kycUUID };
  if (family === "wallets") return { wakes: family, walletId, network, addresses: addressesIn(payload) };
  return family === "transfers" ? { wakes: family, accountId } : null;
}

/** KYC and transfer hints share one read, whatever they name. */
export function hintKeyOf(notice: ChangeNotice): string {
  if (notice.wakes === "onboarding") return JSON.stringify(["onboarding", notice.onBoardingId]);
  if (notice.wakes === "wallets")
    return JSON.stringify(["wallets", notice.walletId, notice.network, ...(notice.addresses ?? [])]);
  return JSON.stringify([notice.wakes]);
}

/** Only under the interface's own name: any other may be a customer's. */
const Tenant = z.object({ clientId: Id.nullable().catch(null) }).catch({ clientId: null });

export const clientOf = (payload: unknown): string | null => Tenant.parse(payload).clientId;

/** `object`: our record that the event was about. */
export type Refetched = { isDone: true; object: string | null } | { isDone: false };

type Spend = (calls: number) => boolean;

/** Any read after `since` settles it. */
type Job = { notice: ChangeNotice; since: Date; spend: Spend };

type RefetchDeps = {
  store: Db;
  tenant: string;
  actors: { onboarding: Actor<"onboarding:read">; wallets: Actor<"wallets:read"> };
  /** Nobody waits for it: every other call goes first. */
  isPatient?: boolean;
};

/** Calls of a triggered sweep. */
const SWEEP_CALLS = 5;

const LATER: Refetched = { isDone: false };
const done = (object: string | null): Refetched => ({ isDone: true, object });

/** Handled by a sweep that starts after the hint. */
async function bySweep({ store, tenant }: RefetchDeps, name: string, { since, spend }: Job): Promise<boolean> {
  const { begunAt, asOf } = await readSweeps(store, { tenant, name });
  if (asOf !== null && asOf >= since) return true;
  const isUnderWay = begunAt !== null && begunAt >= since;
  if (!isUnderWay && spend(SWEEP_CALLS)) await triggerWatch(tenant, name);
  return false;
}

async function refetchOnboarding(deps: RefetchDeps, id: string, { since, spend }: Job): Promise<Refetched> {
  const { store, tenant, actors, isPatient = false } = deps;
  const isIt = and(eq(onboarding.tenant, tenant), eq(onboarding.onBoardingId, id), gte(onboarding.checkedAt, since));
  const [seen] = await store.select({ id: onboarding.id }).from(onboarding).where(isIt);
  if (seen !== undefined) return done(`onboarding:${seen.id}`);
  if (!spend(1)) return LATER;
  const stored = await refreshOnboarding(actors.onboarding, id, { isPatient });
  return done(`onboarding:${stored.id}`);
}

const isOneOf = (networks: readonly Network[], name: string | null): name is Network =>
  networks.some((network) => network === name);

function networksRead(family: string, network: string | null): readonly Network[] {
  const all = networksOf(family);
  return isOneOf(all, network) ? [network] : all;
}

async function refetchWallet(deps: RefetchDeps, walletId: string, job: Job & { network: string | null }) {
  const { store, tenant, actors, isPatient = false } = deps;
  const { network, spend } = job;
  const found = await findWallet(store, tenant, walletId);
  if (found === null) return (await bySweep(deps, "wallets", job)) ? done(null) : LATER;
  const networks = networksRead(found.family, network);
  if (!spend(networks.length)) return LATER;
  for (const one of networks)
    await refreshBalance(
      actors.wallets,
      { walletId, address: found.address, network: one },
      { isTold: true, isPatient },
    );
  return done(`wallet:${walletId}`);
}

async function refetchCase(deps: RefetchDeps, kycUUID: string | null, job: Job): Promise<Refetched> {
  if (!(await bySweep(deps, "kyc", job))) return LATER;
  if (kycUUID === null) return done(null);
  const isIt = and(eq(kycCase.tenant, deps.tenant), eq(kycCase.kycUUID, kycUUID));
  const [stored] = await deps.store.select({ id: kycCase.kycUUID }).from(kycCase).where(isIt);
  return done(stored === undefined ? null : `kyc:${stored.id}`);
}

/** Open transfers are reconciled before its statement is read again. */
async function refetchTransfers(deps: RefetchDeps, accountId: string | null, job: Job): Promise<Refetched> {
  if (!(await bySweep(deps, "transfers", job))) return LATER;
  if (accountId === null) return done(null);
  const isIt = and(eq(account.tenant, deps.tenant), eq(account.accountId, accountId));
  const [stored] = await deps.store.select({ ref: account.ref }).from(account).where(isIt);
  if (stored === undefined) return done(null);
  await noteMoved(deps.store, deps.tenant, stored.ref);
  await triggerWatch(deps.tenant, "entries");
  return done(`account:${stored.ref}`);
}

/** Throws the `AppError` of a failed read; not done: in flight, or out of budget. */
export async function refetch(deps: RefetchDeps, job: Job): Promise<Refetched> {
  const { notice } = job;
  if (notice.wakes === "kyc") return refetchCase(deps, notice.kycUUID, job);
  if (notice.wakes === "transfers") return refetchTransfers(deps, notice.accountId, job);
  if (notice.wakes === "onboarding" && notice.onBoardingId !== null)
    return refetchOnboarding(deps, notice.onBoardingId, job);
  if (notice.wakes === "wallets" && notice.walletId !== null)
    return refetchWallet(deps, notice.walletId, { ...job, network: notice.network });
  const named = notice.wakes === "wallets" ? await findWalletAt(deps.store, deps.tenant, notice.addresses ?? []) : null;
  if (named !== null && notice.wakes === "wallets")
    return refetchWallet(deps, named, { ...job, network: notice.network });
  return (await bySweep(deps, notice.wakes, job)) ? done(null) : LATER;
}

/** What reading it costs: so many calls, or a sweep's, which one hurries for all. */
export type Reading = { calls: number; sweep: Wake | null };

const bySweepOf = (sweep: Wake): Reading => ({ calls: SWEEP_CALLS, sweep });

export async function readingOf(store: Db | Tx, tenant: string, notice: ChangeNotice): Promise<Reading> {
  if (notice.wakes === "onboarding" && notice.onBoardingId !== null) return { calls: 1, sweep: null };
  if (notice.wakes !== "wallets") return bySweepOf(notice.wakes);
  const walletId = notice.walletId ?? (await findWalletAt(store, tenant, notice.addresses ?? []));
  const found = walletId === null ? null : await findWallet(store, tenant, walletId);
  if (found === null) return bySweepOf(notice.wakes);
  return { calls: networksRead(found.family, notice.network).length, sweep: null };
}

/** Per tenant: a sixth of the provider's limit. */
const MAX_CALLS_A_MINUTE = 30;
const MINUTE_MS = 60_000;
const MAX_NOTICES = 50;
/** Minimum time between two reads of the same object. */
const REST_MS = 10_000;
const TRY_AGAIN_MS = 30_000;
/** By then the regular sweeps have long passed. */
const GIVE_UP_MS = 3_600_000;

const Memory = z
  .object({ since: z.coerce.date(), spent: z.int().min(0) })
  .catch(() => ({ since: new Date(0), spent: 0 }));

type Work = { store: Db; tenant: string; refetch: (job: Job) => Promise<Refetched> };

type Group = { key: string; id: string; lastSeq: number; since: Date };

const Groups = z.object({
  rows: z.array(
    z
      .object({ key: z.string(), id: z.string(), last_seq: z.coerce.number(), since: z.coerce.date() })
      .transform(({ last_seq: lastSeq, ...rest }): Group => ({ ...rest, lastSeq })),
  ),
});

// Rounded up, as the store has microseconds and we have milliseconds.

/** Longest waiting first; recently read ones rest. */
async function dueGroups({ store, tenant }: Work): Promise<Group[]> {
  const found = await store.execute(sql`
    select waiting.hint_key as key, (array_agg(waiting.id order by waiting.seq desc))[1] as id,
      max(waiting.seq) as last_seq, 
      date_trunc('milliseconds', max(waiting.received_at)) + interval '1 millisecond' as since
    from ${webhookEvent} waiting
    where waiting.tenant = ${tenant} and waiting.state = 'WAITING' and waiting.next_try_at <= clock_timestamp()
      and not exists (
        select 1 from ${webhookEvent} seen
        where seen.tenant = waiting.tenant and seen.hint_key = waiting.hint_key
          and seen.done_at > ${storeTimeBefore(REST_MS)})
    group by waiting.hint_key order by min(waiting.seq) limit ${MAX_NOTICES}`);
  return Groups.parse(found).rows;
}

const isWaiting = (tenant: string) => and(eq(webhookEvent.tenant, tenant), eq(webhookEvent.state, "WAITING"));

const ofGroup = (tenant: string, { key, lastSeq }: Group) =>
  and(isWaiting(tenant), eq(webhookEvent.hintKey, key), lte(webhookEvent.seq, lastSeq));

/** Null when it is gone, or names nothing that is known here. Throws when it does not open. */
export async function readNotice({ store, tenant }: Pick<Work, "store" | "tenant">, id: string) {
  const { event, bodySealed } = webhookEvent;
  const isIt = and(eq(webhookEvent.tenant, tenant), eq(webhookEvent.id, id));
  const [row] = await store.select({ event, bodySealed }).from(webhookEvent).where(isIt);
  if (row === undefined) return null;
  const body = unseal(row.bodySealed, { column: "webhook_event.body_sealed", row: [tenant, id] });
  return noticeOf(row.event, parseJson(body));
}

type Moments = { nextTryAt: SQL; doneAt?: SQL };

const doneNow = { doneAt: sql`clock_timestamp()`, nextTryAt: sql`clock_timestamp()` };

type Change = Partial<Pick<typeof webhookEvent.$inferInsert, "state" | "object" | "failure">>;

async function note(
  { store, tenant }: Work,
  group: Group,
  { at, change }: { at: Moments; change: Change },
): Promise<void> {
  await store.transaction(async (tx) => {
    await tx
      .update(webhookEvent)
      .set({ ...change, ...at })
      .where(ofGroup(tenant, group));
    await publish(tx, { tenant, topic: "webhooks" });
  });
}

/** A provider in trouble is retried; a final answer is not. */
const noteFailure = (work: Work, group: Group, failure: ErrorKind): Promise<void> =>
  isProviderTrouble(failure)
    ? note(work, group, { at: { nextTryAt: storeTimeBefore(-TRY_AGAIN_MS) }, change: { failure } })
    : note(work, group, { at: doneNow, change: { failure, state: "GIVEN_UP" } });

async function refetchGroup(work: Work, group: Group, spend: Spend): Promise<Refetched> {
  const notice = await readNotice(work, group.id);
  return notice === null ? { isDone: true, object: null } : work.refetch({ notice, since: group.since, spend });
}

/** One failure must not hold up the others. */
function failureOf({ tenant }: Work, reason: unknown): ErrorKind {
  if (reason instanceof AppError) return reason.kind;
  log.error({ watch: "webhooks", tenant, err: withoutParameters(reason) }, "an event could not be heeded");
  return "malformed";
}

async function workOffOne(work: Work, group: Group, spend: Spend): Promise<boolean> {
  const refetched = await refetchGroup(work, group, spend).catch((error: unknown) => failureOf(work, error));
  if (typeof refetched === "string") {
    await noteFailure(work, group, refetched);
    return !isProviderTrouble(refetched);
  }
  if (refetched.isDone) {
    const change = { state: "DONE" as const, object: refetched.object, failure: null };
    await note(work, group, { at: doneNow, change });
  }
  return true;
}

async function giveUpOld({ store, tenant }: Work): Promise<void> {
  const given = {
    state: "GIVEN_UP" as const,
    failure: sql`coalesce(${webhookEvent.failure}, 'unavailable')`,
    ...doneNow,
  };
  const isOld = lt(webhookEvent.receivedAt, storeTimeBefore(GIVE_UP_MS));
  await store
    .update(webhookEvent)
    .set(given)
    .where(and(isWaiting(tenant), isOld));
}

/** One read for all events about the same object, each recorded when done: a crash repeats one at worst. */
export async function workOff(work: Work): Promise<void> {
  const { store, tenant } = work;
  const key = { tenant, name: "webhooks" };
  const memory = Memory.parse(await recall(store, key));
  const now = await storeNow(store);
  const isOver = now.getTime() - memory.since.getTime() >= MINUTE_MS;
  const window = isOver ? { since: now, spent: 0 } : memory;
  const spend: Spend = (calls) => {
    if (window.spent + calls > MAX_CALLS_A_MINUTE) return false;
    window.spent += calls;
    return true;
  };
  await giveUpOld(work);
  const groups = await dueGroups(work);
  for (const group of groups) if (!(await workOffOne(work, group, spend))) break;
  await remember(store, key, window);
}

/** A watch's own, for the call log and its turns. */
export const actorsOf = (name: "webhooks" | "replays", tenant: string): RefetchDeps["actors"] => ({
  onboarding: watchActor(name, tenant, "onboarding:read"),
  wallets: watchActor(name, tenant, "wallets:read"),
});

/** Each event triggers it; on its own schedule it handles the rest. */
export const webhookWatch: Watch = {
  name: "webhooks",
  intervalMs: 10_000,
  async sweep(tenant) {
    const store = await db();
    const actors = actorsOf("webhooks", tenant);
    await workOff({ store, tenant, refetch: (job) => refetch({ store, tenant, actors }, job) });
  },
};

const hintsOf = (onBoardingId: string) => lookupHashes(hintKeyOf({ wakes: "onboarding", onBoardingId }));

/** What areas read from the interface, beside what was delivered. */
export const expectedWatch: Watch = {
  name: EXPECTED_WATCH,
  topic: "webhooks",
  sweep: (tenant) => sweepExpected(watchActor(EXPECTED_WATCH, tenant, "webhooks:read"), hintsOf),
};
