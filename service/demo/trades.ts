import { eq } from "drizzle-orm";
import type { Call } from "@/service/context";
import { centsToReais } from "@/service/ledger/account";
import { KNOWN_ASSETS } from "@/service/ledger/account";
import { newTrade } from "@/service/otc/record-trade";
import { otcTrade } from "@/service/otc/schema";
import type { Tx } from "@/service/store/transaction";
import { type Dice, someCents } from "./people";

const DAY_MS = 86_400_000;
const TRADES = 12;
const MARKETS = [
  { assetId: "BITCOIN", reais: [540_000, 610_000], quantities: ["0.05", "0.125", "0.35", "1.2"] },
  { assetId: "ETHEREUM", reais: [17_500, 21_000], quantities: ["0.8", "2.5", "14"] },
  { assetId: "SOLANA", reais: [780, 960], quantities: ["25", "140.5"] },
  { assetId: "XRPL", reais: [11, 15], quantities: ["4500", "20000"] },
] as const;

export async function fillTrades(call: Call, tx: Tx, dice: Dice): Promise<void> {
  const trades = Array.from({ length: TRADES }, (_, index) => {
    const { assetId, reais, quantities } = dice.pick(MARKETS);
    const asset = KNOWN_ASSETS.find(({ id }) => id === assetId);
    if (!asset?.network) throw new Error(`${assetId} is not known`);
    const isNewest = index === TRADES - 1;
    const createdAt = new Date(call.clock.now() - (TRADES - index) * 2 * DAY_MS + dice.int(0, DAY_MS));
    const trade = newTrade(call, asset, {
      clientId: call.tenant.clientId,
      side: dice.pick(["BUY", "SELL"]),
      network: asset.network,
      quantity: dice.pick(quantities),
      price: centsToReais(someCents(dice, reais[0], reais[1])),
      status: isNewest ? "QUOTED" : "SETTLED",
    });
    return { ...trade, createdAt, settledAt: trade.settledAt && new Date(createdAt.getTime() + DAY_MS / 24) };
  });
  await tx.insert(otcTrade).values(trades);
}

export async function anyTrade({ db, tenant }: Call): Promise<string | undefined> {
  const ofTenant = eq(otcTrade.clientId, tenant.clientId);
  const [first] = await db
    .select({ id: otcTrade.id })
    .from(otcTrade)
    .where(ofTenant)
    .orderBy(otcTrade.createdAt)
    .limit(1);
  return first?.id;
}
