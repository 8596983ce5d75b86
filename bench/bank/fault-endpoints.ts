import { randomUUID } from "node:crypto";
import { z } from "zod";
import { accountRequest, documentOf } from "@/bench/service/population";
import { type Service, answerOf } from "@/bench/service/program";
import type { Bank } from "@/lib/bank/client";
import * as ours from "@/lib/bank/operations";
import type { Read, Write } from "@/lib/bank/operations";
import { requestToken } from "@/lib/bank/token";
import type { Wire } from "@/lib/bank/wire-http";
import { TransferConfirmed } from "@/lib/contract/accounts";
import { Introspection, Revocation } from "@/lib/contract/auth";
import { CheckoutAddress, CryptoTransferSent, WalletCreated, WalletHistory } from "@/lib/contract/crypto";
import accounts from "@/lib/contract/fixtures/accounts.json";
import crypto from "@/lib/contract/fixtures/crypto.json";
import kyc from "@/lib/contract/fixtures/kyc.json";
import onboarding from "@/lib/contract/fixtures/onboarding.json";
import { KycStarted } from "@/lib/contract/kyc";
import { AccountRequested, OnboardingRecord } from "@/lib/contract/onboarding";
import { OpenRecord } from "@/lib/contract/shared";
import { civilDay } from "@/lib/text/time";
import { person } from "./people";
import type { Route } from "./fault-proxy";

type Holder = { accountId: string; documentNumber: string };

/** What stands at the service for calls to be about. */
export type Ground = {
  payer: Holder;
  /** The payer's. */
  onBoardingId: string;
  payee: Holder;
  company: Holder;
  walletAddress: string;
  kycUUID: string;
  transactionId: string;
  tradeId: string;
  /** A document nobody had before. */
  nextDocument: () => string;
  /** Opens an account without money; its id. */
  openAccount: () => Promise<string>;
};

const holder = ({ accountId, documentNumber }: Holder): Holder => ({ accountId, documentNumber });
const Traded = z.object({ data: z.object({ id: z.string() }) });

const post = async (service: Service, path: string, body: unknown): Promise<unknown> => {
  const headers = { ...service.headers, "Content-Type": "application/json" };
  return answerOf(await fetch(service.origin + path, { method: "POST", headers, body: JSON.stringify(body) }));
};

async function open(service: Service, request: unknown): Promise<{ accountId: string; onBoardingId: string }> {
  const { onBoardingId } = AccountRequested.parse(await post(service, "/v1/bank-accounts/create", request)).data.body;
  await service.control("POST", `/sandbox/onboardings/${onBoardingId}`, { status: "CONFIRMED" });
  const { origin, headers } = service;
  const checked = await fetch(`${origin}/v1/bank-accounts/checkOnboarding?onBoardingId=${onBoardingId}`, { headers });
  const { accountId } = OnboardingRecord.parse(await answerOf(checked)).data.body.account;
  if (accountId === null) throw new Error("the account was not opened");
  return { accountId, onBoardingId };
}

/** Two accounts with money, a company, a wallet with coins, a verification and a transaction. */
export async function layGround(service: Service): Promise<Ground> {
  let documents = 0;
  const nextDocument = () => documentOf((documents += 1));
  const openPerson = async () => {
    const documentNumber = nextDocument();
    return { documentNumber, ...(await open(service, accountRequest(documentNumber))) };
  };
  const [payer, payee] = [await openPerson(), await openPerson()];
  await service.control("POST", `/sandbox/bank-accounts/${payer.accountId}/credit`, { amount: 5_000 });
  const company = await open(service, onboarding.createCompanyAccount);
  const wallet = WalletCreated.parse(await post(service, "/v1/crypto/wallets", { network: "EVM" })).data;
  const deposit = { network: "ETHEREUM", address: wallet.address, amount: "1000" };
  await service.control("POST", "/sandbox/crypto/deposits", deposit);
  const started = KycStarted.parse(await post(service, "/v1/kyc/person", kyc.personKyc));
  const transfer = { ...accounts.internalTransfer, accountIdFrom: payer.accountId, accountIdTo: payee.accountId };
  const path = "/v1/bank-accounts/generateInternalTransferRequest";
  const confirmed = TransferConfirmed.parse(await post(service, path, transfer));
  const trade = { clientId: service.tenant.clientId, side: "BUY", network: "BITCOIN", quantity: "0.1", price: 350_000 };
  return {
    payer: holder(payer),
    onBoardingId: payer.onBoardingId,
    payee: holder(payee),
    company: holder({ ...company, documentNumber: onboarding.createCompanyAccount.legalPerson.documentNumber }),
    walletAddress: wallet.address,
    kycUUID: started.data.kycUUID,
    transactionId: confirmed.data.transactionId,
    tradeId: Traded.parse(await service.control("POST", "/sandbox/otc/trades", trade)).data.id,
    nextDocument,
    openAccount: async () => (await openPerson()).accountId,
  };
}

