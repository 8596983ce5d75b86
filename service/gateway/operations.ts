import { z } from "zod";
import {
  Balance,
  CloseAccount,
  ExternalTransfer,
  InternalTransfer,
  TransferConfirmed,
  UpdateCompanyInfo,
} from "@/lib/contract/accounts";
import {
  CheckoutAddress,
  CreateCheckoutAddress,
  CreateWallet,
  CryptoTransfer,
  CryptoTransferSent,
  WalletBalance,
  WalletCreated,
} from "@/lib/contract/crypto";
import { CompanyKyc, KycList, KycStarted, ManualDecision, ManualDecisionTaken, PersonKyc } from "@/lib/contract/kyc";
import {
  AccountRequested,
  CreateCompanyAccount,
  CreatePersonAccount,
  OnboardingRecord,
} from "@/lib/contract/onboarding";
import { type DocumentedRead, READS } from "@/lib/contract/reads";
import { Subscriptions } from "@/lib/contract/webhooks";
import type { ProductFamily } from "@/service/tenants/load-tenants";
import * as assumed from "./assumed-answers";

type Method = "GET" | "POST" | "PUT";

/** Beside the gateway's and the validation's refusals. */
export type Refusal = 403 | 404 | 409 | 422;

/** `input`: the query of a GET, else the body; `answer`: the body of its 200. */
type Face<Input extends z.ZodType> = {
  summary: string;
  input: Input;
  answer: z.ZodType;
  refusals?: readonly Refusal[];
  /** Counts against the rate limit. */
  isFinancial?: boolean;
  /** Antifraud may hold it (202) or block it. */
  isJudged?: boolean;
  isKeyed?: boolean;
};

/** `name`: `METHOD /v1/path` of the interface, as in `allowedOperations`. `family` null: no product needed. */
export type Operation<Input extends z.ZodType = z.ZodType> = Required<Face<Input>> & {
  name: string;
  method: Method;
  path: string;
  family: ProductFamily | null;
};

const plain = { refusals: [], isFinancial: false, isJudged: false, isKeyed: false };

function reading<Query extends z.ZodObject>(
  { path, query }: DocumentedRead<Query>,
  family: ProductFamily | null,
  face: Omit<Face<Query>, "input">,
): Operation<Query> {
  return { ...plain, ...face, input: query, name: `GET ${path}`, method: "GET", path, family };
}

function writing<Input extends z.ZodType>(
  name: `${"POST" | "PUT"} /v1/${string}`,
  family: ProductFamily,
  face: Face<Input>,
): Operation<Input> {
  const method = name.startsWith("PUT") ? "PUT" : "POST";
  return { ...plain, ...face, name, method, path: name.slice(name.indexOf(" ") + 1), family };
}

const accounts = "/v1/bank-accounts";
const wallets = "/v1/crypto/wallets";
const ofBank = { refusals: [404, 409, 422], isFinancial: true, isJudged: true, isKeyed: true } as const;

