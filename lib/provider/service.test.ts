import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { watchActor } from "@/lib/permission/grant";
import { completeCnpj, completeCpf } from "@/lib/contract/document";
import { losslessNumber } from "@/lib/contract/json";
import { CompanyKyc, ManualDecision, PersonKyc } from "@/lib/contract/kyc";
import { Subscriptions } from "@/lib/contract/webhooks";
import { companyRequest, personRequest } from "@/test/support/service/accounts";
import { AURORA, BOREAL, type Harness } from "@/test/support/service/harness";
import type { Provider } from "./client";
import * as operations from "./operations";
import { type BankAtService, givenBankAtService } from "@/test/support/provider-at-service";

const READER = watchActor("wallets", AURORA.clientId, "accounts:read");
const CPF = completeCpf("529982247");
const CNPJ = completeCnpj("529982240001");
const REFUSED_CPF = completeCpf("529982001");

let at: BankAtService;
let service: Harness;
let bank: Provider;

beforeEach(async () => {
  at = await givenBankAtService();
  ({ service, bank } = at);
});

const Requested = z.object({ data: z.object({ body: z.object({ onBoardingId: z.string() }) }) });
const Started = z.object({ data: z.object({ kycUUID: z.string() }) });
const Opened = z.object({ data: z.object({ walletId: z.string(), address: z.string() }) });

async function requestAccount(body: unknown): Promise<string> {
  const { body: answer } = await service.send("POST", "/v1/bank-accounts/create", { body });
  return Requested.parse(answer).data.body.onBoardingId;
}

/** A confirmed account with this credit; returns the ids for its statement. */
async function openAccount(reais: string): Promise<{ accountId: string; documentNumber: string }> {
  const onBoardingId = await requestAccount(personRequest(CPF));
  await service.advance(60_000);
  const { data } = (await bank.get(READER, operations.checkOnboarding, { query: { onBoardingId } })).answer;
  const accountId = data.body.account.accountId ?? "";
  const amount = losslessNumber(reais);
  const credit = { amount, type: "PIX", description: "Venda" };
  expect(await service.control("POST", `/sandbox/bank-accounts/${accountId}/credit`, credit)).toMatchObject({
    status: 200,
  });
  return { accountId, documentNumber: CPF };
}

const HOLDER = { vatNumber: CPF, name: "Ana Souza", birthDate: "07-05-1990", motherName: "Maria Souza" };

async function startKyc(): Promise<string> {
  const started = await service.send("POST", "/v1/kyc/person", { body: { backgroundcheckModel: "BASIC", ...HOLDER } });
  return Started.parse(started.body).data.kycUUID;
}

async function openWallet(network: string): Promise<string> {
  const opened = await service.send("POST", "/v1/crypto/wallets", { body: { network } });
  return Opened.parse(opened.body).data.address;
}

const march = { initialDate: "2026-03-01", endDate: "2026-03-31" };

type Story = () => Promise<void>;
type Name = keyof typeof operations;
type WriteName = { [One in Name]: (typeof operations)[One] extends operations.Write ? One : never }[Name];

