import accounts from "@/lib/contract/fixtures/accounts.json";
import crypto from "@/lib/contract/fixtures/crypto.json";
import kyc from "@/lib/contract/fixtures/kyc.json";
import onboarding from "@/lib/contract/fixtures/onboarding.json";
import webhooks from "@/lib/contract/fixtures/webhooks.json";
import type { operations } from "@/service/gateway/operations";
import * as assumed from "./assumed-examples";
import type { Examples } from "./responses";

export type Prose = { description: string; requests?: Examples; answers?: Examples };

const one = (value: unknown): Examples => ({ example: { value } });

const BANKING = {
  createAccount: {
    description:
      "Takes `person` for a natural person's account or `legalPerson` for a company's. The provider checks the holder afterwards: ask `checkOnboarding` until it says `CONFIRMED` or `ERROR`, or wait for the onboarding events. A document that has an account, or a request in progress, is 409.",
    requests: {
      person: { summary: "A natural person (PF)", value: onboarding.createPersonAccount },
      company: { summary: "A legal person (PJ)", value: onboarding.createCompanyAccount },
    },
    answers: one(onboarding.accountRequested),
  },
  checkOnboarding: {
    description:
      "Found by the onboarding id or by the holder's document, whose newest request then counts. While it says `PROCESSING` there may be a `biometricUrl` that the holder has to visit; with `ERROR` come the reasons in `messages`.",
    answers: {
      processing: { summary: "In progress", value: onboarding.processing },
      confirmed: { summary: "The account exists", value: onboarding.confirmed },
      refused: { summary: "Refused", value: onboarding.refused },
    },
  },
  getBalance: {
    description: "What the account can spend, and what is set aside for held transactions. Both are exact.",
    answers: one(accounts.balance),
  },
  getHistory: {
    description:
      "The movements of a period, newest first. Both days belong to it, and days are those of America/Sao_Paulo. By our assumption a page holds 50 entries unless told, at most 500, and the first page is 1. What is merely held does not show.",
    answers: one(accounts.history),
  },
  getTransaction: {
    description:
      "One transaction of an account of this holder: a movement of the statement, or a transfer that antifraud holds, blocked or gave back. The answer is our assumption.",
    answers: {
      made: { summary: "A movement that was made", value: assumed.receipt },
      held: { summary: "A transfer that antifraud holds", value: assumed.heldReceipt },
    },
  },
  getAccounts: {
    description:
      "The requests for accounts made in a period, newest first, with the account where there is one. The answer is our assumption.",
    answers: one(assumed.accountList),
  },
  getPersonInfo: {
    description: "The account of a person with what was said of its holder. The answer is our assumption.",
    answers: one(assumed.personInfo),
  },
  getCompanyInfo: {
    description: "The account of a company with what was said of it. The answer is our assumption.",
    answers: one(assumed.companyInfo),
  },
  updateCompanyInfo: {
    description:
      "Finds the company's account by `accountId`, by `documentNumber` or by both, and changes those fields that are sent. Which fields may change, and the answer, are our assumption.",
    requests: {
      contact: {
        summary: "Another contact",
        value: {
          documentNumber: "11222333000181",
          businessEmail: "novo@padaria.example",
          contactNumber: "+551144445555",
        },
      },
    },
    answers: one(assumed.companyInfo),
  },
  transferInternally: {
    description:
      "Moves reais at once between two accounts of the client. Antifraud may hold it (202) or block it (403): by our assumption from R$ 10,000.00 and from R$ 1,000,000.00. Send an Idempotency-Key, and a repeated request moves nothing twice.",
    requests: one(accounts.internalTransfer),
    answers: one(accounts.transferConfirmed),
  },
  transferExternally: {
    description:
      "Sends reais to an account at another institution. Antifraud and the Idempotency-Key are as for an internal transfer. The answer is our assumption.",
    requests: one(accounts.externalTransfer),
    answers: one(assumed.externalTransferConfirmed),
  },
  closeAccount: {
    description:
      "Closes an account for good. It has to be empty, with nothing held; it stays readable and takes no further movement. By our assumption any six digits but `000000` are the holder's second factor. The answer is our assumption, too.",
    requests: one(accounts.closeAccount),
    answers: one(assumed.accountClosed),
  },
  getPixKey: {
    description:
      "Looks among the open accounts of the client. Their keys are the holder's document, e-mail addresses and phone numbers, and a random key. Parameter and answer are our assumption.",
    answers: one(assumed.pixKeyHolder),
  },
} satisfies Record<string, Prose>;

