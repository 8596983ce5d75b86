import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { Balance, History, type StatementEntry } from "@/lib/contract/accounts";
import { type Account, type TenantClient, type Order, bodyOf } from "./tenant-client";

import type { Receiver } from "./receiver";

const SETTLED_WITHIN_MS = 90_000;
const POLL_MS = 200;

const Books = z.looseObject({ data: z.looseObject({ balanced: z.boolean(), drift: z.number() }) });
const Deliveries = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string(),
      status: z.enum(["PENDING", "DELIVERED", "FAILED"]),
      attempts: z.array(z.looseObject({})),
    }),
  ),
});
type Delivery = z.infer<typeof Deliveries>["data"][number];

const cents = (decimal: string) => Number(decimal.replace(".", ""));

async function statementOf({ ask }: TenantClient, { accountId, documentNumber }: Account): Promise<StatementEntry[]> {
  const whole = `accountId=${accountId}&documentNumber=${documentNumber}&initialDate=2000-01-01&endDate=2999-12-31`;
  const entries: StatementEntry[] = [];
  for (let [page, pages] = [1, 1]; page <= pages; page += 1) {
    const path = `/v1/bank-accounts/history?${whole}&limit=500&page=${page}`;
    const { data } = History.parse(bodyOf(await ask({ method: "GET", path })));
    entries.push(...data.transactions);
    pages = data.totalPages ?? 1;
  }
  return entries;
}

async function balanceOf({ ask }: TenantClient, { accountId, documentNumber }: Account) {
  const path = `/v1/bank-accounts/balance?accountId=${accountId}&documentNumber=${documentNumber}`;
  const { data } = Balance.parse(bodyOf(await ask({ method: "GET", path })));
  return { available: cents(data.balance), blocked: cents(data.blockedBalance) };
}

const isExecuted = ({ outcome }: Order) => outcome === "done" || outcome === "released";

/** What the acknowledged orders make of an account that had `openingCents`. */
function expectation(account: Account, orders: readonly Order[], openingCents: number) {
  const expected = { available: openingCents, blocked: 0, entries: new Map<string, number>() };
  for (const order of orders) {
    const isSource = order.from === account;
    if (isSource && order.outcome === "held") {
      expected.available -= order.cents;
      expected.blocked += order.cents;
    }
    if (!isExecuted(order) || (!isSource && order.to !== account)) continue;
    expected.available += isSource ? -order.cents : order.cents;
    expected.entries.set(order.transactionId, isSource ? -order.cents : order.cents);
  }
  return expected;
}

export type MoneyOutcome = { lost: number; doubled: number; wrongBalances: number };

/** Compares one account with what was acknowledged: entry by entry, then its two balances. */
export async function judgeAccount(
  client: TenantClient,
  account: Account,
  { orders, openingCents }: { orders: readonly Order[]; openingCents: number },
): Promise<MoneyOutcome> {
  const expected = expectation(account, orders, openingCents);
  const found = await statementOf(client, account);
  const opening = found.findLastIndex(({ type, direction }) => type === "PIX" && direction === "CREDIT");
  const movements = found.filter((_, index) => index !== opening);
  const isFound = new Set<string>();
  let doubled = 0;
  for (const { transactionId, amount, direction } of movements) {
    const wanted = expected.entries.get(transactionId);
    const moved = direction === "CREDIT" ? cents(amount) : -cents(amount);
    if (wanted !== moved || isFound.has(transactionId)) doubled += 1;
    isFound.add(transactionId);
  }
  const lost = [...expected.entries.keys()].filter((id) => !isFound.has(id)).length;
  const { available, blocked } = await balanceOf(client, account);
  const isRight = available === expected.available && blocked === expected.blocked;
  return { lost, doubled, wrongBalances: isRight ? 0 : 1 };
}

/** What the service itself says of its books. */
export async function judgeBooks({ control }: TenantClient): Promise<{ balanced: boolean; drift: number }> {
  return Books.parse(bodyOf(await control({ method: "GET", path: "/sandbox/ledger/check" }))).data;
}

async function deliveriesOf({ control, tenant }: TenantClient): Promise<Delivery[]> {
  const path = `/sandbox/deliveries?clientId=${tenant.clientId}`;
  return Deliveries.parse(bodyOf(await control({ method: "GET", path }))).data;
}

async function settledDeliveries(client: TenantClient): Promise<Delivery[]> {
  const lateAtMs = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const deliveries = await deliveriesOf(client);
    if (deliveries.every(({ status }) => status !== "PENDING") || performance.now() > lateAtMs) return deliveries;
    await pause(POLL_MS);
  }
}

const ATTEMPTS = 4;

function isRightlyEnded({ id, status, attempts }: Delivery, { seen }: Receiver): boolean {
  const at = seen.get(id);
  if (!at || at.bodies.size !== 1 || attempts.length > ATTEMPTS) return false;
  return at.manner === "fails always" ? status === "FAILED" && attempts.length === ATTEMPTS : status === "DELIVERED";
}

export type EventsOutcome = { delivered: number; failed: number; unsettled: number; missing: number; repeated: number };

/**
 * Compares one tenant's deliveries with what the receiver saw, and with the onboardings that were acknowledged: each raises
 * an event when it is asked for and one when it is confirmed.
 */
export async function judgeEvents(
  client: TenantClient,
  receiver: Receiver,
  onboardingIds: readonly string[],
): Promise<EventsOutcome> {
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
