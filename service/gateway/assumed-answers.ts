import { z } from "zod";
import { History, StatementEntry } from "@/lib/contract/accounts";
import { ChainEntry, NETWORKS, Wallet } from "@/lib/contract/crypto";
import { LegalPerson, ONBOARDING_STATUSES, Person } from "@/lib/contract/onboarding";
import { Brl, known, messageEnvelope, statusEnvelope } from "@/lib/contract/shared";
import { OTC_SIDES, OTC_STATUSES } from "@/service/store/schema";
import { PIX_KEY_TYPES } from "@/service/pix/look-up-key";

// Our assumptions where the interface is silent or incomplete.

const HolderType = known(["PF", "PJ"]);
const AccountStatus = known(["ACTIVE", "CLOSED"]);
const named = { accountId: z.string(), branch: z.string(), account: z.string(), documentNumber: z.string() };

export const Counterparty = z.looseObject({
  name: z.string(),
  documentNumber: z.string().nullable(),
  accountId: z.string().optional(),
  branch: z.string().optional(),
  account: z.string().optional(),
  accountCode: z.string().optional(),
  branchCode: z.string().optional(),
  institutionCode: z.number().int().optional(),
  institutionIspb: z.string().optional(),
  bankAccountType: z.string().optional(),
});

export const Receipt = statusEnvelope(
  StatementEntry.extend({
    accountId: z.string(),
    status: known(["CONFIRMED", "HELD", "BLOCKED", "REJECTED", "EXPIRED"]),
    counterparty: Counterparty.nullable(),
    pendingExpiresAt: z.string().nullish(),
    decidedAt: z.string().nullish(),
    originalTransactionId: z.string().optional(),
  }),
);

/** The return of a TED names the one that it returns. */
export const DetailedHistory = History.extend({
  data: History.shape.data.extend({
    transactions: z.array(StatementEntry.extend({ originalTransactionId: z.string().optional() })),
  }),
});

export const AccountListItem = z.looseObject({
  clientCode: z.string(),
  onBoardingId: z.string(),
  ...named,
  accountId: z.string().nullable(),
  userId: z.string().optional(),
  holderName: z.string(),
  type: HolderType,
  status: known(ONBOARDING_STATUSES),
  // Not optional, though parsing an absent one would make it so.
  accountStatus: AccountStatus.out.nullable(),
  createdAt: z.string(),
});

export const AccountList = statusEnvelope(
  z.looseObject({ accounts: z.array(AccountListItem), page: z.number().int(), totalPages: z.number().int() }),
);

const info = {
  clientCode: z.string(),
  ...named,
  onBoardingId: z.string(),
  userId: z.string().optional(),
  type: HolderType,
  status: AccountStatus,
  createdAt: z.string(),
  closedAt: z.string().nullable(),
  closingReason: z.string().nullable(),
  email: z.string(),
  bankDocuments: z.record(z.string(), z.string()),
};

export const PersonInfo = statusEnvelope(z.looseObject({ ...info, person: Person }));

export const CompanyInfo = statusEnvelope(z.looseObject({ ...info, legalPerson: LegalPerson }));

export const ExternalTransferConfirmed = statusEnvelope(
  z.looseObject({ transactionId: z.string(), status: known(["CONFIRMED"]) }),
);

export const AccountClosed = statusEnvelope(
  z.looseObject({ ...named, status: known(["CLOSED"]), closedAt: z.string(), reason: z.string() }),
);

export const DetailedChainEntry = ChainEntry.extend({
  asset: z.string(),
  tokenAddress: z.string().optional(),
  fee: z.string().optional(),
  confirmations: z.number().int(),
});
export const DetailedWalletHistory = messageEnvelope(z.array(DetailedChainEntry));

export const DetailedWallet = Wallet.extend({ userId: z.string().optional(), reference: z.string().optional() });
export const DetailedWallets = messageEnvelope(z.array(DetailedWallet));

export const PixKeyHolder = statusEnvelope(
  z.looseObject({
    pixKey: z.string(),
    keyType: known(PIX_KEY_TYPES),
    name: z.string(),
    ...named,
    type: HolderType,
    accountType: known(["CACC"]),
  }),
);

export const OtcTrade = statusEnvelope(
  z.looseObject({
    id: z.string(),
    clientId: z.string(),
    side: known(OTC_SIDES),
    network: known(NETWORKS),
    asset: z.string(),
    tokenAddress: z.string().nullable(),
    quantity: z.string(),
    price: Brl,
    total: Brl,
    currency: z.string(),
    status: known(OTC_STATUSES),
    createdAt: z.string(),
    settledAt: z.string().nullable(),
  }),
);