/** The client under test, and what it sends by. */
export type Customer = {
  bank: Pick<Bank, "get" | "post">;
  wire: Wire;
  baseUrl: string;
  credentials: { clientId: string; clientSecret: string };
};

/** One endpoint of the interface, and a call of it that the service carries out. */
export type Endpoint = {
  route: Route;
  isRead: boolean;
  isKeyed: boolean;
  /** The service answers it with success; not so where it wants credentials that the client does not send. */
  isServed: boolean;
  /** A call that may be sent any number of times: each of them is the same call. */
  prepare: () => Promise<(customer: Customer) => Promise<unknown>>;
};

type Operation = Read | Write;
type Given = { params?: Record<string, string>; query?: Record<string, string> };

const day = () => civilDay(new Date());
const actor = person("accounts:read");

const isOperation = (value: unknown): value is Operation =>
  typeof value === "object" && value !== null && "method" in value && "path" in value && "answer" in value;
const OURS: readonly Operation[] = Object.values(ours).filter(isOperation);

/** As the console describes it, or by its answer alone where the console does not call it. */
function operationOf(route: Route, answer: z.ZodType): Operation {
  const found = OURS.find(({ method, path }) => `${method} ${path}` === route);
  if (found !== undefined) return found;
  const [method, path = ""] = route.split(" ");
  const full = `/v1/${path.slice("/v1/".length)}` as const;
  if (method === "GET") return { method, path: full, answer };
  return { method: method === "PUT" ? "PUT" : "POST", path: full, answer, body: z.unknown() };
}

function read(route: Route, given: Given = {}, answer: z.ZodType = OpenRecord): Endpoint {
  const operation = operationOf(route, answer);
  if (operation.method !== "GET") throw new Error(`${route} is no read`);
  const prepare = async () => (customer: Customer) => customer.bank.get(actor, operation, given);
  return { route, isRead: true, isKeyed: false, isServed: true, prepare };
}

type Order = { body: () => unknown; isKeyed?: boolean; isServed?: boolean };

/** `body` as the interface writes it. */
function write(route: Route, order: Order, answer: z.ZodType = OpenRecord): Endpoint {
  const operation = operationOf(route, answer);
  if (operation.method === "GET") throw new Error(`${route} is no write`);
  const { body, isKeyed = false, isServed = true } = order;
  const prepare = async () => {
    const meant = operation.body.parse(await body());
    const given = { body: meant, ...(isKeyed && { idempotencyKey: randomUUID() }) };
    return (customer: Customer) => customer.bank.post(actor, operation, given);
  };
  return { route, isRead: false, isKeyed, isServed, prepare };
}

const token: Endpoint = {
  route: "POST /v1/authentication/oauth/access-token",
  isRead: false,
  isKeyed: false,
  isServed: true,
  prepare: async () => (customer) => {
    const { baseUrl, wire, credentials } = customer;
    const { clientId, clientSecret } = credentials;
    return requestToken({ client: { clientId, baseUrl }, credentials: { clientSecret }, wire });
  },
};

