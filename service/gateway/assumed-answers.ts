import { NETWORKS } from "@/lib/contract/crypto";
import { LegalPerson, ONBOARDING_STATUSES, Person } from "@/lib/contract/onboarding";
import { Brl, known, OpenRecord, statusEnvelope } from "@/lib/contract/shared";
import { z } from "zod";

// The answers that the interface does not show, as this service gives them: all our assumption.

const HOLDER_TYPES = ["PF", "PJ"] as const;

const ofAccount = { accountId: z.string(), branch: z.string(), account: z.string(), documentNumber: z.string() };

/** `data` of getTransactionById. */
export const Receipt = statusEnvelope(OpenRecord);

export const AccountListItem = z.looseObject({
  onBoardingId: z.string(),
  ...ofAccount,
  accountId: z.string().nullable(),
  holderName: z.string(),
  type: known(HOLDER_TYPES),
  status: known(ONBOARDING_STATUSES),
  createdAt: z.string(),
});
export const AccountList = statusEnvelope(
  z.looseObject({ accounts: z.array(AccountListItem), page: z.number().int(), totalPages: z.number().int() }),
);

const info = {
  clientCode: z.string(),
  ...ofAccount,
  onBoardingId: z.string(),
  type: known(HOLDER_TYPES),
  status: known(["ACTIVE", "CLOSED"]),
  createdAt: z.string(),
  closedAt: z.string().nullable(),
  closingReason: z.string().nullable(),
  email: z.string(),
  bankDocuments: z.record(z.string(), z.string()),
};
export const PersonInfo = statusEnvelope(z.looseObject({ ...info, person: Person }));
export const CompanyInfo = statusEnvelope(z.looseObject({ ...info, legalPerson: LegalPerson }));

export const TedConfirmed = statusEnvelope(OpenRecord);
export const AccountClosed = statusEnvelope(OpenRecord);

export const PixKeyHolder = statusEnvelope(
  z.looseObject({
    pixKey: z.string(),
    keyType: known(["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"]),
    name: z.string(),
    ...ofAccount,
    type: known(HOLDER_TYPES),
    accountType: known(["CACC"]),
  }),
);

export const OtcTrade = statusEnvelope(
  z.looseObject({
    id: z.string(),
    clientId: z.string(),
    side: known(["BUY", "SELL"]),
    network: known(NETWORKS),
    asset: z.string(),
    tokenAddress: z.string().nullable(),
    quantity: z.string(),
    price: Brl,
    total: Brl,
    currency: z.string(),
    status: known(["QUOTED", "CONFIRMED", "SETTLED", "CANCELLED"]),
    createdAt: z.string(),
    settledAt: z.string().nullable(),
  }),
);
