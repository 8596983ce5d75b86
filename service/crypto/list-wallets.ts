import { and, desc, eq } from "drizzle-orm";
import type { z } from "zod";
import type { WalletsQuery } from "@/lib/contract/crypto";
import type { Call } from "@/service/context";
import { wallet } from "./schema";
import { FAMILY_COINS } from "./wallet";

/**
 * The tenant's wallets, newest first (interface: Crypto wallet (list item)); `userId` and `reference` beside the documented
 * fields where a wallet has one.
 */
export async function listWallets({ db, tenant }: Call, query: z.output<typeof WalletsQuery>) {
  const { network, status, limit, offset } = query;
  if (status !== undefined && status !== "ACTIVE") return [];
  const wallets = await db
    .select()
    .from(wallet)
    .where(and(eq(wallet.clientId, tenant.clientId), network && eq(wallet.family, network)))
    .orderBy(desc(wallet.sequence))
    .limit(limit)
    .offset(offset);
  return wallets.map((one) => ({
    id: one.id,
    clientId: one.clientId,
    network: one.family,
    address: one.address,
    coin: FAMILY_COINS[one.family],
    status: one.status,
    isForwardPayment: one.isForwardPayment,
    createdAt: one.createdAt.toISOString(),
    ...(one.userId === null ? {} : { userId: one.userId }),
    ...(one.reference === null ? {} : { reference: one.reference }),
  }));
}
