import { APPROVABLE_WRITES } from "@/lib/writes/approvable";
import { orderCoins } from "@/lib/wallets/send-coins";
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { authorise } from "@/lib/approvals/decide";
import { BalanceEntry, type ChainFamily, type Network } from "@/lib/contract/crypto";
import { readSnapshot } from "@/lib/approvals/snapshot";
import { approval, approvalPolicy } from "@/lib/db/tables/approvals";
import { wallet, walletBalance } from "@/lib/db/tables/wallets";
import { SendForm, SendOrder } from "@/lib/wallets/inputs";
import { middleOf } from "@/lib/wallets/view";
import { type Manner, otherProvider } from "@/test/other-provider";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "./console";
import { STRANGERS, walletsOf } from "./service/crypto";

const TRANSFER = "/v1/crypto/transfer";

export const TO = STRANGERS.ETHEREUM;

export const form = (walletId: string, changes: object = {}): SendForm =>
  SendForm.parse({ walletId, network: "ETHEREUM", token: "", to: TO, amount: "1,5", ...changes });

type Changes = Partial<Record<keyof SendOrder, unknown>> & { to?: string };

export const order = (walletId: string, changes: Changes = {}): SendOrder => {
  const { to = TO } = changes;
  const named = { intentId: randomUUID(), middleSix: middleOf(to.trim()).text };
  return SendOrder.parse({ walletId, network: "ETHEREUM", token: "", to, amount: "1,5", ...named, ...changes });
};

/** A person who sends coins, and the provider's service on today's clock. */
export async function givenCoins() {
  givenEnv();
  const db = await givenStore();
  const requests: Request[] = [];
  const lost = { answers: 0 };
  const manner: Manner = {};
  const service = await givenService(
    (request) => {
      if (new URL(request.url).pathname === TRANSFER) requests.push(request.clone());
    },
    (serve) => async (request) => {
      const answer = await otherProvider(serve, manner)(request);
      if (new URL(request.url).pathname !== TRANSFER || lost.answers === 0) return answer;
      lost.answers -= 1;
      return new Response(null, { status: 500 });
    },
  );
  service.clock.set(Date.now());
  const wallets = walletsOf(service);
  const makerId = await givenStaff(db, "finance");
  const approver = actorOf("approver", await givenStaff(db, "approver"), "approvals:authorize");

  async function listed(address: string, family: ChainFamily, id: string = randomUUID()): Promise<string> {
    const at = new Date();
    const named = { address, family, coin: "", status: "ACTIVE" };
    await db.insert(wallet).values({ tenant: "aurora", id, ...named, createdAt: at, seenAt: at });
    return id;
  }

  return {
    db,
    service,
    wallets,
    makerId,
    approver,
    /** Requests of coins that reached the provider. */
    sent: requests,
    /** Loses that many next answers after their effect. */
    lost,
    /** The provider's deviations from ours. */
    manner,
    listed,
    maker: (staffId = makerId, tenant?: string) => actorOf("finance", staffId, "crypto-transfers:create", tenant),
    givenAlone: async () => {
      const rule = { kind: "crypto.transfer", version: 1, rule: "never", expiresAfterHours: 24 } as const;
      await db.insert(approvalPolicy).values({ tenant: "aurora", ...rule, staffId: makerId, createdAt: new Date() });
    },
    /** With fifty coins, at the provider and in the last reading. */
    givenWallet: async ({ family = "EVM", network = "ETHEREUM", amount = "50" }: GivenWallet = {}) => {
      const { address } = await wallets.create(family);
      await wallets.deposit({ network, address, amount });
      const walletId = await listed(address, family);
      const entries = (await wallets.balances(address, network)).map((entry) => BalanceEntry.parse(entry));
      await db
        .insert(walletBalance)
        .values({ tenant: "aurora", walletId, network, entries, asOf: new Date("2026-07-01T12:00:00Z") });
      return { walletId, address };
    },
    propose: async (given: SendOrder): Promise<string> => {
      const done = await orderCoins(actorOf("finance", makerId, "crypto-transfers:create"), given);
      if (done.state !== "PROPOSED") throw new Error(`it was ${done.state}`);
      return done.approvalId;
    },
    authorise: (approvalId: string) => authorise(APPROVABLE_WRITES, approver, { approvalId }),
    endOf: async (approvalId: string) => {
      const [row] = await db.select().from(approval).where(eq(approval.id, approvalId));
      return [row?.state, row?.code];
    },
  };
}

type GivenWallet = { family?: ChainFamily; network?: Network; amount?: string };

type Coins = Awaited<ReturnType<typeof givenCoins>>;

/** Authorises the proposal and returns its facts without times. */
export async function approvalsOf(coins: Coins, proposing: Promise<{ state: string; approvalId?: string }>) {
  const { approvalId = "" } = await proposing;
  const [row] = await coins.db.select().from(approval).where(eq(approval.id, approvalId));
  const snapshot = row === undefined ? null : await readSnapshot(row);
  await coins.authorise(approvalId);
  return (snapshot?.shown.facts ?? []).map(({ name, after }) => [
    name,
    after.as === "sends" ? { as: after.as, sends: after.sends.map(({ txHash }) => ({ txHash })) } : after,
  ]);
}
