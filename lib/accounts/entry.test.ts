import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { type Manner, otherProvider } from "@/test/other-provider";
import { actorOf, givenEnv, givenService, givenStore } from "@/test/support/console";
import { openAccount } from "@/test/support/transfers";
import { type Account, statementOf, transfer } from "@/test/support/service/transfers";
import type { Harness } from "@/test/support/service/harness";
import { type EntryField, readEntry, readEntryAndCounterparty } from "./receipt";

let service: Harness;
let payer: Account;
let payee: Account;
let manner: Manner = {};
let instead: unknown = null;

beforeEach(async () => {
  givenEnv();
  await givenStore();
  [manner, instead] = [{}, null];
  service = await givenService(
    () => {},
    (serve) => async (request) => {
      if (!request.url.includes("getTransactionById")) return serve(request);
      return instead === null ? otherProvider(serve, manner)(request) : Response.json(instead);
    },
  );
  payer = await openAccount(service, 100);
  payee = await openAccount(service);
});

const read = async ({ documentNumber }: Account, transaction: string, direction?: "CREDIT" | "DEBIT") =>
  readEntry(actorOf("support", randomUUID(), "accounts:read"), {
    documentNumber,
    object: "account:1",
    transaction,
    direction,
  });
const told = (fields: readonly EntryField[]) =>
  Object.fromEntries(fields.map(({ name, path, text }) => [name ?? path, text]));

async function paid(): Promise<string> {
  await transfer(service, [payer, payee], { amount: 12.5, fields: { description: "Aluguel" } });
  const [entry] = await statementOf(service, payer);
  return entry?.transactionId ?? "";
}

describe("an entry of a statement", () => {
  it.each<[string, Manner]>([
    ["the embedded service", {}],
    ["a provider with Portuguese names", { undocumented: { names: "portuguese", wrapping: "nested" } }],
    ["a provider with snake_case names", { undocumented: { names: "snake_case", wrapping: "bare" } }],
  ])("shows an entry's counterparty, masked, by %s", async (_, its) => {
    const id = await paid();
    manner = its;
    const { entry, counterparty } = await read(payer, id, "DEBIT");
    expect(told(entry)).toMatchObject({
      transactionId: id,
      type: "INTERNAL",
      amount: "12.5",
      description: "Aluguel",
      date: expect.stringMatching(/^2026-/),
    });
    expect(told(counterparty)).toMatchObject({
      name: expect.stringMatching(/^\S•••/),
      documentNumber: expect.stringMatching(/^\*\*\*\./),
      accountId: payee.accountId,
    });
    expect((await read(payee, id, "CREDIT")).counterparty).not.toEqual([]);
    await expect(read(payer, id, "CREDIT")).rejects.toMatchObject({ kind: "not-found" });
  });

  it("knows the counterparty in clear where it is told, and shows it masked", async () => {
    const asked = { documentNumber: payer.documentNumber, object: "account:1", transaction: await paid() };
    const actor = actorOf("support", randomUUID(), "accounts:read");
    const ask = () => readEntryAndCounterparty(actor, { ...asked, direction: "DEBIT" });
    expect(await ask()).toMatchObject({
      counterparty: { document: null, accountId: payee.accountId },
      direction: "DEBIT",
    });
    instead = { data: { sentido: "credito", recebedor: { documento: payee.documentNumber } } };
    const { detail, ...known } = await ask();
    expect(known).toEqual({
      counterparty: { document: payee.documentNumber, accountId: null },
      direction: "CREDIT",
    });
    expect(JSON.stringify(detail)).not.toContain(payee.documentNumber);
  });

  it("shows an entry's other details under the provider's own names", async () => {
    instead = {
      data: { e2e_id: "E00000000202603091200abc", canal: "app", recebedor: { nome: "Ana Prado", banco: "Banco Um" } },
    };
    const { entry, counterparty, others } = await read(payer, "t");
    expect(told(entry)).toEqual({ endToEndId: "E00000000202603091200abc" });
    expect(told(counterparty)).toEqual({ name: "A••• P•••", bankName: "Banco Um" });
    expect(told(others)).toEqual({ "data.canal": "app" });
  });
});
