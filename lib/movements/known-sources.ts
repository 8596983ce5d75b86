import { asc, eq } from "drizzle-orm";
import type { MovementFormat } from "@/lib/db/enums/movements";
import type { Db } from "@/lib/db/connection";
import { account } from "@/lib/db/tables/customers";
import type { movementSource } from "@/lib/db/tables/movements";
import { pastedAddress } from "@/lib/wallets/inputs";
import { listHistories, listUnlisted, type StoredHistory } from "@/lib/wallets/records";
import { isMadeAfter, MADE_LATER, onePerPlace, refOf } from "./records";

export type Chosen = Pick<typeof movementSource.$inferInsert, "kind" | "ref" | "label" | "state" | "why">;
/** `names`: as people know it; `others`: names that may be another's; `asOf`, `madeAt`: of a wallet's history. */
export type PlannedSource = {
  source: Chosen;
  names: string[];
  others?: string[];
  asOf?: Date | null;
  madeAt?: Date | null;
};

/** How two spellings of one name are compared. */
export const plainName = (typed: string) => pastedAddress(typed).replaceAll(/\s/g, "").toLowerCase();
const shortened = (number: string) => [number.replaceAll(/[^\dXP]/gi, ""), number.split("-")[0] ?? ""];

export async function listAccountSources(store: Db, tenant: string): Promise<PlannedSource[]> {
  const rows = await store
    .select({ ref: account.ref, accountId: account.accountId, branch: account.branch, number: account.number })
    .from(account)
    .where(eq(account.tenant, tenant))
    .orderBy(asc(account.branch), asc(account.number), asc(account.ref));
  return rows.map(({ ref, accountId, branch, number }) => ({
    source: { kind: "account", ref, label: `${branch} / ${number}` },
    names: [ref, accountId, number, `${branch}/${number}`],
    others: shortened(number).flatMap((one) => [one, `${branch}/${one}`]),
  }));
}

type Wanted = { format: MovementFormat; to?: string };

function unreadBecause({ network, madeAt }: StoredHistory, { format, to }: Wanted): string | null {
  const why = format === "ofx" ? "ofx-has-no-wallets" : network === null ? "network-unknown" : null;
  return why !== null && to !== undefined && isMadeAfter(madeAt, to) ? MADE_LATER : why;
}

const asUnread = (why: string | null): Partial<Chosen> => (why === null ? {} : { state: "UNREAD", why });

/** What is listed without being understood is named, too. */
export async function listWalletSources(store: Db, tenant: string, wanted: Wanted): Promise<PlannedSource[]> {
  const histories = onePerPlace(await listHistories(store, tenant)).flatMap((same): PlannedSource[] => {
    const [best] = same;
    if (best === undefined) return [];
    const { address, family, network, asOf, madeAt } = best;
    const source = { kind: "wallet" as const, ref: refOf(best), label: `${network ?? family} / ${address}` };
    return [
      {
        source: { ...source, ...asUnread(unreadBecause(best, wanted)) },
        names: same.flatMap((one) => [one.walletId, one.address, one.label ?? ""]),
        asOf,
        madeAt,
      },
    ];
  });
  const unlisted = (await listUnlisted(store, tenant)).map((hash): PlannedSource => {
    const source = { kind: "wallet" as const, ref: refOf({ walletId: hash, network: null }), label: `? / ${hash}` };
    return { source: { ...source, ...asUnread("wallet-unreadable") }, names: [], asOf: null };
  });
  return [...histories, ...unlisted];
}

export type Find = (name: string) => readonly PlannedSource[];

function byNames(
  all: readonly PlannedSource[],
  namesOf: (one: PlannedSource) => readonly string[],
): Map<string, PlannedSource[]> {
  const named = new Map<string, PlannedSource[]>();
  for (const one of all) {
    for (const name of new Set(namesOf(one).map(plainName))) named.set(name, [...(named.get(name) ?? []), one]);
  }
  return named;
}

export function finderOf(all: readonly PlannedSource[]): Find {
  const own = byNames(all, ({ names }) => names);
  const other = byNames(all, ({ others = [] }) => others);
  return (name) => own.get(plainName(name)) ?? other.get(plainName(name)) ?? [];
}