const CRYPTO = {
  createWallet: {
    description:
      "An address of a chain family. One EVM wallet serves Ethereum, Polygon and BSC. A forward wallet (`isForwardPayment` 1) keeps nothing: what arrives goes on to the client's master wallet.",
    requests: one(crypto.createWallet),
    answers: one(crypto.walletCreated),
  },
  createCheckoutAddress: {
    description:
      "A forward wallet for one payment. What arrives there goes on to the master wallet and is told by `crypto-cash-in`. Without a `reference` one is made up (our assumption).",
    requests: one(crypto.createCheckoutAddress),
    answers: one(crypto.checkoutAddress),
  },
  listWallets: {
    description: "The client's wallets, newest first, forward wallets among them.",
    answers: one(crypto.wallets),
  },
  getWalletBalance: {
    description:
      "The native coin always, and the tokens that ever arrived. With `tokenAddress`, that token alone. Balances are decimal strings, exact to the last decimal.",
    answers: one(crypto.walletBalance),
  },
  getWalletHistory: {
    description: "What reached and left the address on one network, newest first.",
    answers: one(assumed.walletHistory),
  },
  transferCrypto: {
    description:
      "Sends from one of the client's wallets. The network's fee comes out of the wallet's native coin. On the XRP Ledger a token is named by `currency` and `issuer`, elsewhere by `tokenAddress`. Antifraud may hold it (202) or block it (403): by our assumption from 10 and from 1,000 whole units of a native coin.",
    requests: {
      native: {
        summary: "A native coin",
        value: {
          network: "ETHEREUM",
          fromAddress: "0x9858EfFD232B4033E47d90003D41EC34EcaEda94",
          to: "0xA1E4380A3B1f749673E270229993eE55F35663b4",
          amount: "0.5",
        },
      },
      issued: { summary: "A token of the XRP Ledger", value: crypto.cryptoTransfer },
    },
    answers: one(crypto.cryptoTransferSent),
  },
  getOtcTrade: {
    description: "One trade of the client. The answer is our assumption.",
    answers: one(assumed.otcTrade),
  },
} satisfies Record<string, Prose>;

const OTHERS = {
  startPersonKyc: {
    description:
      "Starts the background check of a person and, with `documentscopyFlag`, the examination of their documents after it. It is billed once. Ask `GET /v1/kyc/list` for the outcome: no event tells of it.",
    requests: one(kyc.personKyc),
    answers: one(kyc.personStarted),
  },
  startCompanyKyc: {
    description:
      "Starts the check of a company with one to three partners, of whom one at least manages it. Otherwise as for a person.",
    requests: one(kyc.companyKyc),
    answers: one(kyc.companyStarted),
  },
  listKyc: {
    description:
      "The client's verifications, newest first; documents are masked. Paging is our assumption: 20 records a page unless told, at most 100, and the first page is 1.",
    answers: one(kyc.list),
  },
  decideKyc: {
    description: "A person decides, whatever the checks have said so far. A verification of another client is 403.",
    requests: one(kyc.manualDecision),
    answers: one(kyc.manualDecisionTaken),
  },
  listWebhooks: {
    description: "Where the client's events go and which ones, without the secret. The answer is our assumption.",
    answers: one(webhooks.subscriptions),
  },
} satisfies Record<string, Prose>;

export const PROSE: Readonly<Record<keyof typeof operations, Prose>> = { ...BANKING, ...CRYPTO, ...OTHERS };
