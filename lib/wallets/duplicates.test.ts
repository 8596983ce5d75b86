import { orderCoins } from "./send-coins";
import { reviewSend } from "./review-send";
import { eq, not } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { readSnapshot } from "@/lib/approvals/snapshot";
import { withdraw } from "@/lib/approvals/withdraw";
import { approval } from "@/lib/db/tables/approvals";
import { providerIntent } from "@/lib/db/tables/provider";
import { chainMovement, cryptoOrder } from "@/lib/db/tables/wallets";
import { form, givenCoins, order, TO } from "@/test/support/coins";
import { actorOf, givenStaff } from "@/test/support/console";
import { readWalletHistory } from "./history-list";

let coins: Awaited<ReturnType<typeof givenCoins>>;
let walletId = "";
let address = "";

beforeEach(async () => {
  coins = await givenCoins();
  ({ walletId, address } = await coins.givenWallet());
});

const refusing = (code: string) => ({ kind: "conflict", details: { code } });
const intentIs = (id: string, set: Partial<typeof providerIntent.$inferInsert>) =>
  coins.db.update(providerIntent).set(set).where(eq(providerIntent.id, id));

/** Each leaves one order of 1.5 ETH in a stage of its life. */
const STAGES = {
  waiting: async () => {
    await coins.propose(order(walletId));
  },
  authorised: async () => {
    const id = await coins.propose(order(walletId));
    await coins.db.update(approval).set({ state: "AUTHORISED" }).where(eq(approval.id, id));
  },
  sending: async () => {
    const given = order(walletId);
    await coins.authorise(await coins.propose(given));
    await intentIs(given.intentId, { state: "SENDING", finishedAt: null });
  },
  unknown: async () => {
    coins.lost.answers = 1;
    await coins.authorise(await coins.propose(order(walletId)));
  },
  held: async () => {
    const given = order(walletId);
    await coins.authorise(await coins.propose(given));
    await intentIs(given.intentId, { state: "HELD" });
  },
  contradicted: async () => {
    const given = order(walletId);
    await coins.authorise(await coins.propose(given));
    await intentIs(given.intentId, { state: "REFUSED", contradictedAt: new Date() });
  },
} as const;

const CODES = {
  waiting: "crypto-transfer-waiting",
  authorised: "crypto-transfer-waiting",
  sending: "crypto-transfer-unsettled",
  unknown: "crypto-transfer-unsettled",
  held: "crypto-transfer-held",
  contradicted: "crypto-transfer-unsettled",
} as const;

const SPELLINGS = [{}, { to: TO.toLowerCase() }, { amount: "1,50" }, { to: ` ${TO} `, amount: "1,5000" }];

describe.each(Object.keys(STAGES).filter((name): name is keyof typeof STAGES => name in STAGES))(
  "a like order beside one that is %s",
  (stage) => {
    it("refuses a similar order in any spelling, by anybody", async () => {
      await STAGES[stage]();
      const other = await givenStaff(coins.db, "finance");
      const left = coins.sent.length;
      for (const spelling of SPELLINGS) {
        const again = orderCoins(coins.maker(other), order(walletId, spelling));
        await expect(again).rejects.toMatchObject(refusing(CODES[stage]));
        const review = reviewSend(coins.maker(), form(walletId, spelling));
        await expect(review).rejects.toMatchObject(refusing(CODES[stage]));
      }
      await coins.givenAlone();
      await expect(orderCoins(coins.maker(), order(walletId))).rejects.toMatchObject(refusing(CODES[stage]));
      expect(coins.sent).toHaveLength(left);
    });

    it("passes an order with another amount, network or wallet", async () => {
      await STAGES[stage]();
      const second = await coins.givenWallet();
      for (const [from, change] of [
        [walletId, { amount: "1,51" }],
        [walletId, { network: "POLYGON" }],
        [second.walletId, {}],
      ] as const)
        await expect(orderCoins(coins.maker(), order(from, change))).resolves.toMatchObject({ state: "PROPOSED" });
    });
  },
);

const tenAtOnce = async () => {
  const people = await Promise.all(Array.from({ length: 3 }, () => givenStaff(coins.db, "finance")));
  const asked = Array.from({ length: 10 }, (_, nth) => orderCoins(coins.maker(people[nth % 3]), order(walletId)));
  const answers = await Promise.allSettled(asked);
  for (const answer of answers)
    if (answer.status === "rejected") expect(answer.reason).toMatchObject({ kind: "conflict" });
  return answers.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
};

describe("ten like orders at once, of three people", () => {
  it("creates one proposal for ten similar orders of three people", async () => {
    expect(await tenAtOnce()).toMatchObject([{ state: "PROPOSED" }]);
    expect(await coins.db.$count(approval)).toBe(1);
    expect(coins.sent).toEqual([]);
  });

  it("sends one of ten similar orders when no approval is needed", async () => {
    await coins.givenAlone();
    expect(await tenAtOnce()).toMatchObject([{ state: "DONE" }]);
    expect(coins.sent).toHaveLength(1);
  });
});

it("has the store refuse a second open order of one fingerprint", async () => {
  await coins.propose(order(walletId));
  const second = await coins.propose(order(walletId, { amount: "2" }));
  const [row] = await coins.db.select().from(approval).where(eq(approval.id, second));
  const isOfSecond = eq(cryptoOrder.intentId, row?.intentId ?? "");
  const [open] = await coins.db.select().from(cryptoOrder).where(not(isOfSecond));
  const forged = coins.db
    .update(cryptoOrder)
    .set({ fingerprintHash: open?.fingerprintHash ?? "" })
    .where(isOfSecond);
  await expect(forged).rejects.toMatchObject({ cause: { code: "23505" } });
});

