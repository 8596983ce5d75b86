import { z } from "zod";
import {
  Balance,
  CloseAccount,
  ExternalTransfer,
  History,
  InternalTransfer,
  StatementEntry,
  TransferConfirmed,
} from "@/lib/contract/accounts";
import { ReportedToken } from "@/lib/contract/auth";
import {
  BalanceEntry,
  ChainEntry,
  CheckoutAddress,
  CreateCheckoutAddress,
  CreateWallet,
  CryptoTransfer,
  CryptoTransferSent,
  Wallet,
  WalletBalance,
  WalletCreated,
  WalletHistory,
  Wallets,
} from "@/lib/contract/crypto";
import {
  CompanyKyc,
  KycList,
  KycRecord,
  KycStarted,
  ManualDecision,
  ManualDecisionTaken,
  PersonKyc,
} from "@/lib/contract/kyc";
import {
  AccountRequested,
  CreateCompanyAccount,
  CreatePersonAccount,
  OnboardingRecord,
} from "@/lib/contract/onboarding";
import { OpenAnswer } from "@/lib/contract/open-answer";
import { Brl, eachOf, orUnread } from "@/lib/contract/shared";

export type Read<Answer extends z.ZodType = z.ZodType> = {
  method: "GET";
  path: `/v1/${string}`;
  answer: Answer;
  /** A key with two values keeps both as a list; otherwise the whole answer is malformed. */
  mayRepeatKeys?: boolean;
  /** After inflating; 5 MiB by default. */
  maxAnswerBytes?: number;
};
export type Write<Body extends z.ZodType = z.ZodType, Answer extends z.ZodType = z.ZodType> = {
  method: "POST" | "PUT";
  path: `/v1/${string}`;
  body: Body;
  answer: Answer;
};

const read = <Answer extends z.ZodType>(path: `/v1/${string}`, answer: Answer): Read<Answer> => ({
  method: "GET",
  path,
  answer,
});

export const checkOnboarding = read("/v1/bank-accounts/checkOnboarding", OnboardingRecord);
/** One unreadable amount does not hide the other. */
export const getBalance = {
  ...read(
    "/v1/bank-accounts/balance",
    Balance.extend({ data: Balance.shape.data.extend({ balance: orUnread(Brl), blockedBalance: orUnread(Brl) }) }),
  ),
  mayRepeatKeys: true,
};
export const getHistory = {
  ...read(
    "/v1/bank-accounts/history",
    History.extend({ data: History.shape.data.extend({ transactions: eachOf(StatementEntry) }) }),
  ),
  maxAnswerBytes: 10 * 1024 * 1024,
};
export const getTransaction = read("/v1/bank-accounts/getTransactionById", OpenAnswer);
export const getAccounts = read("/v1/bank-accounts/getAccounts", OpenAnswer);
export const getPersonInfo = read("/v1/bank-accounts/getAccountInfoNaturalPerson", OpenAnswer);
export const getCompanyInfo = read("/v1/bank-accounts/getAccountInfoLegalPerson", OpenAnswer);
/** The interface documents neither its parameter nor its answer: both are assumed (service/README.md). */
export const getAccountByPixKey = read("/v1/pix/getAccountInfoByPixKey", OpenAnswer);
export const listWallets = read("/v1/crypto/wallets", Wallets.extend({ data: eachOf(Wallet) }));
export const getWalletBalance = read(
  "/v1/crypto/wallets/{address}/balance",
  WalletBalance.extend({ data: eachOf(BalanceEntry) }),
);
export const getWalletHistory = read(
  "/v1/crypto/wallets/{address}/history",
  WalletHistory.extend({ data: eachOf(ChainEntry) }),
);
/** The interface does not document its answer, which is read by field names. */
export const getOtcTrade = read("/v1/otc/trades/{id}", OpenAnswer);
const withinLists = (wire: unknown) => (Array.isArray(wire) ? wire.flat() : wire);

export const listKyc = read("/v1/kyc/list", KycList.extend({ result: z.preprocess(withinLists, eachOf(KycRecord)) }));
export const listSubscriptions = read("/v1/webhooks", OpenAnswer);

/** Asked with the tenant's own credentials, about the token in its header (`Bank.askOfToken`). */
export type TokenQuestion<Answer extends z.ZodType = z.ZodType> = {
  method: "POST";
  path: `/v1/authentication/oauth/${string}`;
  answer: Answer;
};

export const introspectToken = {
  method: "POST",
  path: "/v1/authentication/oauth/introspect",
  answer: ReportedToken,
} as const satisfies TokenQuestion;

export const revokeToken = {
  method: "POST",
  path: "/v1/authentication/oauth/revoke",
  answer: OpenAnswer,
} as const satisfies TokenQuestion;

export const decideKyc = {
  method: "POST",
  path: "/v1/kyc/manual-decision",
  body: ManualDecision,
  answer: ManualDecisionTaken,
} as const satisfies Write;

/** Without Idempotency-Key and with the holder's password: never resent, never stored. */
export const createAccount = {
  method: "POST",
  path: "/v1/bank-accounts/create",
  body: z.union([CreatePersonAccount, CreateCompanyAccount]),
  answer: AccountRequested,
} as const satisfies Write;

/** Without Idempotency-Key and with the holder's token and code: never resent, never stored. */
export const closeAccount = {
  method: "POST",
  path: "/v1/bank-accounts/closeAccount",
  body: CloseAccount,
  answer: OpenAnswer,
} as const satisfies Write;

/** Billed, without Idempotency-Key: never resent. */
export const startPersonKyc = {
  method: "POST",
  path: "/v1/kyc/person",
  body: PersonKyc,
  answer: KycStarted,
} as const satisfies Write;

export const startCompanyKyc = {
  method: "POST",
  path: "/v1/kyc/company",
  body: CompanyKyc,
  answer: KycStarted,
} as const satisfies Write;

export const sendInternalTransfer = {
  method: "POST",
  path: "/v1/bank-accounts/generateInternalTransferRequest",
  body: InternalTransfer,
  answer: TransferConfirmed,
} as const satisfies Write;

export const sendExternalTransfer = {
  method: "POST",
  path: "/v1/bank-accounts/generateExternalTransferRequest",
  body: ExternalTransfer,
  answer: OpenAnswer,
} as const satisfies Write;

export const sendCryptoTransfer = {
  method: "POST",
  path: "/v1/crypto/transfer",
  body: CryptoTransfer,
  answer: CryptoTransferSent,
} as const satisfies Write;

export const createWallet = {
  method: "POST",
  path: "/v1/crypto/wallets",
  body: CreateWallet,
  answer: WalletCreated,
} as const satisfies Write;

export const createCheckoutAddress = {
  method: "POST",
  path: "/v1/crypto/checkout/address",
  body: CreateCheckoutAddress,
  answer: CheckoutAddress,
} as const satisfies Write;
