import { beforeEach, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import type { Role } from "@/lib/permission/permission";
import { sessionOf } from "@/test/support/auth";
import { givenCoins, order } from "@/test/support/coins";
import { actorOf, givenStaff } from "@/test/support/console";
import {
  externalOrder,
  internalOrder,
  openAccount,
  orderExternalTransfer,
  orderInternalTransfer,
} from "@/test/support/transfers";
import { exportSent, listSent } from "./queries";
import type { SentRow } from "./sent-view";

let coins: Awaited<ReturnType<typeof givenCoins>>;
let other = "";

const signIn = (role: Role, staffId = coins.makerId, tenant = "aurora") =>
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, tenant, roles: [role] }));

const shown = (rows: readonly SentRow[]) =>
  rows.map((sent) => [
    sent.kind === "coins" ? "COINS" : sent.row.kind,
    sent.row.state,
    sent.kind === "coins" ? (sent.row.order?.amount ?? null) : sent.row.amount,
  ]);

const maker = (staffId: string) => actorOf("finance", staffId, "transfers:create");

const all = async (filter: Record<string, unknown> = {}) => shown((await listSent(filter)).rows);

/** By two people: a transfer and a TED of the one, coins that left and coins that wait, and one of the other. */
beforeEach(async () => {
  coins = await givenCoins();
  other = await givenStaff(coins.db, "finance");
  const { walletId } = await coins.givenWallet();
  const parties = [await openAccount(coins.service, 1_000), await openAccount(coins.service)] as const;
  await orderInternalTransfer(maker(coins.makerId), internalOrder(parties, { amount: "10.00" }));
  await orderExternalTransfer(maker(other), externalOrder(parties[0], { value: "20.00" }));
  await coins.authorise(await coins.propose(order(walletId, { amount: "1,5" })));
  await coins.propose(order(walletId, { amount: "2" }));
  await coins.authorise(await coins.propose(order(walletId, { amount: "5000" })));
  signIn("finance");
});

it("lists reais and coins in one order, with the sums of each asset", async () => {
  const { rows, sums, total, people } = await listSent({});
  expect(shown(rows)).toEqual([
    ["COINS", "REFUSED", "5000"],
    ["COINS", "WAITING", "2"],
    ["COINS", "DONE", "1.5"],
    ["EXTERNAL", "CONFIRMED", "20.00"],
    ["INTERNAL", "CONFIRMED", "10.00"],
  ]);
  expect([total, sums.apart, sums.unread]).toEqual([5, 1, 0]);
  expect(sums.rows).toEqual([
    { done: "30.00", open: "0.00", returned: "0.00" },
    { done: "1.50", open: "2.00", returned: "0.00", coin: { network: "ETHEREUM", asset: "ETH", token: null } },
  ]);
  expect(new Set(people.map(({ id }) => id))).toEqual(new Set([coins.makerId, other]));
});

it.each<[string, () => Record<string, unknown>, string[]]>([
  ["a person", () => ({ who: other }), ["EXTERNAL"]],
  ["oneself", () => ({ who: "me" }), ["COINS", "COINS", "COINS", "INTERNAL"]],
  ["a kind", () => ({ kind: "EXTERNAL" }), ["EXTERNAL"]],
  ["coins", () => ({ kind: "COINS", stage: "done" }), ["COINS"]],
  ["what waits", () => ({ stage: "waiting" }), ["COINS"]],
  ["what left", () => ({ stage: "done" }), ["COINS", "EXTERNAL", "INTERNAL"]],
  ["what failed", () => ({ stage: "apart" }), ["COINS"]],
  ["what came back", () => ({ stage: "returned" }), []],
  ["another period", () => ({ from: "2020-01-01", to: "2020-01-31" }), []],
])("is narrowed to %s, in the list, its sums and its file", async (_, filterOf, kinds) => {
  const filter = filterOf();
  expect((await all(filter)).map(([kind]) => kind)).toEqual(kinds);
  expect((await listSent(filter)).total).toBe(kinds.length);
  const { parts } = await exportSent(filter);
  let file = "";
  for await (const part of parts) file += part;
  const ids = (await listSent(filter)).rows.map(({ row }) => row.id);
  const rows = file.split("\r\n").filter((line) => ids.some((id) => line.includes(id)));
  expect(rows.map((line) => ids.findIndex((id) => line.includes(id)))).toEqual(ids.map((_id, at) => at));
});

it("shows who may not see wallets the transfers in reais alone", async () => {
  signIn("support");
  const { rows, sums, hasCoins } = await listSent({});
  expect([rows.map(({ kind }) => kind), sums.rows.length, hasCoins]).toEqual([["reais", "reais"], 1, false]);
  expect(await all({ kind: "COINS" })).toEqual([]);
});

it("shows nothing of another company's", async () => {
  signIn("finance", coins.makerId, "boreal");
  expect(await listSent({})).toMatchObject({ rows: [], total: 0, people: [], sums: { rows: [], apart: 0 } });
});
