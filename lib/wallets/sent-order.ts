import { and, desc, eq } from "drizzle-orm";
import { z } from "zod";
import { approval } from "@/lib/db/tables/approvals";
import { readSnapshot } from "@/lib/approvals/snapshot";
import { NETWORKS } from "@/lib/contract/crypto";
import { seal, unseal, unsealedOrNull } from "@/lib/db/seal";
import type { Db, Tx } from "@/lib/db/connection";
import { providerIntent } from "@/lib/db/tables/provider";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { CryptoOrder } from "./inputs";
import { cryptoOrder } from "@/lib/db/tables/wallets";
import type { SentOrder } from "./view";

const StoredOrder: z.ZodType<SentOrder> = z.strictObject({
  network: z.enum(NETWORKS),
  to: z.string(),
  amount: z.string(),
  /** As the wallet's balance named it then; a token that nobody named by its address. */
  asset: z.string(),
});

type OrderKey = { tenant: string; intentId: string };

const target = ({ tenant, intentId }: OrderKey) =>
  ({ column: "crypto_order.order_sealed", row: [tenant, intentId] }) as const;

/** With its intent; one that was refused may be ordered again, corrected. */
export async function storeSentOrder(tx: Tx, key: OrderKey, order: SentOrder): Promise<void> {
  const row = { orderSealed: seal(JSON.stringify(StoredOrder.parse(order)), target(key)), orderedAt: new Date() };
  await tx
    .insert(cryptoOrder)
    .values({ ...key, ...row })
    .onConflictDoUpdate({ target: [cryptoOrder.tenant, cryptoOrder.intentId], set: row });
}

/** What was proposed under this intent; of an order that was sent before orders were kept. */
async function proposedOrder(store: Db | Tx, { tenant, intentId }: OrderKey): Promise<SentOrder | null> {
  const [row] = await store
    .select()
    .from(approval)
    .where(and(eq(approval.tenant, tenant), eq(approval.intentId, intentId), eq(approval.kind, "crypto.transfer")));
  const snapshot = row === undefined ? null : await readSnapshot(row);
  if (snapshot === null) return null;
  const { network, to, amount } = CryptoOrder.parse(JSON.parse(snapshot.order));
  const { headline } = snapshot.shown;
  if (headline.as === "coins") return { network, to, amount, asset: headline.asset };
  // An earlier version's headline reads `1.5 ETH`.
  const asset = headline.as === "text" ? headline.text.replace(`${amount} `, "") : network;
  return { network, to, amount, asset };
}

const openedOrder = (key: OrderKey, orderSealed: string): SentOrder | null => {
  const opened = unsealedOrNull(() => unseal(orderSealed, target(key)));
  return opened === null ? null : StoredOrder.parse(JSON.parse(opened));
};

/** Null where nothing here knows. */
export async function readSentOrder(store: Db | Tx, key: OrderKey): Promise<SentOrder | null> {
  const [row] = await store
    .select({ orderSealed: cryptoOrder.orderSealed })
    .from(cryptoOrder)
    .where(and(eq(cryptoOrder.tenant, key.tenant), eq(cryptoOrder.intentId, key.intentId)));
  return (row === undefined ? null : openedOrder(key, row.orderSealed)) ?? proposedOrder(store, key);
}

/** Whether a transfer to this address was confirmed, as far as is kept here. */
export async function wasSentTo(
  store: Db | Tx,
  tenant: string,
  { network, to }: Pick<SentOrder, "network" | "to">,
): Promise<boolean> {
  const rows = await store
    .select({ intentId: cryptoOrder.intentId, orderSealed: cryptoOrder.orderSealed })
    .from(cryptoOrder)
    .innerJoin(providerIntent, ofIntent(cryptoOrder))
    .where(and(eq(cryptoOrder.tenant, tenant), eq(providerIntent.state, "DONE")))
    .orderBy(desc(cryptoOrder.orderedAt));
  return rows.some(({ intentId, orderSealed }) => {
    const sent = openedOrder({ tenant, intentId }, orderSealed);
    return sent?.network === network && sent.to === to;
  });
}
