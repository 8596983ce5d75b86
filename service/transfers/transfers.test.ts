import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TransferConfirmed } from "@/lib/contract/accounts";
import { losslessNumber } from "@/lib/contract/json";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { type Account, balanceOf, openAccount, statementOf, ted, transfer } from "@/test/support/service/transfers";

let service: Harness;
let ana: Account;
let bia: Account;
beforeEach(async () => {
  service = await startService({ environment: { SERVICE_RATE_LIMIT_PER_MINUTE: "10000" } });
  [ana, bia] = [await openAccount(service, { reais: 100 }), await openAccount(service)];
});
afterEach(() => expectBalancedBooks(service.call().db));

const idOf = ({ body }: { body: unknown }) => TransferConfirmed.parse(body).data.transactionId;

describe("an internal transfer", () => {
  it("moves the money at once and shows on both statements under its id", async () => {
    const reply = await transfer(service, [ana, bia], {
      amount: losslessNumber("30.10"),
      fields: { description: "Almoço" },
    });
    expect(reply).toMatchObject({ status: 200, body: { status: "CONFIRMED" } });
    expect([await balanceOf(service, ana), await balanceOf(service, bia)]).toEqual([
      ["69.90", "0.00"],
      ["30.10", "0.00"],
    ]);
    const entry = { transactionId: idOf(reply), type: "INTERNAL", amount: "30.10", description: "Almoço" };
    expect((await statementOf(service, ana))[0]).toMatchObject({ ...entry, direction: "DEBIT" });
    expect(await statementOf(service, bia)).toMatchObject([{ ...entry, direction: "CREDIT" }]);
  });

  it("writes a statement description even when the order had none", async () => {
    await transfer(service, [ana, bia], { amount: 1 });
    expect((await statementOf(service, bia))[0]?.description).not.toBe("");
  });

  it("empties the account, and answers 422 to a cent more", async () => {
    expect((await transfer(service, [ana, bia], { amount: 100.01 })).status).toBe(422);
    expect((await transfer(service, [ana, bia], { amount: 100 })).status).toBe(200);
    expect(await balanceOf(service, ana)).toEqual(["0.00", "0.00"]);
    expect(await transfer(service, [ana, bia], { amount: 0.01 })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining("nsufficient") },
    });
  });

  it.each([
    ["nothing", 0],
    ["less than nothing", -1],
    ["a fraction of a cent", losslessNumber("0.001")],
    ["a text", "10.00"],
    ["more than any account has", losslessNumber("1000000000000000000.00")],
  ])("answers 400 for %s and names the field", async (_, amount) => {
    const reply = await transfer(service, [ana, bia], { amount });
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^amount: /) } });
  });

  it.each(["userId", "accountIdFrom", "accountIdTo", "amount"])(
    "answers 400 without %s and names it",
    async (field) => {
      const reply = await transfer(service, [ana, bia], { amount: 1, fields: { [field]: undefined } });
      expect(reply).toMatchObject({ status: 400, body: { message: `${field}: is required` } });
    },
  );

  it("answers 400 for a transfer to its own account", async () => {
    const reply = await transfer(service, [ana, ana], { amount: 1 });
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^accountIdTo: /) } });
  });

  it("answers 404 from or to an account that the tenant lacks", async () => {
    const foreign = await openAccount(service, { tenant: BOREAL, reais: 10 });
    const nobody = { ...ana, accountId: "nobody" };
    expect((await transfer(service, [ana, foreign], { amount: 1 })).status).toBe(404);
    expect((await transfer(service, [{ ...foreign, tenant: ana.tenant }, ana], { amount: 1 })).status).toBe(404);
    expect((await transfer(service, [nobody, ana], { amount: 1 })).status).toBe(404);
    expect((await transfer(service, [ana, nobody], { amount: 1 })).status).toBe(404);
    expect(await balanceOf(service, foreign)).toEqual(["10.00", "0.00"]);
  });

  it("lets application name the tenant in its body", async () => {
    const reply = await transfer(service, [ana, bia], { amount: 1, fields: { application: "aurora" } });
    expect(reply.status).toBe(200);
  });
});

