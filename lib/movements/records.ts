import { sql, type SQL } from "drizzle-orm";
import { NETWORKS, type Network } from "@/lib/contract/crypto";
import { can, type Role } from "@/lib/permission/permission";
import { movementExport, movementSource } from "@/lib/db/tables/movements";

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
