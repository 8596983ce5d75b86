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
import { type DocumentedRead, READS } from "@/lib/contract/reads";
import { Brl, eachOf, orUnread } from "@/lib/contract/shared";

export type Read<Answer extends z.ZodType = z.ZodType> = {
  method: "GET";
  path: `/v1/${string}`;
  /** What the interface documents, while `answer` reads what it can; null where it shows no answer. */
  documented: z.ZodType | null;
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

const read = <Answer extends z.ZodType>(documented: DocumentedRead, answer: Answer): Read<Answer> => ({
  method: "GET",
  path: documented.path,
  documented: documented.answer,
  answer,
});

export const checkOnboarding = read(READS.checkOnboarding, OnboardingRecord);
/** One unreadable amount does not hide the other. */
export const getBalance = {
  ...read(
    READS.getBalance,
    Balance.extend({ data: Balance.shape.data.extend({ balance: orUnread(Brl), blockedBalance: orUnread(Brl) }) }),
  ),
  mayRepeatKeys: true,
};
export const getHistory = {
  ...read(
    READS.getHistory,
    History.extend({ data: History.shape.data.extend({ transactions: eachOf(StatementEntry) }) }),
  ),
  maxAnswerBytes: 10 * 1024 * 1024,
};
export const getTransaction = read(READS.getTransaction, OpenAnswer);
export const getAccounts = read(READS.getAccounts, OpenAnswer);
export const getPersonInfo = read(READS.getPersonInfo, OpenAnswer);
export const getCompanyInfo = read(READS.getCompanyInfo, OpenAnswer);
/** The interface documents neither its parameter nor its answer: both are assumed (service/README.md). */
export const getAccountByPixKey = read(READS.getPixKey, OpenAnswer);
export const listWallets = read(READS.listWallets, Wallets.extend({ data: eachOf(Wallet) }));
export const getWalletBalance = read(READS.getWalletBalance, WalletBalance.extend({ data: eachOf(BalanceEntry) }));
export const getWalletHistory = read(READS.getWalletHistory, WalletHistory.extend({ data: eachOf(ChainEntry) }));
/** The interface does not document its answer, which is read by field names. */
export const getOtcTrade = read(READS.getOtcTrade, OpenAnswer);
const withinLists = (wire: unknown) => (Array.isArray(wire) ? wire.flat() : wire);

export const listKyc = read(READS.listKyc, KycList.extend({ result: z.preprocess(withinLists, eachOf(KycRecord)) }));
export const listSubscriptions = read(READS.listWebhooks, OpenAnswer);

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