describe("a TED", () => {
  it("takes a TED from the account, names its recipient and returns its id", async () => {
    const reply = await ted(service, ana, { amount: 40 });
    expect(reply).toMatchObject({ status: 200, body: { httpCode: 200, data: { transactionId: expect.any(String) } } });
    expect(await balanceOf(service, ana)).toEqual(["60.00", "0.00"]);
    expect((await statementOf(service, ana))[0]).toMatchObject({
      type: "TED",
      amount: "40.00",
      direction: "DEBIT",
      description: expect.stringContaining("Carlos Pereira"),
    });
  });

  it.each([
    ["bankAccountType", "CURRENT"],
    ["institutionCode", "1"],
    ["document", "12345678900"],
    ["institutionIspb", undefined],
    ["onBoardingId", undefined],
    ["name", "  "],
    ["value", 1.005],
  ])("answers 400 for a TED whose %s is %j and names it", async (field, value) => {
    const reply = await ted(service, ana, { amount: 1, fields: { [field]: value } });
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringMatching(new RegExp(`^${field}: `)) } });
  });

  it("answers 404 under another onboarding, 422 beyond the balance", async () => {
    expect((await ted(service, ana, { amount: 1, fields: { onBoardingId: bia.onBoardingId } })).status).toBe(404);
    expect((await ted(service, ana, { amount: 100.01 })).status).toBe(422);
    expect(await balanceOf(service, ana)).toEqual(["100.00", "0.00"]);
  });
});

const back = (id: string, body: object = {}) => service.control("POST", `/sandbox/transactions/${id}/return`, body);

describe("a TED that comes back", () => {
  it("returns a TED's money once, as a credit that names it, also on the receipt", async () => {
    const sent = idOf(await ted(service, ana, { amount: 40 }));
    expect(await back(sent, { reason: "conta encerrada" })).toMatchObject({
      body: { data: { originalTransactionId: sent } },
    });
    expect(await balanceOf(service, ana)).toEqual(["100.00", "0.00"]);
    const [credit, debit] = await statementOf(service, ana);
    expect(credit).toMatchObject({ type: "TED", direction: "CREDIT", amount: "40.00", originalTransactionId: sent });
    expect(credit?.description).toContain("conta encerrada");
    expect(debit).not.toHaveProperty("originalTransactionId");
    const query = new URLSearchParams({
      transactionId: credit?.transactionId ?? "",
      documentNumber: ana.documentNumber,
    });
    const receipt = await service.send("GET", `/v1/bank-accounts/getTransactionById?${query}`);
    expect(receipt).toMatchObject({ status: 200, body: { data: { originalTransactionId: sent } } });
    expect((await back(sent)).status).toBe(409);
    expect(await balanceOf(service, ana)).toEqual(["100.00", "0.00"]);
  });

  it("answers 404 for an internal transfer and an unknown one", async () => {
    expect((await back(idOf(await transfer(service, [ana, bia], { amount: 1 })))).status).toBe(404);
    expect((await back("nothing")).status).toBe(404);
  });
});

describe("many transfers at once", () => {
  it("lets exactly 100 of 200 succeed from a balance of 100; 100 are 422", async () => {
    const replies = await Promise.all(Array.from({ length: 200 }, () => transfer(service, [ana, bia], { amount: 1 })));
    const count = (status: number) => replies.filter((reply) => reply.status === status).length;
    expect([count(200), count(422)]).toEqual([100, 100]);
    expect([await balanceOf(service, ana), await balanceOf(service, bia)]).toEqual([
      ["0.00", "0.00"],
      ["100.00", "0.00"],
    ]);
  });

  it("refuses one impossible transfer without the others", async () => {
    const orders = [1, 500, 2, 600, 3].map((amount) => transfer(service, [ana, bia], { amount }));
    expect((await Promise.all(orders)).map(({ status }) => status)).toEqual([200, 422, 200, 422, 200]);
    expect(await balanceOf(service, bia)).toEqual(["6.00", "0.00"]);
  });
});