/** Every read of the console, against the service as it is; each write is carried out there in lib/outcomes/queries.test.ts. */
const STORIES: Record<Exclude<Name, WriteName>, Story> & Partial<Record<WriteName, Story>> = {
  async checkOnboarding() {
    const onBoardingId = await requestAccount(personRequest(CPF));
    const ask = () => bank.get(READER, operations.checkOnboarding, { query: { onBoardingId } });
    expect((await ask()).answer.data).toMatchObject({ status: "PROCESSING", body: { account: { accountId: null } } });
    await service.advance(60_000);
    expect((await ask()).answer.data).toMatchObject({ status: "CONFIRMED", body: { clientCode: "aurora" } });
  },
  async getBalance() {
    const query = await openAccount("9007199254740.93");
    const { data } = (await bank.get(READER, operations.getBalance, { query })).answer;
    expect(data).toMatchObject({ accountId: query.accountId, balance: "9007199254740.93", blockedBalance: "0.00" });
  },
  async getHistory() {
    const query = { ...(await openAccount("0.01")), ...march, limit: 50, page: 1, onlyPixEntries: true };
    const { data } = (await bank.get(READER, operations.getHistory, { query })).answer;
    expect(data).toMatchObject({ page: 1, totalPages: 1 });
    expect(data.transactions).toMatchObject([
      { amount: "0.01", type: "PIX", direction: "CREDIT", description: "Venda" },
    ]);
  },
  async getTransaction() {
    const { documentNumber, accountId } = await openAccount("0.01");
    const { data } = (await bank.get(READER, operations.getHistory, { query: { documentNumber, accountId, ...march } }))
      .answer;
    const [entry] = data.transactions;
    const transactionId = entry !== undefined && "transactionId" in entry ? entry.transactionId : "";
    const query = { documentNumber, transactionId, cashIn: "true" };
    const { answer } = await bank.get(READER, operations.getTransaction, { query });
    expect(answer).toMatchObject({ data: { transactionId, type: "PIX", direction: "CREDIT", status: "CONFIRMED" } });
  },
  async getAccounts() {
    const { accountId } = await openAccount("1.00");
    const { answer } = await bank.get(READER, operations.getAccounts, { query: march });
    expect(JSON.stringify(answer)).toContain(accountId);
  },
  async getPersonInfo() {
    const query = await openAccount("1.00");
    const { answer } = await bank.get(READER, operations.getPersonInfo, { query });
    expect(answer).toMatchObject({ data: { accountId: query.accountId, status: "ACTIVE" } });
  },
  async getAccountByPixKey() {
    const { accountId } = await openAccount("1.00");
    const { answer } = await bank.get(READER, operations.getAccountByPixKey, { query: { pixKey: accountId } });
    expect(answer).toMatchObject({ data: { accountId, keyType: "EVP" } });
  },
  async introspectToken() {
    expect(await bank.askOfToken(READER, operations.introspectToken)).toBeNull();
    await bank.get(READER, operations.listSubscriptions);
    const asked = await bank.askOfToken(READER, operations.introspectToken);
    expect(asked?.answer).toMatchObject({ active: true, client_id: "aurora", exp: expect.any(Number) });
    await service.advance(3_600_000);
    const later = await bank.askOfToken(READER, operations.introspectToken);
    expect(later?.answer).toMatchObject({ active: false, reason: "expired" });
  },
  async revokeToken() {
    await bank.get(READER, operations.listSubscriptions);
    expect(await bank.askOfToken(READER, operations.revokeToken)).not.toBeNull();
    expect(await bank.askOfToken(READER, operations.introspectToken)).toBeNull();
  },
  async getOtcTrade() {
    const ask = bank.get(READER, operations.getOtcTrade, { params: { id: "nobody" } });
    await expect(ask).rejects.toMatchObject({ kind: "not-found" });
  },
  async getCompanyInfo() {
    const query = { accountId: (await openAccount("1.00")).accountId, documentNumber: CNPJ };
    await expect(bank.get(READER, operations.getCompanyInfo, { query })).rejects.toMatchObject({ kind: "not-found" });
  },
  async closeAccount() {
    const { accountId: account } = await openAccount("0.01");
    const body = { userId: "user-1", userAccessToken: "a token", code: "918273", account, reason: "A pedido" };
    await expect(bank.post(READER, operations.closeAccount, { body })).rejects.toMatchObject({
      kind: "invalid",
      details: { status: 422, mayHaveExecuted: false },
    });
  },
  async listWallets() {
    const address = await openWallet("EVM");
    const { data } = (await bank.get(READER, operations.listWallets, { query: { limit: 100, offset: 0 } })).answer;
    expect(data).toMatchObject([{ address, network: "EVM", status: "ACTIVE", clientId: "aurora" }]);
  },
  async getWalletBalance() {
    const address = await openWallet("EVM");
    const deposit = { network: "ETHEREUM", address, amount: "1.000000000000000001" };
    expect(await service.control("POST", "/sandbox/crypto/deposits", deposit)).toMatchObject({ status: 200 });
    const { data } = (
      await bank.get(READER, operations.getWalletBalance, {
        params: { address },
        query: { network: "ETHEREUM" },
      })
    ).answer;
    const native = data.find((one) => "type" in one && one.type === "native");
    expect(native).toMatchObject({ asset: "ETH", decimals: 18, balance: "1.000000000000000001" });
  },
  async getWalletHistory() {
    const address = await openWallet("EVM");
    await service.control("POST", "/sandbox/crypto/deposits", { network: "ETHEREUM", address, amount: "1.5" });
    const query = { network: "ETHEREUM", page: 0, pageSize: 50 };
    const { data } = (await bank.get(READER, operations.getWalletHistory, { params: { address }, query })).answer;
    expect(data).toMatchObject([{ chain: "ETHEREUM", amount: "1.5", transactionSubtype: "incoming" }]);
  },
  async createWallet() {
    const body = { network: "TRON", userId: "ana", isForwardPayment: 1 } as const;
    const { data } = (await bank.post(READER, operations.createWallet, { body })).answer;
    expect(data).toMatchObject({ network: "TRON", walletId: expect.any(String), isForwardPayment: 1 });
  },
  async createCheckoutAddress() {
    const body = { network: "EVM", reference: "order-7" } as const;
    const { data } = (await bank.post(READER, operations.createCheckoutAddress, { body })).answer;
    expect(data).toMatchObject({ network: "EVM", reference: "order-7", address: expect.stringMatching(/^0x/) });
  },
  async listKyc() {
    const kycUUID = await startKyc();
    const { result } = (await bank.get(READER, operations.listKyc, { query: { kycUUID } })).answer;
    expect(result).toMatchObject([{ kycUUID, status: "PROCESSING", kycType: "PF", vatNumber: "***.982.247-**" }]);
  },
  async createAccount() {
    for (const request of [personRequest(CPF), companyRequest("11222333000181")]) {
      const body = operations.createAccount.body.parse(request);
      const { data } = (await bank.post(READER, operations.createAccount, { body })).answer;
      expect(data).toMatchObject({ status: "PROCESSING" });
    }
  },
  async startPersonKyc() {
    const body = PersonKyc.parse({ backgroundcheckModel: "COMPLETE", documentscopyFlag: true, ...HOLDER });
    const { data } = (await bank.post(READER, operations.startPersonKyc, { body })).answer;
    expect(data).toMatchObject({ status: "PROCESSING", kycType: "PF", model: "COMPLETE", documentscopy: true });
  },
  async startCompanyKyc() {
    const qsa = [{ ownerType: "SOCIO_ADMINISTRADOR", ...HOLDER }];
    const company = { vatNumber: "11222333000181", legalName: "Aurora Ltda", qsa };
    const body = CompanyKyc.parse({ backgroundcheckModel: "BASIC", ...company });
    const { data } = (await bank.post(READER, operations.startCompanyKyc, { body })).answer;
    expect(data).toMatchObject({ status: "PROCESSING", kycType: "PJ", model: "BASIC", documentscopy: false });
  },
  async decideKyc() {
    const decision = ManualDecision.parse({ kycUUID: await startKyc(), decision: "REPROVED", reason: "Ç".repeat(500) });
    const { data } = (await bank.post(READER, operations.decideKyc, { body: decision })).answer;
    expect(data).toMatchObject({ kycUUID: decision.kycUUID, decision: "REPROVED" });
    const { result } = (await bank.get(READER, operations.listKyc, { query: { kycUUID: decision.kycUUID } })).answer;
    expect(result).toMatchObject([{ status: "REPROVED" }]);
  },
  async listSubscriptions() {
    const { answer } = await bank.get(READER, operations.listSubscriptions);
    expect(Subscriptions.parse(answer).data).toMatchObject([
      { url: AURORA.webhook?.url, events: AURORA.webhook?.events },
    ]);
    expect(JSON.stringify(answer)).not.toContain(AURORA.webhook?.secret);
  },
};

