import { beforeEach, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { wallet, walletBalance } from "@/lib/db/tables/wallets";
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
