import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { account } from "@/lib/db/tables/customers";
import type { Db } from "@/lib/db/connection";
import { walletLabel } from "@/lib/db/tables/wallets";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { givenHistory, givenWallet } from "@/test/support/movements";
import { openAccount } from "@/test/support/transfers";
import { lookUp } from "@/lib/accounts/look-up";
import { findMovementSource } from "./find-source";

let db: Db;
let finance: string;

const find = (query: string, role: "finance" | "support" = "finance") =>
  findMovementSource(actorOf(role, finance, "accounts:read"), { query });

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  finance = await givenStaff(db, "finance");
});

describe("the filter by account or wallet", () => {
  it("finds an account by its number, by branch and number, and by its id", async () => {
    const service = await givenService();
    const { accountId, onBoardingId } = await openAccount(service);
    const found = await lookUp(actorOf("finance", finance, "accounts:read"), { query: onBoardingId });
    if (!("accountRef" in found)) throw new Error("the account is found");
    const [known] = await db.select().from(account).where(eq(account.ref, found.accountRef));
    if (known === undefined) throw new Error("the account is stored");
    const { ref, branch, number } = known;
    const spellings = [number, number.replace("-", ""), `${branch}/${number}`, ` ${accountId};`, ref];
    for (const spelling of spellings) expect(await find(spelling)).toEqual({ account: ref });
  });

  it("finds a wallet by its address in any case, its id or its label", async () => {
    await givenWallet({ id: "wal-1", family: "EVM", address: "0xAbC1" });
    await givenHistory("wal-1", [], { network: "ETHEREUM" });
    await db
      .insert(walletLabel)
      .values({ tenant: "aurora", walletId: "wal-1", label: "Treasury", setBy: finance, setAt: new Date() });
    for (const spelling of ["0xabc1", "0xABC1", "wal-1", "treasury"])
      expect(await find(spelling)).toEqual({ wallet: "wal-1" });
    await expect(find("wal-1", "support")).rejects.toMatchObject({ details: { code: "source-unknown" } });
  });

  it("refuses a name that no source has, or that several have", async () => {
    await givenWallet({ id: "wal-1", family: "EVM", address: "0x01" });
    await givenWallet({ id: "wal-2", family: "EVM", address: "0x02" });
    for (const walletId of ["wal-1", "wal-2"]) {
      await givenHistory(walletId, [], { network: "ETHEREUM" });
      await db
        .insert(walletLabel)
        .values({ tenant: "aurora", walletId, label: "Shop", setBy: finance, setAt: new Date() });
    }
    await expect(find("0x03")).rejects.toMatchObject({ details: { code: "source-unknown" } });
    await expect(find("Shop")).rejects.toMatchObject({ details: { code: "source-several" } });
  });
});
