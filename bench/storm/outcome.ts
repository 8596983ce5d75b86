import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { statementOf } from "@/bench/service/population";
import { Balance } from "@/lib/contract/accounts";
import type { Receiver } from "./receiver";
import { type Account, bodyOf, type Order, type TenantClient } from "./tenant-client";

const SETTLED_WITHIN_MS = 90_000;
const POLL_MS = 200;
const ATTEMPTS = 4;

const Books = z.looseObject({ data: z.looseObject({ balanced: z.boolean(), drift: z.number() }) });
const Delivery = z.looseObject({
  id: z.string(),
  status: z.enum(["PENDING", "DELIVERED", "FAILED"]),
  attempts: z.array(z.looseObject({})),
});
type Delivery = z.infer<typeof Delivery>;

const cents = (decimal: string) => Number(decimal.replace(".", ""));

/** The expected balance and entries after the acknowledged orders, from `openingCents`. */
function expectation(account: Account, orders: readonly Order[], openingCents: number) {
  const expected = { available: openingCents, blocked: 0, entries: new Map<string, number>() };
  for (const order of orders) {
    const isSource = order.from === account;
    const isExecuted = order.outcome === "done" || order.outcome === "released";
    if (isSource && order.outcome === "held") {
      expected.available -= order.cents;
      expected.blocked += order.cents;
    }
    if (!isExecuted || (!isSource && order.to !== account)) continue;
    expected.available += isSource ? -order.cents : order.cents;
    expected.entries.set(order.transactionId, isSource ? -order.cents : order.cents);
  }
  return expected;
}

/** Compares an account's entries and its two balances with what was acknowledged. */
export async function judgeAccount(
  client: TenantClient,
  account: Account,
  { orders, openingCents }: { orders: readonly Order[]; openingCents: number },
) {
  const expected = expectation(account, orders, openingCents);
  const read = async (path: string) => bodyOf(await client.ask({ method: "GET", path }));
  const found = await statementOf(read, account);
  const opening = found.findLastIndex(({ type, direction }) => type === "PIX" && direction === "CREDIT");
  const isFound = new Set<string>();
  let doubled = 0;
  for (const { transactionId, amount, direction } of found.filter((_, index) => index !== opening)) {
    const moved = direction === "CREDIT" ? cents(amount) : -cents(amount);
    if (expected.entries.get(transactionId) !== moved || isFound.has(transactionId)) doubled += 1;
    isFound.add(transactionId);
  }
  const { accountId, documentNumber } = account;
  const path = `/v1/bank-accounts/balance?accountId=${accountId}&documentNumber=${documentNumber}`;
  const { data } = Balance.parse(await read(path));
  const isRight = cents(data.balance) === expected.available && cents(data.blockedBalance) === expected.blocked;
  const lost = [...expected.entries.keys()].filter((id) => !isFound.has(id)).length;
  return { lost, doubled, wrongBalances: isRight ? 0 : 1 };
}

export async function judgeBooks({ control }: TenantClient) {
  return Books.parse(bodyOf(await control({ method: "GET", path: "/sandbox/ledger/check" }))).data;
}

async function settledDeliveries({ control, tenant }: TenantClient): Promise<Delivery[]> {
  const lateAtMs = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const path = `/sandbox/deliveries?clientId=${tenant.clientId}`;
    const { data } = z.looseObject({ data: z.array(Delivery) }).parse(bodyOf(await control({ method: "GET", path })));
    if (data.every(({ status }) => status !== "PENDING") || performance.now() > lateAtMs) return data;
    await pause(POLL_MS);
  }
}

function isRightlyEnded({ id, status, attempts }: Delivery, { seen }: Receiver): boolean {
  const at = seen.get(id);
  if (!at || at.bodies.size !== 1 || attempts.length > ATTEMPTS) return false;
  return at.manner === "fails always" ? status === "FAILED" && attempts.length === ATTEMPTS : status === "DELIVERED";
}

/**
 * Compares one tenant's deliveries with what the receiver saw and with the acknowledged onboardings, each of which
 * raises one event on request and one on confirmation.
 */
export async function judgeEvents(client: TenantClient, receiver: Receiver, onboardingIds: readonly string[]) {
  const deliveries = await settledDeliveries(client);
  const own = [...receiver.seen.values()].filter(({ clientId }) => clientId === client.tenant.clientId);
  const bodies = own.flatMap((event) => [...event.bodies]);
  const ofOnboarding = (id: string) => bodies.filter((body) => body.includes(id)).length;
  const count = (status: Delivery["status"]) => deliveries.filter((delivery) => delivery.status === status).length;
  const recorded = deliveries.reduce((sum, { attempts }) => sum + attempts.length, 0);
  return {
    delivered: count("DELIVERED"),
    failed: count("FAILED"),
    unsettled: deliveries.filter((delivery) => !isRightlyEnded(delivery, receiver)).length,
    missing: onboardingIds.filter((id) => ofOnboarding(id) !== 2).length + Math.abs(own.length - deliveries.length),
    repeated: own.reduce((sum, { times }) => sum + times, 0) - recorded,
  };
}
