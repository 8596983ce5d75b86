import { z } from "zod";
import { accountRequest, documentOf } from "@/bench/holder";
import { answerOf, type Service } from "@/bench/service/service-process";
import { TransferConfirmed } from "@/lib/contract/accounts";
import { WalletCreated } from "@/lib/contract/crypto";
import accounts from "@/lib/contract/fixtures/accounts.json";
import kyc from "@/lib/contract/fixtures/kyc.json";
import onboarding from "@/lib/contract/fixtures/onboarding.json";
import { KycStarted } from "@/lib/contract/kyc";
import { AccountRequested, OnboardingRecord } from "@/lib/contract/onboarding";

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