describe("an operation at the service", () => {
  it.each(Object.entries(STORIES))("%s is answered as the contract says", async (_, story) => {
    await expect(story()).resolves.toBeUndefined();
  });
});

describe("an onboarding at the service", () => {
  it("gives the refusal's reason in words for the holder", async () => {
    const onBoardingId = await requestAccount(personRequest(REFUSED_CPF));
    await service.advance(24 * 3_600_000);
    const { data } = (await bank.get(READER, operations.checkOnboarding, { query: { onBoardingId } })).answer;
    expect(data).toMatchObject({ status: "ERROR", body: { account: { accountId: null } } });
    expect(data.body.messages).toMatchObject([{ id: "onboarding-backgroundcheck", actionRequired: false }]);
  });

  it("finds an onboarding by the holder's CNPJ with letters", async () => {
    await requestAccount(companyRequest("12ABC34501DE35"));
    const { data } = (await bank.get(READER, operations.checkOnboarding, { query: { onBoardingId: "12ABC34501DE35" } }))
      .answer;
    expect(data.body.account.documentNumber).toBe("12ABC34501DE35");
  });

  it("finds no onboarding that nobody requested", async () => {
    await expect(
      bank.get(READER, operations.checkOnboarding, { query: { onBoardingId: "none" } }),
    ).rejects.toMatchObject({
      kind: "not-found",
      details: { status: 404, providerMessage: expect.stringMatching(/not found/) },
    });
  });
});

describe("a decision at the service", () => {
  it("forbids a decision on another tenant's case, and finds no unknown one", async () => {
    const kycUUID = await startKyc();
    const decision = ManualDecision.parse({ kycUUID, decision: "APPROVED", reason: "Conferido." });
    await expect(at.connect(BOREAL).post(READER, operations.decideKyc, { body: decision })).rejects.toMatchObject({
      kind: "forbidden",
    });
    const unknown = { ...decision, kycUUID: "5f0c7a1e-4f0c-4f6d-9a80-6d3b1d2f8a11" };
    await expect(bank.post(READER, operations.decideKyc, { body: unknown })).rejects.toMatchObject({
      kind: "not-found",
    });
  });
});
