import { eq } from "drizzle-orm";
import { getLocale } from "next-intl/server";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { getSession } from "@/lib/auth/session";
import type { Db } from "@/lib/db/connection";
import { seal } from "@/lib/db/seal";
import { intentClaim } from "@/lib/db/tables/intent-claim";
import { providerIntent } from "@/lib/db/tables/provider";
import { transfer } from "@/lib/db/tables/transfers";
import { intentTarget, openBody } from "@/lib/provider/intents/intent-record";
import { sessionOf } from "@/test/support/auth";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { textsOf } from "@/test/support/pdf";
import type { Harness } from "@/test/support/service/harness";
import { type Account, statementOf } from "@/test/support/service/transfers";
import { externalOrder, givenIntents, openAccount, transferExternal } from "@/test/support/transfers";
import type { EntryQuery } from "./inputs";
import { lookUp } from "./look-up";
import { nameFile } from "./name-file";
import { exportReceipt, getReceipt } from "./queries";
import { receiptFile } from "./view";

const Told = z.looseObject({ data: z.looseObject({}) });
const AS_ORDERED = "Conforme a ordem de TED feita aqui: o provedor não informa o favorecido.";

let db: Db;
let service: Harness;
let held: Account;
let ref = "";
let staffId = "";
let instead: Record<string, unknown> = {};

beforeEach(async () => {
  vi.mocked(getLocale).mockResolvedValue("pt-BR");
  givenEnv();
  db = await givenStore();
  instead = { counterparty: null };
  service = await givenService(
    () => {},
    (serve) => async (request) => {
      const answered = await serve(request);
      if (!request.url.includes("getTransactionById")) return answered;
      const { data, ...rest } = Told.parse(await answered.json());
      return Response.json({ ...rest, data: { ...data, ...instead } });
    },
  );
  service.clock.set(Date.now());
  givenIntents();
  held = await openAccount(service, 1000);
  staffId = await givenStaff(db, "finance");
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, tenant: "aurora", roles: ["finance"] }));
  const found = await lookUp(actorOf("finance", staffId, "accounts:read"), { query: held.onBoardingId });
  ref = "accountRef" in found ? found.accountRef : "";
});

async function ordered(): Promise<EntryQuery> {
  await transferExternal(actorOf("finance", staffId, "transfers:create"), externalOrder(held));
  const [newest] = await statementOf(service, held);
  return { transaction: newest?.transactionId ?? "", direction: "DEBIT" };
}

async function printed(given: EntryQuery, revealId: string | null = null): Promise<string[]> {
  const { parts } = await exportReceipt(ref, given, revealId);
  const { value } = await parts.next();
  const texts = textsOf(Buffer.from(value ?? []));
  return texts.slice(texts.indexOf("Quem recebeu") + 1, texts.indexOf("Transação"));
}

const PAID = [
  ["CPF ou CNPJ", "***.533.447-**"],
  ["Instituição", "BRB · Banco de Brasília S.A. · 341 · ISPB 00000208"],
  ["Agência", "0123"],
  ["Conta", "98765-4"],
  [AS_ORDERED],
].flat();
const UNTOLD = ["Nome", "Não informado"];

describe("a TED's receipt whose payee the provider does not name", () => {
  it("names a TED's payee as ordered: by initials, or in clear after a reason", async () => {
    const given = await ordered();
    instead = { counterparty: null, description: "TED para JOAO LIMA" };
    expect(await printed(given)).toEqual(["Nome", "J••• L•••", ...PAID]);
    expect(await getReceipt(ref, given)).toMatchObject({
      description: "TED para J••• L•••",
      counterparty: { name: "J••• L•••", document: "***.533.447-**", isAsOrdered: true },
      holder: { isAsOrdered: false },
    });
    const named = { ref, file: receiptFile(given), reason: "service", note: "Protocolo 8731" } as const;
    const { revealId } = await nameFile(actorOf("finance", staffId, "statement:export"), named);
    expect(await printed(given, revealId)).toEqual(["Nome", "João Lima", ...PAID]);
  });

  it("fills nothing of a TED's payee where the provider tells any part", async () => {
    const given = await ordered();
    instead = { counterparty: { bankName: "Banco Um" } };
    expect(await printed(given)).toEqual([...UNTOLD, "Instituição", "Banco Um"]);
    instead = { counterparty: { name: "Rui Reis", document: "52998224725" } };
    expect(await printed(given)).toEqual(["Nome", "R••• R•••", "CPF ou CNPJ", "***.982.247-**"]);
  });

  it("uses no other tenant's or other account's TED for a payee", async () => {
    const given = await ordered();
    const [own] = await db.select().from(transfer);
    const [intent] = await db.select().from(providerIntent);
    const [claim] = await db.select().from(intentClaim);
    if (own === undefined || intent === undefined || claim === undefined) throw new Error("nothing was ordered");
    const elsewhere = { ...intent, tenant: "boreal" };
    const bodySealed = seal(JSON.stringify(openBody(intent)), intentTarget("body_sealed", elsewhere));
    await db.insert(intentClaim).values({ ...claim, tenant: "boreal" });
    await db.insert(providerIntent).values({ ...elsewhere, bodySealed });
    await db.insert(transfer).values({ ...own, tenant: "boreal", approvalId: null });
    await db.update(transfer).set({ transactionId: null }).where(eq(transfer.tenant, "aurora"));
    expect(await printed(given)).toEqual(UNTOLD);
    const another = { transactionId: given.transaction, accountId: "another" };
    await db.update(transfer).set(another).where(eq(transfer.tenant, "aurora"));
    expect(await printed(given)).toEqual(UNTOLD);
    await db.update(transfer).set({ accountId: own.accountId }).where(eq(transfer.tenant, "aurora"));
    expect(await printed(given)).toContain(AS_ORDERED);
  });

  it("names nobody on a TED's return, even under the TED's own id", async () => {
    const { transaction } = await ordered();
    await service.control("POST", `/sandbox/transactions/${transaction}/return`, {});
    const [back] = await statementOf(service, held);
    const returnId = back?.transactionId ?? "";
    expect(back).toMatchObject({ direction: "CREDIT" });
    for (const transactionId of [transaction, returnId]) {
      await db.update(transfer).set({ returnId, transactionId });
      const { direction, counterparty } = await getReceipt(ref, { transaction: returnId, direction: "CREDIT" });
      expect({ direction, ...counterparty }).toMatchObject({ direction: "CREDIT", name: null, isAsOrdered: false });
    }
  });

  it("names no payee whose order does not open any more", async () => {
    const given = await ordered();
    await db.update(providerIntent).set({ bodySealed: null });
    expect(await printed(given)).toEqual(UNTOLD);
  });
});