/** interface: Endpoints */
export const operations = {
  createAccount: writing(`POST ${accounts}/create`, "BANKING", {
    summary: "Ask for a bank account",
    input: z.union([CreatePersonAccount, CreateCompanyAccount]),
    answer: AccountRequested,
    refusals: [409],
    isFinancial: true,
  }),
  checkOnboarding: reading(READS.checkOnboarding, "BANKING", {
    summary: "How far an account's opening is",
    answer: OnboardingRecord,
    refusals: [404],
  }),
  getBalance: reading(READS.getBalance, "BANKING", {
    summary: "Balance of an account",
    answer: Balance,
    refusals: [404],
  }),
  getHistory: reading(READS.getHistory, "BANKING", {
    summary: "Statement of an account",
    answer: assumed.DetailedHistory,
    refusals: [404],
  }),
  getTransaction: reading(READS.getTransaction, "BANKING", {
    summary: "Receipt of a transaction",
    answer: assumed.Receipt,
    refusals: [404],
  }),
  getAccounts: reading(READS.getAccounts, "BANKING", {
    summary: "List accounts and requests for accounts",
    answer: assumed.AccountList,
  }),
  getPersonInfo: reading(READS.getPersonInfo, "BANKING", {
    summary: "A person's account and its holder",
    answer: assumed.PersonInfo,
    refusals: [404],
  }),
  getCompanyInfo: reading(READS.getCompanyInfo, "BANKING", {
    summary: "A company's account and its holder",
    answer: assumed.CompanyInfo,
    refusals: [404],
  }),
  updateCompanyInfo: writing(`PUT ${accounts}/updateAccountInfoLegalPerson`, "BANKING", {
    summary: "Change what is known of a company",
    input: UpdateCompanyInfo,
    answer: assumed.CompanyInfo,
    refusals: [404, 422],
  }),
  transferInternally: writing(`POST ${accounts}/generateInternalTransferRequest`, "BANKING", {
    summary: "Transfer between two accounts of the tenant",
    input: InternalTransfer,
    answer: TransferConfirmed,
    ...ofBank,
  }),
  transferExternally: writing(`POST ${accounts}/generateExternalTransferRequest`, "BANKING", {
    summary: "Transfer to another institution (TED)",
    input: ExternalTransfer,
    answer: assumed.ExternalTransferConfirmed,
    ...ofBank,
  }),
  closeAccount: writing(`POST ${accounts}/closeAccount`, "BANKING", {
    summary: "Close an account",
    input: CloseAccount,
    answer: assumed.AccountClosed,
    refusals: [404, 422],
    isFinancial: true,
  }),
  createWallet: writing(`POST ${wallets}`, "CRYPTO", {
    summary: "Create a wallet",
    input: CreateWallet,
    answer: WalletCreated,
  }),
  createCheckoutAddress: writing("POST /v1/crypto/checkout/address", "CRYPTO", {
    summary: "Create a checkout address",
    input: CreateCheckoutAddress,
    answer: CheckoutAddress,
  }),
  listWallets: reading(READS.listWallets, "CRYPTO", {
    summary: "List wallets",
    answer: assumed.DetailedWallets,
  }),
  getWalletBalance: reading(READS.getWalletBalance, "CRYPTO", {
    summary: "Balance of a wallet on a network",
    answer: WalletBalance,
    refusals: [404],
  }),
  getWalletHistory: reading(READS.getWalletHistory, "CRYPTO", {
    summary: "On-chain history of a wallet",
    answer: assumed.DetailedWalletHistory,
    refusals: [404],
  }),
  transferCrypto: writing("POST /v1/crypto/transfer", "CRYPTO", {
    summary: "Send a coin or a token on chain",
    input: CryptoTransfer,
    answer: CryptoTransferSent,
    refusals: [404, 422],
    isFinancial: true,
    isJudged: true,
  }),
  startPersonKyc: writing("POST /v1/kyc/person", "KYC", {
    summary: "Start the verification of a person",
    input: PersonKyc,
    answer: KycStarted,
  }),
  startCompanyKyc: writing("POST /v1/kyc/company", "KYC", {
    summary: "Start the verification of a company",
    input: CompanyKyc,
    answer: KycStarted,
  }),
  listKyc: reading(READS.listKyc, "KYC", { summary: "List verifications", answer: KycList }),
  decideKyc: writing("POST /v1/kyc/manual-decision", "KYC", {
    summary: "Decide a verification by hand",
    input: ManualDecision,
    answer: ManualDecisionTaken,
    refusals: [403, 404],
  }),
  getPixKey: reading(READS.getPixKey, "BANKING", {
    summary: "Whose a PIX key is",
    answer: assumed.PixKeyHolder,
    refusals: [404],
  }),
  getOtcTrade: reading(READS.getOtcTrade, "CRYPTO", {
    summary: "An over-the-counter trade",
    answer: assumed.OtcTrade,
    refusals: [404],
  }),
  listWebhooks: reading(READS.listWebhooks, null, {
    summary: "List webhook subscriptions",
    answer: Subscriptions,
  }),
};
