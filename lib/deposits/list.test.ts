import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { deposit } from "@/lib/db/tables/deposits";
import { wallet, walletBalance } from "@/lib/db/tables/wallets";
import { civilDaysAgo, civilInstant } from "@/lib/text/time";
import { walletWatch } from "@/lib/wallets/watch";
import { sweepOnce } from "@/lib/watch/watch";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import type { Harness } from "@/test/support/service/harness";
import { asDocumented } from "@/test/support/wallets";
import { readDeposits } from "./list";

let db: Db;
let service: Harness;
let staffId = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "finance");
  service = await givenService(
    () => {},
    (serve) => async (request) => asDocumented(request, await serve(request)),
  );
});

it("counts the days since an arrival by the calendar, as its date is read", async () => {
  const at = civilInstant(`${civilDaysAgo(1)}T23:59:59`);
  const arrived = { kind: "arrival", standing: "arrived", stage: "confirmed" } as const;
  await db
    .insert(deposit)
    .values({ tenant: "aurora", id: randomUUID(), ...arrived, amount: "1", at, seenAt: new Date() });
  const { rows } = await readDeposits(actorOf("finance", staffId, "wallets:read"), { view: "all" });
  expect(rows.map(({ ageDays }) => ageDays)).toEqual([1]);
});

const unread = async () => (await readDeposits(actorOf("finance", staffId, "wallets:read"))).unreadWallets;

it("says how many wallets have something unread, and that none is known before", async () => {
  for (const reference of ["PEDIDO-1", "PEDIDO-2"])
    await service.send("POST", "/v1/crypto/checkout/address", { body: { network: "EVM", reference } });
  expect(await unread()).toBeNull();
  await sweepOnce(walletWatch, "aurora");
  await sweepOnce(walletWatch, "aurora");
  expect(await db.$count(wallet)).toBeGreaterThanOrEqual(2);
  expect(await unread()).toBe(0);
  await db.update(walletBalance).set({ movedAt: new Date() });
  expect(await unread()).toBe(await db.$count(wallet));
  await sweepOnce(walletWatch, "aurora");
  expect(await unread()).toBe(0);
});
