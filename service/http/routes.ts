import {
  closeAccount,
  getAccountInfo,
  getBalance,
  listAccounts,
  updateCompany,
} from "@/service/accounts/list-accounts";
import { getHistory, getTransaction } from "@/service/accounts/get-history";
import { checkOnboarding, requestAccount } from "@/service/accounts/onboarding";
import type { Call } from "@/service/context";
import {
  FAMILY_COINS,
  createCheckoutAddress,
  createWallet,
  getWalletBalance,
  listWallets,
} from "@/service/crypto/wallet";
import { getWalletHistory } from "@/service/crypto/get-wallet-history";
import { transferCrypto } from "@/service/crypto/transfer";
import { type Operation, operations } from "@/service/gateway/operations";
import { claimOf } from "@/service/idempotency/first-answer";
import { decideKyc, type KycProcess, listKyc, startCompanyKyc, startPersonKyc } from "@/service/kyc/start-kyc";
import { getTrade } from "@/service/otc/record-trade";
import { lookUpPixKey } from "@/service/pix/look-up-key";
import { type Asking, transferExternally, transferInternally } from "@/service/transfers/order";
import { listSubscriptions } from "@/service/webhooks/outbox";
import { type Answer, messageAnswer, ok, screenedAnswer, statusAnswer, textOf } from "./answer";
import { type Particulars, type Route, route } from "./mount";

const success = (data: unknown) => ok({ status: "SUCCESS", data });

const accountRoutes = [
  route(operations.createAccount, async (call, input) => {
    const onBoardingId = await requestAccount(call, input);
    return statusAnswer(call, { status: "PROCESSING", body: { onBoardingId } });
  }),
  route(operations.checkOnboarding, async (call, { onBoardingId }) => {
    return statusAnswer(call, await checkOnboarding(call, onBoardingId));
  }),
  route(operations.getBalance, async (call, input) => success(await getBalance(call, input))),
  route(operations.getHistory, async (call, input) => success(await getHistory(call, input))),
  route(operations.getTransaction, async (call, input) => statusAnswer(call, await getTransaction(call, input))),
  route(operations.getAccounts, async (call, input) => statusAnswer(call, await listAccounts(call, input))),
  route(operations.getPersonInfo, async (call, input) => statusAnswer(call, await getAccountInfo(call, input))),
  route(operations.getCompanyInfo, async (call, input) => statusAnswer(call, await getAccountInfo(call, input))),
  route(operations.updateCompanyInfo, async (call, input) => statusAnswer(call, await updateCompany(call, input))),
  route(operations.closeAccount, async (call, input) => statusAnswer(call, await closeAccount(call, input))),
];

const cryptoRoutes = [
  route(operations.createWallet, async (call, input) => {
    const { id: walletId, address, family: network, isForwardPayment } = await createWallet(call, input);
    const made = { walletId, address, network, coin: FAMILY_COINS[network], isForwardPayment };
    return messageAnswer("Wallet created", made);
  }),
  route(operations.createCheckoutAddress, async (call, input) =>
    messageAnswer("Checkout address created", await createCheckoutAddress(call, input)),
  ),
  route(operations.listWallets, async (call, input) => messageAnswer("Wallets", await listWallets(call, input))),
  route(operations.getWalletBalance, async (call, input, { params: { address = "" } }) =>
    messageAnswer("Wallet balance", await getWalletBalance(call, { ...input, address })),
  ),
  route(operations.getWalletHistory, async (call, input, { params: { address = "" } }) =>
    messageAnswer("Wallet history", await getWalletHistory(call, { ...input, address })),
  ),
  route(operations.transferCrypto, async (call, input) =>
    screenedAnswer(await transferCrypto(call, input), (sent) => messageAnswer("Transfer sent", sent)),
  ),
];

const started = ({ kycUuid: kycUUID, status, kycType, model, documentscopy }: KycProcess) => {
  return { kycUUID, status, kycType, model, documentscopy };
};

const kycRoutes = [
  route(operations.startPersonKyc, async (call, input) => {
    const process = await startPersonKyc(call, input);
    return statusAnswer(call, { ...started(process), webviewUrl: process.webviewUrl });
  }),
  route(operations.startCompanyKyc, async (call, input) => {
    return statusAnswer(call, started(await startCompanyKyc(call, input)));
  }),
  route(operations.listKyc, async (call, input) => ok(await listKyc(call, input))),
  route(operations.decideKyc, async (call, input) => {
    await decideKyc(call, input);
    return statusAnswer(call, { kycUUID: input.kycUUID, decision: input.decision });
  }),
];

const otcRoutes = [
  route(operations.getOtcTrade, async (call, _, { params: { id = "" } }) =>
    statusAnswer(call, await getTrade(call, id)),
  ),
];

const pixRoutes = [
  route(operations.getPixKey, async (call, { pixKey }) => statusAnswer(call, await lookUpPixKey(call, pixKey))),
];

function asking(
  call: Call,
  { name }: Operation,
  { idempotencyKey, raw, done }: Particulars & { done: (transactionId: string) => Answer },
): Asking {
  return {
    claim: claimOf({ operation: name, clientId: call.tenant.clientId, key: idempotencyKey, body: raw }),
    answer: (outcome) => {
      const answer = screenedAnswer(outcome, ({ transactionId }) => done(transactionId));
      return { status: answer.status, text: textOf(answer) };
    },
  };
}

const confirmed = (transactionId: string) => ok({ status: "CONFIRMED", data: { transactionId } });

const transferRoutes = [
  route(operations.transferInternally, (call, input, particulars) => {
    const request = { ...particulars, done: confirmed };
    return transferInternally(call, input, asking(call, operations.transferInternally, request));
  }),
  route(operations.transferExternally, (call, input, particulars) => {
    const done = (transactionId: string) => statusAnswer(call, { transactionId, status: "CONFIRMED" });
    return transferExternally(call, input, asking(call, operations.transferExternally, { ...particulars, done }));
  }),
];

const webhookRoutes = [
  route(operations.listWebhooks, async (call) => messageAnswer("Webhook subscriptions", listSubscriptions(call))),
];

export const routes: readonly Route[] = [
  ...accountRoutes,
  ...cryptoRoutes,
  ...kycRoutes,
  ...otcRoutes,
  ...pixRoutes,
  ...transferRoutes,
  ...webhookRoutes,
];
