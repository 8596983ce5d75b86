import { orderCoins } from "./send-coins";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { z } from "zod";
import { approval } from "@/lib/db/tables/approvals";
import { providerIntent } from "@/lib/db/tables/provider";
import { chainReading } from "@/lib/db/tables/wallets";
import { watchActor } from "@/lib/permission/grant";
import { givenCoins, order, TO } from "@/test/support/coins";
import { givenStaff } from "@/test/support/console";
import { followSends } from "./follow-sends";

const ROUNDS = 200;
const STAGES = ["waiting", "authorised", "sending", "unknown", "held", "done"] as const;
const SPELLINGS = [(to: string) => to, (to: string) => to.toLowerCase()];

const Body = z.object({ amount: z.string() });

type Coins = Awaited<ReturnType<typeof givenCoins>>;

async function bring(coins: Coins, walletId: string, amount: string, stage: (typeof STAGES)[number]): Promise<void> {
  const first = order(walletId, { amount });
  const of = eq(providerIntent.id, first.intentId);
  if (stage === "unknown") coins.lost.answers = 1;
  const done = await orderCoins(coins.maker(), first).catch(() => null);
  if (stage === "waiting" || done?.state !== "PROPOSED") return;
  const isIt = eq(approval.id, done.approvalId);
  if (stage === "authorised") {
    await coins.db.update(approval).set({ state: "AUTHORISED" }).where(isIt);
    return;
  }
  await coins.authorise(done.approvalId);
  if (stage === "sending") await coins.db.update(providerIntent).set({ state: "SENDING" }).where(of);
  if (stage === "held") await coins.db.update(providerIntent).set({ state: "HELD" }).where(of);
}

it.each(["always", "never"] as const)(
  "sends one of two like orders in 200 rounds, whatever became of the first: %s",
  async (rule) => {
    const coins = await givenCoins();
    if (rule === "never") await coins.givenAlone();
    const { walletId } = await coins.givenWallet({ amount: "900" });
    const people = [await givenStaff(coins.db, "finance"), await givenStaff(coins.db, "finance")];
    for (let round = 0; round < ROUNDS; round += 1) {
      const amount = `1,${String(1_000 + round)}`;
      const stage = STAGES[round % STAGES.length] ?? "done";
      await bring(coins, walletId, amount, stage);
      const again = people.map((person, nth) => {
        const to = SPELLINGS[(round + nth) % SPELLINGS.length]?.(TO) ?? TO;
        return orderCoins(coins.maker(person), order(walletId, { amount, to }));
      });
      await Promise.allSettled(again);
      const waiting = await coins.db.select({ id: approval.id }).from(approval).where(eq(approval.state, "PENDING"));
      await Promise.allSettled(waiting.map(({ id }) => coins.authorise(id)));
      await coins.db.update(chainReading).set({ triedAt: new Date(0) });
      if (stage === "unknown" || stage === "held") await followSends(watchActor("wallets", "aurora", "wallets:read"));
    }
    const times = new Map<string, number>();
    for (const request of coins.sent) {
      const { amount } = Body.parse(await request.json());
      times.set(amount, (times.get(amount) ?? 0) + 1);
    }
    expect([...times].filter(([, count]) => count > 1)).toEqual([]);
    expect(times.size).toBeGreaterThan(ROUNDS / 2);
  },
);