function bankAccounts({
  onBoardingId,
  payer,
  payee,
  company,
  transactionId,
  nextDocument,
  openAccount,
}: Ground): readonly Endpoint[] {
  const period = { initialDate: day(), endDate: day() };
  const at = "/v1/bank-accounts";
  return [
    write(`POST ${at}/create`, { body: () => accountRequest(nextDocument()) }, AccountRequested),
    read(`GET ${at}/checkOnboarding`, { query: { onBoardingId: payer.documentNumber } }),
    read(`GET ${at}/balance`, { query: payer }),
    read(`GET ${at}/history`, { query: { ...payer, ...period } }),
    read(`GET ${at}/getTransactionById`, { query: { transactionId, documentNumber: payer.documentNumber } }),
    read(`GET ${at}/getAccounts`, { query: period }),
    read(`GET ${at}/getAccountInfoNaturalPerson`, { query: payer }),
    read(`GET ${at}/getAccountInfoLegalPerson`, { query: company }),
    write(`PUT ${at}/updateAccountInfoLegalPerson`, { body: () => ({ ...company, tradingName: "Padaria" }) }),
    write(`POST ${at}/generateInternalTransferRequest`, {
      isKeyed: true,
      body: () => ({
        ...accounts.internalTransfer,
        accountIdFrom: payer.accountId,
        accountIdTo: payee.accountId,
        amount: 0.01,
        description: randomUUID(),
      }),
    }),
    write(`POST ${at}/generateExternalTransferRequest`, {
      isKeyed: true,
      body: () => ({
        ...accounts.externalTransfer,
        onBoardingId,
        idAccount: payer.accountId,
        name: randomUUID(),
        value: 0.01,
      }),
    }),
    write(`POST ${at}/closeAccount`, {
      body: async () => ({ ...accounts.closeAccount, account: await openAccount() }),
    }),
  ];
}

function cryptoWallets({ walletAddress, tradeId }: Ground): readonly Endpoint[] {
  const given = { params: { address: walletAddress }, query: { network: "ETHEREUM" } };
  const at = "/v1/crypto";
  const transfer = {
    network: "ETHEREUM",
    fromAddress: walletAddress,
    to: crypto.walletCreated.data.address,
    amount: "0.001",
  };
  return [
    write(`POST ${at}/wallets`, { body: () => ({ network: "EVM" }) }, WalletCreated),
    write(`POST ${at}/checkout/address`, { body: () => crypto.createCheckoutAddress }, CheckoutAddress),
    read(`GET ${at}/wallets`),
    read(`GET ${at}/wallets/{address}/balance`, given),
    read(`GET ${at}/wallets/{address}/history`, given, WalletHistory),
    write(`POST ${at}/transfer`, { body: () => transfer }, CryptoTransferSent),
    read("GET /v1/otc/trades/{id}", { params: { id: tradeId } }),
  ];
}

/** Every endpoint that the interface names (interface: Endpoints). */
export function endpointsOf(ground: Ground): readonly Endpoint[] {
  const decision = { kycUUID: ground.kycUUID, decision: "APPROVED", reason: "bench" };
  const endpoints = [
    token,
    write("POST /v1/authentication/oauth/introspect", { body: () => ({}), isServed: false }, Introspection),
    write("POST /v1/authentication/oauth/revoke", { body: () => ({}), isServed: false }, Revocation),
    ...bankAccounts(ground),
    ...cryptoWallets(ground),
    write("POST /v1/kyc/person", { body: () => kyc.personKyc }, KycStarted),
    write("POST /v1/kyc/company", { body: () => kyc.companyKyc }, KycStarted),
    read("GET /v1/kyc/list"),
    write("POST /v1/kyc/manual-decision", { body: () => decision }),
    read("GET /v1/pix/getAccountInfoByPixKey", { query: { pixKey: ground.payer.documentNumber } }),
    read("GET /v1/webhooks"),
  ];
  const missing = OURS.filter(({ method, path }) => endpoints.every(({ route }) => route !== `${method} ${path}`));
  if (missing.length > 0) throw new Error(`no call is described of ${missing.map(({ path }) => path).join(", ")}`);
  return endpoints;
}
