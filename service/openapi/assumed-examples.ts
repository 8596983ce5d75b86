import crypto from "@/lib/contract/fixtures/crypto.json";
import onboarding from "@/lib/contract/fixtures/onboarding.json";

// Only our assumptions: the contract's examples are in its fixtures.

const envelope = { status: 200, httpCode: 200, when: 1_773_144_000_000 };
const person = { accountId: "acc-0001", branch: "0001", account: "123456-0", documentNumber: "52998224725" };
const company = { accountId: "acc-0002", branch: "0001", account: "123457-9", documentNumber: "11222333000181" };
const open = { status: "ACTIVE", createdAt: "2026-03-02T13:20:00.000Z", closedAt: null, closingReason: null };
const entry = {
  transactionId: "4f1f7a52-6f5f-4d3e-9d5c-6a6fd0f6b7c1",
  type: "INTERNAL",
  amount: 150.75,
  date: "2026-03-09T15:04:05.000Z",
  description: "Aluguel",
  direction: "DEBIT",
};

export const receipt = {
  ...envelope,
  data: {
    ...entry,
    accountId: "acc-0001",
    status: "CONFIRMED",
    counterparty: { name: "Padaria Estrela LTDA", ...company, documentNumber: "**.222.333/0001-**" },
  },
};

export const heldReceipt = {
  ...envelope,
  data: {
    ...entry,
    type: "TED",
    amount: 25_000,
    description: "TED",
    accountId: "acc-0001",
    status: "HELD",
    counterparty: {
      name: "João Lima",
      documentNumber: "***.533.447-**",
      accountCode: "98765-4",
      branchCode: "0123",
      institutionCode: 341,
      institutionIspb: "60701190",
      bankAccountType: "CACC",
    },
    pendingExpiresAt: "2026-03-10T15:04:05.000Z",
    decidedAt: null,
  },
};

export const accountList = {
  ...envelope,
  data: {
    accounts: [
      {
        clientCode: "aurora",
        onBoardingId: "5f0c7a1e-4f0c-4f6d-9a80-6d3b1d2f8a11",
        ...person,
        holderName: "Ana Souza",
        type: "PF",
        status: "CONFIRMED",
        accountStatus: "ACTIVE",
        createdAt: "2026-03-02T13:19:56.000Z",
      },
    ],
    page: 1,
    totalPages: 1,
  },
};

const { email: personEmail, person: holder, bankDocuments: pictures } = onboarding.createPersonAccount;
const { email: companyEmail, legalPerson, bankDocuments } = onboarding.createCompanyAccount;

export const personInfo = {
  ...envelope,
  data: {
    clientCode: "aurora",
    ...person,
    onBoardingId: "5f0c7a1e-4f0c-4f6d-9a80-6d3b1d2f8a11",
    type: "PF",
    ...open,
    email: personEmail,
    person: holder,
    bankDocuments: pictures,
  },
};

export const companyInfo = {
  ...envelope,
  data: {
    clientCode: "aurora",
    ...company,
    onBoardingId: "0d0a3d6c-7c38-4b53-8f0e-2a5f0b7a7e35",
    type: "PJ",
    ...open,
    email: companyEmail,
    legalPerson,
    bankDocuments,
  },
};

export const externalTransferConfirmed = {
  ...envelope,
  data: { transactionId: "8f6c3c39-0a7e-4d9f-9a0b-1f2e3d4c5b6a", status: "CONFIRMED" },
};

export const accountClosed = {
  ...envelope,
  data: { ...person, status: "CLOSED", closedAt: "2026-03-10T12:00:00.000Z", reason: "A pedido do titular" },
};

export const pixKeyHolder = {
  ...envelope,
  data: {
    pixKey: "ana.souza@example.com",
    keyType: "EMAIL",
    name: "Ana Souza",
    ...person,
    documentNumber: "***.982.247-**",
    type: "PF",
    accountType: "CACC",
  },
};

export const walletHistory = {
  ...crypto.walletHistory,
  data: crypto.walletHistory.data.map((one) => ({ ...one, asset: "ETH", confirmations: 12 })),
};

export const otcTrade = {
  ...envelope,
  data: {
    id: "c1a2a7c4-1d55-4b0c-8d0e-5b9f3c0d6e21",
    clientId: "aurora",
    side: "BUY",
    network: "ETHEREUM",
    asset: "ETH",
    tokenAddress: null,
    quantity: "1.5",
    price: 19_250.4,
    total: 28_875.6,
    currency: "BRL",
    status: "SETTLED",
    createdAt: "2026-03-10T12:00:00.000Z",
    settledAt: "2026-03-10T12:00:00.000Z",
  },
};
