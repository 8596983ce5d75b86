import { eq } from "drizzle-orm";
import { beforeEach, expect, it, vi } from "vitest";
import { refuseRequest } from "@/lib/approvals/decide";
import { withdraw } from "@/lib/approvals/withdraw";
import { getSession } from "@/lib/auth/session";
import { walletBalance } from "@/lib/db/tables/wallets";
import { sessionOf } from "@/test/support/auth";
import { givenCoins, TO } from "@/test/support/coins";
import { actorOf } from "@/test/support/console";
import { recallSends } from "./demo";
import { refreshHistory } from "./history";
import { listSends } from "./queries";

let coins: Awaited<ReturnType<typeof givenCoins>>;
beforeEach(async () => {
  coins = await givenCoins();
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: coins.makerId, roles: ["finance"] }));
});

const recall = () =>
  recallSends(coins.db, {
    maker: coins.maker(),
    agree: (approvalId) => coins.authorise(approvalId),
    reject: (approvalId) => refuseRequest(coins.approver, { approvalId, reason: "Endereço não confere." }),
    withdraw: (approvalId) => withdraw(actorOf("finance", coins.makerId, "approvals:read"), { approvalId }),
    tried: (ordering) => ordering.catch(() => null),
  });

it("the demo has sends in each state that lasts, once enough of the chains is read", async () => {
  const { walletId, address } = await coins.givenWallet({ amount: "900" });
  expect(await recall()).toBe(false);
  for (const amount of ["1.01", "1.02", "1.03", "1.04", "1.05", "1.06"])
    await coins.wallets.sent({ network: "ETHEREUM", fromAddress: address, to: TO, amount });
  const place = { walletId, address, network: "ETHEREUM" } as const;
  await refreshHistory(actorOf("finance", coins.makerId, "wallets:read"), place);
  expect(await coins.db.$count(walletBalance, eq(walletBalance.walletId, walletId))).toBe(1);
  expect(await recall()).toBe(true);
  const { rows, counts } = await listSends();
  expect(counts).toEqual({ all: 13, waiting: 1, open: 2, done: 7, apart: 3 });
  expect([...new Set(rows.map(({ state }) => state))].toSorted()).toEqual(
    ["DONE", "HELD", "NOT_SENT", "REFUSED", "REJECTED", "UNKNOWN", "WAITING"].toSorted(),
  );
  expect(rows.filter(({ state, hash }) => state === "DONE" && hash === null)).toEqual([]);
  expect(await recall()).toBe(true);
  expect((await listSends()).counts.all).toBe(13);
});
