import { expect, it } from "vitest";
import { accountReading } from "@/lib/db/tables/accounts";
import { account } from "@/lib/db/tables/customers";
import { chainReading } from "@/lib/db/tables/wallets";
import { givenEnv, givenStore } from "@/test/support/console";
import { givenSubjects } from "@/test/support/position";
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