describe("a like order after one that is over", () => {
  it("proposes an order again after the first was withdrawn", async () => {
    const approvalId = await coins.propose(order(walletId));
    await withdraw(actorOf("finance", coins.makerId, "approvals:read"), { approvalId });
    await expect(orderCoins(coins.maker(), order(walletId))).resolves.toMatchObject({ state: "PROPOSED" });
  });

  it("shows a repeat with the first's hash, and sends it once confirmed", async () => {
    await coins.givenAlone();
    const first = order(walletId);
    const done = await orderCoins(coins.maker(), first);
    const txHash = done.state === "DONE" ? (done.hash?.txHash ?? null) : null;
    const { repeats } = await reviewSend(coins.maker(), form(walletId));
    expect(repeats).toMatchObject([{ ref: first.intentId, txHash, byName: "Ana Prado" }]);
    const unseen = orderCoins(coins.maker(), order(walletId));
    await expect(unseen).rejects.toMatchObject(refusing("crypto-transfer-repeated"));
    const seen = orderCoins(coins.maker(), order(walletId, { seen: [first.intentId] }));
    await expect(seen).resolves.toMatchObject({ state: "DONE" });
    const third = orderCoins(coins.maker(), order(walletId, { seen: [first.intentId] }));
    await expect(third).rejects.toMatchObject(refusing("crypto-transfer-repeated"));
    expect(coins.sent).toHaveLength(2);
  });

  it("shows the approver the repeat that its maker saw", async () => {
    const first = order(walletId);
    await coins.authorise(await coins.propose(first));
    const [kept] = await coins.db.select().from(cryptoOrder);
    await coins.propose(order(walletId, { seen: [first.intentId] }));
    const [, second] = await coins.db.select().from(approval).orderBy(approval.createdAt);
    const shown = second === undefined ? null : (await readSnapshot(second))?.shown;
    const repeat = shown?.facts.find(({ name }) => name === "repeat")?.after;
    expect(repeat).toMatchObject({ as: "sends", sends: [{ txHash: kept?.txHash }] });
    expect(kept?.txHash).toMatch(/^0x/);
  });

  it("asks nothing about a repeat after three days", async () => {
    await coins.givenAlone();
    const first = order(walletId);
    await orderCoins(coins.maker(), first);
    await intentIs(first.intentId, { finishedAt: new Date(Date.now() - 3 * 86_400_000 - 1_000) });
    expect(await reviewSend(coins.maker(), form(walletId))).toMatchObject({ repeats: [] });
  });
});

const elsewhere = () => coins.wallets.sent({ network: "ETHEREUM", fromAddress: address, to: TO, amount: "1.50" });

describe("a like transfer that stands on the chain alone", () => {
  it("shows a similar chain transfer before another one is requested", async () => {
    const { txHash } = await elsewhere();
    await readWalletHistory(actorOf("finance", coins.makerId, "wallets:read"), walletId);
    expect(await reviewSend(coins.maker(), form(walletId))).toMatchObject({
      repeats: [{ ref: txHash, txHash, byName: null }],
    });
    const unseen = orderCoins(coins.maker(), order(walletId));
    await expect(unseen).rejects.toMatchObject(refusing("crypto-transfer-repeated"));
    await coins.propose(order(walletId, { seen: [txHash] }));
  });

  it("finds a similar transfer behind many other movements of the wallet", async () => {
    const { txHash } = await elsewhere();
    await readWalletHistory(actorOf("finance", coins.makerId, "wallets:read"), walletId);
    const of = { tenant: "aurora", walletId, network: "ETHEREUM", ordinal: 0, subtype: "incoming" } as const;
    const others = Array.from({ length: 250 }, (_, nth) => ({
      ...of,
      key: `key-${nth}`,
      hash: `0x${String(nth).padStart(64, "0")}`,
      counterAddress: `0x${String(nth).padStart(40, "0")}`,
      amount: "1",
      at: new Date(),
    }));
    await coins.db.insert(chainMovement).values(others);
    expect(await reviewSend(coins.maker(), form(walletId))).toMatchObject({ repeats: [{ ref: txHash }] });
  });

  it("ends a request authorised after a similar transfer, and sends nothing", async () => {
    const approvalId = await coins.propose(order(walletId));
    await elsewhere();
    await coins.authorise(approvalId);
    expect(await coins.endOf(approvalId)).toEqual(["FAILED", "crypto-transfer-on-chain"]);
    expect(coins.sent).toEqual([]);
  });

  it("ends no request whose maker saw the similar transfer", async () => {
    const { txHash } = await elsewhere();
    const approvalId = await coins.propose(order(walletId, { seen: [txHash] }));
    await coins.authorise(approvalId);
    expect(await coins.endOf(approvalId)).toEqual(["EXECUTED", null]);
  });
});

it("sends nothing while the provider does not return the wallet's history", async () => {
  const approvalId = await coins.propose(order(walletId));
  const path = `/v1/crypto/wallets/${address}/history`;
  await coins.service.control("POST", "/sandbox/faults", { method: "GET", path, times: 50, status: 500 });
  await coins.authorise(approvalId);
  expect(await coins.endOf(approvalId)).toEqual(["FAILED", "crypto-history-unread"]);
  expect(coins.sent).toEqual([]);
});
