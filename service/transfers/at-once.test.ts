import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { closeAccounts } from "@/service/ledger/account";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { transaction } from "@/service/store/transaction";
import { type Harness, startService } from "@/test/support/service/harness";
import { type Account, balanceOf, openAccount, transfer } from "@/test/support/service/transfers";

let service: Harness;
let ana: Account;
let bia: Account;
beforeEach(async () => {
  service = await startService();
  [ana, bia] = [await openAccount(service, { reais: 100 }), await openAccount(service)];
});
afterEach(() => expectBalancedBooks(service.call().db));

/** The next transfer by what memory has is entered, and the connection lost before the database can say so. */
function loseTheAnswer(): void {
  const { session } = service.call().db._;
  const prepare = session.prepareQuery.bind(session);
  const spy = vi.spyOn(session, "prepareQuery").mockImplementation((...given) => {
    const prepared = prepare(...given);
    const [, , name] = given;
    if (name !== "transfer_at_once") return prepared;
    spy.mockRestore();
    const execute = prepared.execute.bind(prepared);
    vi.spyOn(prepared, "execute").mockImplementation(async (values) => {
      await execute(values);
      throw new Error("Connection terminated unexpectedly");
    });
    return prepared;
  });
}

describe("a transfer decided by what memory has", () => {
  it("is decided by what the database has, when that is something else", async () => {
    await transfer(service, [ana, bia], { amount: 1 });
    const other = await service.restart();
    await transfer(other, [ana, bia], { amount: 79 });
    expect(await transfer(service, [ana, bia], { amount: 50 })).toMatchObject({ status: 422 });
    await transfer(other, [bia, ana], { amount: 10 });
    expect(await transfer(service, [ana, bia], { amount: 30 })).toMatchObject({ status: 200 });
    expect([await balanceOf(service, ana), await balanceOf(service, bia)]).toEqual([
      ["0.00", "0.00"],
      ["100.00", "0.00"],
    ]);
  });

  it("is refused by an account that was closed meanwhile", async () => {
    await transfer(service, [ana, bia], { amount: 1 });
    await transfer(service, [bia, ana], { amount: 1 });
    const { db, accounts } = service.call();
    const facts = await accounts.find(bia.accountId);
    await transaction(db, (tx) => closeAccounts(tx, facts ? [facts.available] : []));
    expect(await transfer(service, [ana, bia], { amount: 10 })).toMatchObject({ status: 422 });
    expect(await balanceOf(service, ana)).toEqual(["100.00", "0.00"]);
  });

  it("gets its answer under its key though the connection was lost, and moves the money once", async () => {
    await transfer(service, [ana, bia], { amount: 1 });
    loseTheAnswer();
    const first = await transfer(service, [ana, bia], { amount: 10, key: "once" });
    expect(first.status).toBe(200);
    expect(await balanceOf(service, bia)).toEqual(["11.00", "0.00"]);
  });

  it("without a key is not tried again when nobody knows whether it was carried out", async () => {
    await transfer(service, [ana, bia], { amount: 1 });
    loseTheAnswer();
    expect(await transfer(service, [ana, bia], { amount: 10 })).toMatchObject({ status: 500 });
    expect(await balanceOf(service, bia)).toEqual(["11.00", "0.00"]);
  });

  it("leaves those beside it alone when it is refused", async () => {
    await transfer(service, [ana, bia], { amount: 1 });
    const asked = [10, 500, 20].map((amount) => transfer(service, [ana, bia], { amount }));
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 422, 200]);
    expect(await balanceOf(service, bia)).toEqual(["31.00", "0.00"]);
  });
});
