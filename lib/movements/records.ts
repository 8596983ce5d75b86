import { inArray, sql, type SQL } from "drizzle-orm";
import { idKey } from "@/lib/contract/identity";
import { NETWORKS, type Network } from "@/lib/contract/crypto";
import { can, type Role } from "@/lib/permission/permission";
import { placeKey, type StoredHistory } from "@/lib/wallets/records";
import { accountEntry } from "@/lib/db/tables/accounts";
import { movementExport, movementSource } from "@/lib/db/tables/movements";
import { hrefWith } from "@/lib/text/page";
import { civilDay } from "@/lib/text/time";

type Source = Pick<typeof movementSource.$inferSelect, "kind" | "ref">;
type Place = { walletId: string; network: Network | null };

/** `ref` of a wallet's source on one network. */
export const refOf = ({ walletId, network }: Place): string => `${network ?? ""}:${walletId}`;

export function movementPlace(ref: string): Place {
  const end = ref.indexOf(":");
  return { walletId: ref.slice(end + 1), network: NETWORKS.find((one) => one === ref.slice(0, end)) ?? null };
}

/** The id that the file shows. */
export const idOf = ({ kind, ref }: Source): string => (kind === "wallet" ? movementPlace(ref).walletId : ref);

export const mayWallets = ({ roles }: { roles: readonly Role[] }): boolean => can(roles, "wallets:read");

/** A file that contains wallets is limited to people who may see them. */
export const isSeenBy = (reader: { roles: readonly Role[] }): SQL | undefined =>
  mayWallets(reader)
    ? undefined
    : sql`not exists (select from ${movementSource} where ${movementSource.tenant} = ${movementExport.tenant}
        and ${movementSource.exportId} = ${movementExport.id} and ${movementSource.kind} = 'wallet')`;

/** Entries with this transaction id, as it was told or in one case, by their index. */
export function isEntryCalled(typed: string): SQL {
  const id = idKey(typed);
  return inArray(accountEntry.transactionId, [id, id.toLowerCase(), id.toUpperCase()]);
}

type Entry = Pick<typeof accountEntry.$inferSelect, "accountRef" | "transactionId" | "at" | "isDated">;

export function entryHref({ accountRef, transactionId, at, isDated }: Entry): string {
  const day = civilDay(at);
  return hrefWith(`/accounts/${accountRef}`, { ...(isDated && { from: day, to: day }), entry: transactionId });
}

/** Why a source was not read that can lack nothing of a file. */
export const MADE_LATER = "made-later";

export const isMadeAfter = (madeAt: Date | null, toDay: string): boolean => madeAt !== null && civilDay(madeAt) > toDay;

const readMs = ({ asOf }: StoredHistory) => asOf?.getTime() ?? -1;

/** An address that is listed under two ids is one: what was read of it best stands for both. */
export function onePerPlace(histories: readonly StoredHistory[]): StoredHistory[][] {
  const byPlace = new Map<string, StoredHistory[]>();
  for (const one of histories) {
    const place = one.network === null ? one.walletId : placeKey(one.network, one.address);
    byPlace.set(place, [...(byPlace.get(place) ?? []), one]);
  }
  return [...byPlace.values()].map((same) =>
    same.toSorted((one, other) => Number(other.isWhole) - Number(one.isWhole) || readMs(other) - readMs(one)),
  );
}
