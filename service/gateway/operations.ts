import { z } from "zod";
import {
  AccountsQuery,
  BalanceQuery,
  CloseAccount,
  CompanyInfoQuery,
  ExternalTransfer,
  HistoryQuery,
  InternalTransfer,
  PersonInfoQuery,
  TransactionQuery,
} from "@/lib/contract/accounts";
import {
  CreateCheckoutAddress,
  CreateWallet,
  CryptoTransfer,
  WalletBalanceQuery,
  WalletHistoryQuery,
  WalletsQuery,
} from "@/lib/contract/crypto";
import { CompanyKyc, KycListQuery, ManualDecision, PersonKyc } from "@/lib/contract/kyc";
import { CheckOnboardingQuery, CreateCompanyAccount, CreatePersonAccount } from "@/lib/contract/onboarding";
import { PixKeyQuery } from "@/lib/contract/webhooks";
import { financial, reading, writing } from "./operation";

const accounts = "/v1/bank-accounts";
const wallets = "/v1/crypto/wallets";
const Nothing = z.looseObject({});

/** Every operation that the interface names (interface: Endpoints), once. */
export const operations = {
  createAccount: financial(
    writing(`POST ${accounts}/create`, "BANKING", z.union([CreatePersonAccount, CreateCompanyAccount])),
  ),
  checkOnboarding: reading(`${accounts}/checkOnboarding`, "BANKING", CheckOnboardingQuery),
  getBalance: reading(`${accounts}/balance`, "BANKING", BalanceQuery),
  getHistory: reading(`${accounts}/history`, "BANKING", HistoryQuery),
  getTransaction: reading(`${accounts}/getTransactionById`, "BANKING", TransactionQuery),
  getAccounts: reading(`${accounts}/getAccounts`, "BANKING", AccountsQuery),
  getPersonInfo: reading(`${accounts}/getAccountInfoNaturalPerson`, "BANKING", PersonInfoQuery),
  getCompanyInfo: reading(`${accounts}/getAccountInfoLegalPerson`, "BANKING", CompanyInfoQuery),
  updateCompanyInfo: writing(`PUT ${accounts}/updateAccountInfoLegalPerson`, "BANKING", Nothing),
  transferInternally: financial(
    writing(`POST ${accounts}/generateInternalTransferRequest`, "BANKING", InternalTransfer),
  ),
  transferExternally: financial(
    writing(`POST ${accounts}/generateExternalTransferRequest`, "BANKING", ExternalTransfer),
  ),
  closeAccount: financial(writing(`POST ${accounts}/closeAccount`, "BANKING", CloseAccount)),
  createWallet: writing(`POST ${wallets}`, "CRYPTO", CreateWallet),
  createCheckoutAddress: writing("POST /v1/crypto/checkout/address", "CRYPTO", CreateCheckoutAddress),
  listWallets: reading(wallets, "CRYPTO", WalletsQuery),
  getWalletBalance: reading(`${wallets}/{address}/balance`, "CRYPTO", WalletBalanceQuery),
  getWalletHistory: reading(`${wallets}/{address}/history`, "CRYPTO", WalletHistoryQuery),
  transferCrypto: financial(writing("POST /v1/crypto/transfer", "CRYPTO", CryptoTransfer)),
  startPersonKyc: writing("POST /v1/kyc/person", "KYC", PersonKyc),
  startCompanyKyc: writing("POST /v1/kyc/company", "KYC", CompanyKyc),
  listKyc: reading("/v1/kyc/list", "KYC", KycListQuery),
  decideKyc: writing("POST /v1/kyc/manual-decision", "KYC", ManualDecision),
  getPixKey: reading("/v1/pix/getAccountInfoByPixKey", "BANKING", PixKeyQuery),
  getOtcTrade: reading("/v1/otc/trades/{id}", "CRYPTO", Nothing),
  listWebhooks: reading("/v1/webhooks", null, Nothing),
};
