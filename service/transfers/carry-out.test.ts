import { afterEach, beforeEach, describe, expect, it } from "vitest";
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

describe("createTransfers", () => {
  it("decides by current data after another process wrote", async () => {
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

  it("refuses a transfer to an account closed meanwhile", async () => {
    await transfer(service, [ana, bia], { amount: 1 });
    await transfer(service, [bia, ana], { amount: 1 });
    const { db, accounts } = service.call();
    const facts = await accounts.find(bia.accountId);
    await transaction(db, (tx) => closeAccounts(tx, facts ? [facts.available] : []));
    expect(await transfer(service, [ana, bia], { amount: 10 })).toMatchObject({ status: 422 });
    expect(await balanceOf(service, ana)).toEqual(["100.00", "0.00"]);
  });

  it("refuses a key whose request is running, and accepts it afterwards", async () => {
    const call = service.call();
    const claim = { clientId: call.tenant.clientId, key: "k", fingerprint: "f" };
    const order = { call, claim, accounts: [], rule: () => ({ answer: { status: 200, text: "{}" } }) };
    const first = call.carryOut(order);
    await expect(call.carryOut(order)).rejects.toMatchObject({ status: 409 });
    await first;
    await expect(call.carryOut(order)).resolves.toMatchObject({ status: 200, text: "{}" });
  });

  it("carries out the others beside a refused transfer", async () => {
    const asked = [10, 500, 20].map((amount) => transfer(service, [ana, bia], { amount }));
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 422, 200]);
    expect(await balanceOf(service, bia)).toEqual(["30.00", "0.00"]);
  });
});
