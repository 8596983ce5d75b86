import { expect, it } from "vitest";
import { accountReading } from "@/lib/db/tables/accounts";
import { account } from "@/lib/db/tables/customers";
import { chainReading, wallet } from "@/lib/db/tables/wallets";
import { givenEnv, givenStore } from "@/test/support/console";
import { givenWallet } from "@/test/support/movements";
import { givenSubjects } from "@/test/support/position";
import { summarizeMovements } from "./sums";
import { readKinds } from "./unread-sources";

it("calls a kind read once each of its sources was read", async () => {
  givenEnv();
  const db = await givenStore();
  const tenant = "aurora";
  const at = new Date();
  const kinds = () => readKinds(db, tenant);
  expect(await kinds()).toEqual({ account: false, wallet: false });
  await givenSubjects(db, { accounts: 2, wallets: 1 });
  const [first, second] = (await db.select({ accountRef: account.ref }).from(account)).map((one) => ({
    tenant,
    ...one,
  }));
  if (first === undefined || second === undefined) throw new Error("there are two accounts");
  await db.insert(accountReading).values([{ ...first, until: at }, second]);
  expect(await kinds()).toEqual({ account: false, wallet: false });
  await db.update(accountReading).set({ until: at });
  await db
    .insert(chainReading)
    .values({ tenant, walletId: "wallet-0", network: "BITCOIN", tokenAddress: "0xa", asOf: at });
  expect(await kinds()).toEqual({ account: true, wallet: false });
  await db.insert(chainReading).values({ tenant, walletId: "wallet-0", network: "BITCOIN", asOf: at });
  expect(await kinds()).toEqual({ account: true, wallet: true });
});

it("says of a deposit address of the last day that its event tells first", async () => {
  givenEnv();
  const db = await givenStore();
  await givenWallet({ id: "w" });
  const finance = { tenant: "aurora", roles: ["finance"] } as const;
  const gaps = async () => (await summarizeMovements(finance, {})).gaps.named.map(({ why }) => why);
  await db.update(wallet).set({ isForwardPayment: true, firstSeenAt: new Date() });
  expect(await gaps()).toEqual(["awaiting-deposit"]);
  await db.update(wallet).set({ firstSeenAt: new Date(Date.now() - 25 * 60 * 60_000) });
  expect(await gaps()).toEqual(["never-read"]);
});
