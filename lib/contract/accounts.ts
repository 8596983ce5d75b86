import { z } from "zod";
import { Cnpj, Cpf, Document } from "@/lib/contract/document-schema";
import { LegalPerson } from "@/lib/contract/onboarding";
import {
  Brl,
  BrlAmount,
  Identifier,
  known,
  numberOrNull,
  OpenRecord,
  QueryBoolean,
  QueryDate,
  queryInteger,
  Required,
  Secret,
  TextOrEmpty,
  unused,
} from "@/lib/contract/shared";

/** Our assumption: the interface shows `type` and `direction` as strings without their values. */
export const ENTRY_TYPES = ["PIX", "TED", "INTERNAL", "FEE"] as const;
export const ENTRY_DIRECTIONS = ["CREDIT", "DEBIT"] as const;
export const STATEMENT_LIMIT_MAX = 500;

const ofAccount = { accountId: Required, documentNumber: Document };

/** Query of GET /v1/bank-accounts/balance. */
export const BalanceQuery = z.looseObject({ ...ofAccount, onBoardingId: z.string().optional() });

/** Answer of GET /v1/bank-accounts/balance, 200; amounts in reais. A status that is an object is read by its parts. */
export const Balance = z.looseObject({
  status: z.union([TextOrEmpty, z.unknown().transform(() => "")]).meta({ type: "string" }),
  data: z.looseObject({ accountId: unused("string"), balance: Brl, blockedBalance: Brl }),
});
export type Balance = z.infer<typeof Balance>;

/** Query of GET /v1/bank-accounts/history. `page` is 1-based and `limit` at most 500 by our assumption. */
export const HistoryQuery = z
  .looseObject({
    ...ofAccount,
    initialDate: QueryDate,
    endDate: QueryDate,
    limit: queryInteger(1, STATEMENT_LIMIT_MAX).default(50),
    page: queryInteger(1, 1_000_000).default(1),
    onlyPixEntries: QueryBoolean.default(false),
    targetAccountId: z.string().optional(),
  })
  .refine((query) => query.initialDate <= query.endDate, {
    error: "must not be before initialDate",
    path: ["endDate"],
    params: { code: "period" },
  });
export type HistoryQuery = z.infer<typeof HistoryQuery>;

export const StatementEntry = z.looseObject({
  transactionId: TextOrEmpty,
  type: known(ENTRY_TYPES),
  amount: Brl,
  date: TextOrEmpty,
  description: TextOrEmpty,
  direction: known(ENTRY_DIRECTIONS),
});
export type StatementEntry = z.infer<typeof StatementEntry>;

/** Answer of GET /v1/bank-accounts/history, 200. `status` has no documented type. */
export const History = z.looseObject({
  status: z.preprocess((wire) => wire ?? "", z.union([z.string(), z.number()])),
  data: z.looseObject({
    transactions: z.array(StatementEntry),
    page: numberOrNull("number"),
    totalPages: numberOrNull("number"),
  }),
});
export type History = z.infer<typeof History>;

/**
 * Query of GET /v1/bank-accounts/getTransactionById. By our assumption `cashIn` narrows to credits (`true`) or debits
 * (`false`), and a `transactionUUID`, when given, must name the same transaction as `transactionId`.
 */
export const TransactionQuery = z.looseObject({
  transactionId: Required,
  documentNumber: Document,
  cashIn: QueryBoolean.optional(),
  transactionUUID: Required.optional(),
});
export type TransactionQuery = z.infer<typeof TransactionQuery>;

/** Query of GET /v1/bank-accounts/getAccounts. The values of `method` are not documented: any one is ignored. */
export const AccountsQuery = z
  .looseObject({
    initialDate: QueryDate,
    endDate: QueryDate,
    limit: queryInteger(1, STATEMENT_LIMIT_MAX).default(50),
    page: queryInteger(1, 1_000_000).default(1),
    method: z.string().optional(),
  })
  .refine((query) => query.initialDate <= query.endDate, {
    error: "must not be before initialDate",
    path: ["endDate"],
    params: { code: "period" },
  });

export const PersonInfoQuery = z.looseObject({ accountId: Required, documentNumber: Cpf });
export const CompanyInfoQuery = z.looseObject({ accountId: Required, documentNumber: Cnpj });

/**
 * Body of PUT /v1/bank-accounts/updateAccountInfoLegalPerson. Our assumption, as the interface does not say: either
 * field names the account, both must match when both are sent, and these company fields may change.
 */
export const UpdateCompanyInfo = LegalPerson.pick({
  tradingName: true,
  businessEmail: true,
  contactNumber: true,
  businessAddress: true,
})
  .partial()
  .extend({ accountId: Required.optional(), documentNumber: Document.optional() })
  .refine(({ accountId, documentNumber }) => accountId !== undefined || documentNumber !== undefined, {
    error: "is required when there is no documentNumber",
    path: ["accountId"],
    params: { code: "required" },
  });
export type UpdateCompanyInfo = z.infer<typeof UpdateCompanyInfo>;

/** Body of POST /v1/bank-accounts/generateInternalTransferRequest. */
export const InternalTransfer = z
  .looseObject({
    userId: Required,
    accountIdFrom: Required,
    accountIdTo: Required,
    amount: BrlAmount,
    description: z.string().optional(),
  })
  .refine((transfer) => transfer.accountIdTo !== transfer.accountIdFrom, {
    error: "must be another account than accountIdFrom",
    path: ["accountIdTo"],
    params: { code: "same" },
  });
export type InternalTransfer = z.infer<typeof InternalTransfer>;

/** Answer of POST /v1/bank-accounts/generateInternalTransferRequest, 200. */
export const TransferConfirmed = z.looseObject({
  status: known(["CONFIRMED"]),
  data: z.looseObject({ transactionId: Identifier }),
});
export type TransferConfirmed = z.infer<typeof TransferConfirmed>;

/** Body of POST /v1/bank-accounts/generateExternalTransferRequest (TED). ISPB keeps its leading zeros. */
export const ExternalTransfer = z.looseObject({
  userId: Required,
  onBoardingId: Required,
  idAccount: Required,
  document: Document,
  accountCode: Required,
  branchCode: Required,
  institutionCode: z.number().int().min(0),
  name: Required,
  value: BrlAmount,
  bankAccountType: z.enum(["CACC", "SVGS"]),
  institutionIspb: Required,
});
export type ExternalTransfer = z.infer<typeof ExternalTransfer>;

/** Body of POST /v1/bank-accounts/closeAccount; `code` is the holder's 6-digit MFA code. */
export const CloseAccount = z.looseObject({
  userId: Required,
  userAccessToken: Secret,
  code: z.string().regex(/^\d{6}$/, { error: "must have 6 digits" }),
  account: Required,
  reason: Required,
});
export type CloseAccount = z.infer<typeof CloseAccount>;

/** Answers the interface does not show: receipt, accounts, account information, TED, update, closing. */
export const AccountsAnswer = OpenRecord;
export type AccountsAnswer = z.infer<typeof AccountsAnswer>;
