import { orderCoins } from "./send-coins";
import { expect, it, vi } from "vitest";
import { providerIntent } from "@/lib/db/tables/provider";
import { cryptoOrder } from "@/lib/db/tables/wallets";
import { actorOf } from "@/test/support/console";
import { givenCoins, order } from "@/test/support/coins";
import { refreshHistory } from "./history";
import type { likeMovements } from "./like-movements";

const looked = vi.hoisted(() => ({ tooEarly: 0 }));

vi.mock("./like-movements", async (importOriginal) => {
  const real = await importOriginal<{ likeMovements: typeof likeMovements }>();
  const early: typeof likeMovements = async (...looking) => {
    if (looked.tooEarly === 0) return real.likeMovements(...looking);
    looked.tooEarly -= 1;
    return [];
  };
  return { ...real, likeMovements: early };
});

it("sends nothing when the watch reads a like movement between claim and send", async () => {
  const { db, sent, makerId, maker, givenAlone, givenWallet } = await givenCoins();
  await givenAlone();
  const { walletId, address } = await givenWallet();
  const first = order(walletId);
  await orderCoins(maker(), first);
  for (const table of [cryptoOrder, providerIntent]) await db.delete(table);
  await refreshHistory(actorOf("finance", makerId, "wallets:read"), { walletId, address, network: "ETHEREUM" });
  looked.tooEarly = 1;
  const repeated = { kind: "conflict", details: { code: "crypto-transfer-repeated" } };
  await expect(orderCoins(maker(), first)).rejects.toMatchObject(repeated);
  expect(looked.tooEarly).toBe(0);
  expect(sent).toHaveLength(1);
});
