import { z } from "zod";
import {
  AccountsQuery,
  Balance,
  BalanceQuery,
  CompanyInfoQuery,
  History,
  HistoryQuery,
  PersonInfoQuery,
  StatementEntry,
  TransactionQuery,
} from "./accounts";
import {
  ChainEntry,
  Wallet,
  WalletBalance,
  WalletBalanceQuery,
  WalletHistory,
  WalletHistoryQuery,
  Wallets,
  WalletsQuery,
} from "./crypto";
import { KycList, KycListQuery } from "./kyc";
import { CheckOnboardingQuery, OnboardingRecord } from "./onboarding";
import { OptionalText } from "./shared";
import { PixKeyQuery } from "./webhooks";

/** `answer` null: the interface does not show it. */
export type DocumentedRead<Query extends z.ZodObject = z.ZodObject> = {
  path: `/v1/${string}`;
  query: Query;
  answer: z.ZodType | null;
};

const read = <Query extends z.ZodObject>(
  path: `/v1/${string}`,
  query: Query,
  answer: z.ZodType | null = null,
): DocumentedRead<Query> => ({ path, query, answer });

const accounts = "/v1/bank-accounts";
const wallets = "/v1/crypto/wallets";
const Nothing = z.looseObject({});

/** Fields that the interface does not name and the console understands are optional parts of an answer. */
const ToldHistory = History.extend({
  data: History.shape.data.extend({
    transactions: z.array(StatementEntry.extend({ originalTransactionId: OptionalText })),
  }),
});
const ToldWallets = Wallets.extend({
  data: z.array(Wallet.extend({ userId: OptionalText, reference: OptionalText })),
});
const ToldWalletHistory = WalletHistory.extend({
  data: z.array(
    ChainEntry.extend({
      asset: OptionalText,
      tokenAddress: OptionalText,
      fee: OptionalText,
      confirmations: z.number().int().optional(),
    }),
  ),
});

/** Every GET of the interface (interface: Endpoints), with the parameters it takes and the answer it documents. */
export const READS = {
  checkOnboarding: read(`${accounts}/checkOnboarding`, CheckOnboardingQuery, OnboardingRecord),
  getBalance: read(`${accounts}/balance`, BalanceQuery, Balance),
  getHistory: read(`${accounts}/history`, HistoryQuery, ToldHistory),
  getTransaction: read(`${accounts}/getTransactionById`, TransactionQuery),
  getAccounts: read(`${accounts}/getAccounts`, AccountsQuery),
  getPersonInfo: read(`${accounts}/getAccountInfoNaturalPerson`, PersonInfoQuery),
  getCompanyInfo: read(`${accounts}/getAccountInfoLegalPerson`, CompanyInfoQuery),
  listWallets: read(wallets, WalletsQuery, ToldWallets),
  getWalletBalance: read(`${wallets}/{address}/balance`, WalletBalanceQuery, WalletBalance),
  getWalletHistory: read(`${wallets}/{address}/history`, WalletHistoryQuery, ToldWalletHistory),
  listKyc: read("/v1/kyc/list", KycListQuery, KycList),
  getPixKey: read("/v1/pix/getAccountInfoByPixKey", PixKeyQuery),
  getOtcTrade: read("/v1/otc/trades/{id}", Nothing),
  listWebhooks: read("/v1/webhooks", Nothing),
} as const satisfies Record<string, DocumentedRead>;

export type ReadName = keyof typeof READS;
