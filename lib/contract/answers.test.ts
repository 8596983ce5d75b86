import { describe, expect, it } from "vitest";
import type { z } from "zod";
import * as accountsContract from "./accounts";
import * as auth from "./auth";
import * as cryptoContract from "./crypto";
import { ErrorBody, GATEWAY_ERRORS, HeldTransaction } from "./errors";
import accounts from "./fixtures/accounts.json";
import authentication from "./fixtures/authentication.json";
import crypto from "./fixtures/crypto.json";
import errors from "./fixtures/errors.json";
import kyc from "./fixtures/kyc.json";
import onboarding from "./fixtures/onboarding.json";
import webhooks from "./fixtures/webhooks.json";
import { parseJson } from "./json";
import * as kycContract from "./kyc";
import * as onboardingContract from "./onboarding";
import { OpenRecord } from "./shared";
import { fieldsOf, valueAt, withField, withoutField, withUnknownFields } from "@/test/support/contract";
import { Subscriptions } from "./webhooks";

/** `needed` lists the indispensable fields; any other may be missing, null or of another shape. */
type Answer = {
  name: string;
  schema: z.ZodType;
  example: unknown;
  needed: string[];
  enums?: string[];
  /** The console reads it in its own way. */
  isTakenAsIs?: true;
};

const TOKEN = ["access_token", "token_type", "expires_in", "issued_at", "scope"];
const ACTIVE_TOKEN = ["active", "client_id", "token_type", "exp", "iat", "issued_at", "expires_at", "scope"];

const onboardingRecord = {
  schema: onboardingContract.OnboardingRecord,
  needed: ["data", "data.body", "data.body.account", "data.body.account.documentNumber"],
  enums: ["data.status"],
};
const started = {
  schema: kycContract.KycStarted,
  needed: ["data", "data.kycUUID"],
  enums: ["data.status", "data.kycType", "data.model"],
};

const ANSWERS: Answer[] = [
  { name: "Token", schema: auth.Token, example: authentication.token, needed: TOKEN, isTakenAsIs: true },
  {
    name: "Introspection, active",
    schema: auth.Introspection,
    example: authentication.activeIntrospection,
    needed: ACTIVE_TOKEN,
    isTakenAsIs: true,
  },
  {
    name: "Introspection, inactive",
    schema: auth.Introspection,
    example: authentication.inactiveIntrospection,
    needed: ["active", "reason"],
    isTakenAsIs: true,
  },
  {
    name: "Revocation",
    schema: auth.Revocation,
    example: authentication.revocation,
    needed: ["body", "when"],
    isTakenAsIs: true,
  },
  {
    name: "Account requested",
    schema: onboardingContract.AccountRequested,
    example: onboarding.accountRequested,
    needed: ["data", "data.body", "data.body.onBoardingId"],
    enums: ["data.status"],
  },
  { name: "Onboarding PROCESSING", example: onboarding.processing, ...onboardingRecord },
  { name: "Onboarding CONFIRMED", example: onboarding.confirmed, ...onboardingRecord },
  { name: "Onboarding ERROR", example: onboarding.refused, ...onboardingRecord },
  {
    name: "Balance",
    schema: accountsContract.Balance,
    example: accounts.balance,
    needed: ["data", "data.balance", "data.blockedBalance"],
  },
  {
    name: "Statement",
    schema: accountsContract.History,
    example: accounts.history,
    needed: ["data", "data.transactions", "data.transactions.0.amount"],
    enums: ["data.transactions.0.type", "data.transactions.0.direction"],
  },
  {
    name: "Internal transfer, 200",
    schema: accountsContract.TransferConfirmed,
    example: accounts.transferConfirmed,
    needed: ["data", "data.transactionId"],
    enums: ["status"],
  },
  {
    name: "Wallet creation result",
    schema: cryptoContract.WalletCreated,
    example: crypto.walletCreated,
    needed: ["data", "data.walletId", "data.address"],
    enums: ["data.network"],
  },
  {
    name: "Checkout address",
    schema: cryptoContract.CheckoutAddress,
    example: crypto.checkoutAddress,
    needed: ["data", "data.address"],
    enums: ["data.network"],
  },
  {
    name: "Crypto wallets",
    schema: cryptoContract.Wallets,
    example: crypto.wallets,
    needed: ["data", "data.0.id", "data.0.address"],
    enums: ["data.0.network", "data.0.status"],
  },
  {
    name: "Balance entry",
    schema: cryptoContract.WalletBalance,
    example: crypto.walletBalance,
    needed: ["data", "data.0.balance"],
  },
  {
    name: "On-chain history",
    schema: cryptoContract.WalletHistory,
    example: crypto.walletHistory,
    needed: ["data", "data.0.amount"],
  },
  {
    name: "Crypto transfer, 200",
    schema: cryptoContract.CryptoTransferSent,
    example: crypto.cryptoTransferSent,
    needed: ["data", "data.txHash"],
  },
  { name: "KYC process PF", example: kyc.personStarted, ...started },
  { name: "KYC process PJ", example: kyc.companyStarted, ...started },
  {
    name: "KYC list",
    schema: kycContract.KycList,
    example: kyc.list,
    needed: ["result", "result.0.kycUUID"],
    enums: ["result.0.process", "result.0.status", "result.0.kycType"],
  },
  {
    name: "Manual decision",
    schema: kycContract.ManualDecisionTaken,
    example: kyc.manualDecisionTaken,
    needed: ["data"],
    enums: ["data.decision"],
  },
  {
    name: "Held transaction, 202",
    schema: HeldTransaction,
    example: errors.TRANSACTION_PENDING_APPROVAL,
    needed: ["error", "message", "antifraudId", "pendingExpiresAt"],
    isTakenAsIs: true,
  },
  {
    name: "Webhook subscriptions",
    schema: Subscriptions,
    example: webhooks.subscriptions,
    needed: ["data", "data.0.url"],
    enums: ["data.0.events.0"],
  },
];

const onTheWire = (example: unknown) => parseJson(JSON.stringify(example));
const path = (dotted: string) => dotted.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step));

/** Other values of a field that are still understood. */
function otherwise(value: unknown): unknown[] {
  if (typeof value === "string") return [7, 0.5];
  return typeof value === "number" || typeof value === "boolean" ? [String(value)] : [];
}

describe.each(ANSWERS)("the answer $name", ({ schema, example, needed, enums = [], isTakenAsIs = false }) => {
  const answer = onTheWire(example);
  const fields = fieldsOf(answer).map((field) => [field.join("."), field] as const);
  const other = fields.filter(([name]) => !needed.includes(name));
  const written = fields.flatMap(([name, field]) =>
    isTakenAsIs ? [] : otherwise(valueAt(answer, field)).map((value) => [name, value, field] as const),
  );

  it("parses the interface's example answer", () => {
    expect(schema.safeParse(answer)).toMatchObject({ success: true });
  });

  it("accepts and keeps an answer's fields of a later version", () => {
    const parsed = schema.safeParse(withUnknownFields(answer));
    expect(parsed).toMatchObject({ success: true, data: { addedLater: "anything" } });
  });

  it.each(needed)("refuses an answer with a missing or wrong %s", (name) => {
    expect(schema.safeParse(withoutField(answer, path(name))).success).toBe(false);
    expect(schema.safeParse(withField(answer, path(name), null)).success).toBe(false);
    expect(schema.safeParse(withField(answer, path(name), Symbol("wrong"))).success).toBe(false);
  });

  it.each(other)("parses an answer with %s missing or null", (_, field) => {
    expect(schema.safeParse(withoutField(answer, field))).toMatchObject({ success: true });
    expect(schema.safeParse(withField(answer, field, null))).toMatchObject({ success: true });
  });

  it.each(written)("parses an answer with a %s of %j", (_, value, field) => {
    expect(schema.safeParse(withField(answer, field, value))).toMatchObject({ success: true });
  });

  it.each(enums)("marks an undocumented %s instead of failing or acting on it", (field) => {
    expect(JSON.stringify(schema.parse(withField(answer, path(field), "LATER")))).toContain('"unknown:LATER"');
  });
});

describe("an error body", () => {
  it.each(Object.entries(errors))("parses the error body %s", (_, body) => {
    expect(ErrorBody.parse(body)).toEqual(body);
  });

  it("lists every gateway error of the interface", () => {
    const { business: _, ...gateway } = errors;
    expect(Object.keys(gateway).toSorted()).toEqual([...GATEWAY_ERRORS].toSorted());
  });

  it("requires a message for people in an error", () => {
    expect(ErrorBody.safeParse({ error: "MISSING_CLIENT_ID" }).success).toBe(false);
  });
});

describe("an answer that the interface does not show", () => {
  it("keeps a record's fields as they came", () => {
    const receipt = { anything: [1, { deep: null }], status: "whatever" };
    expect(OpenRecord.parse(receipt)).toEqual(receipt);
    expect(accountsContract.AccountsAnswer.parse({})).toEqual({});
  });

  it("refuses a list, a text or nothing as a record", () => {
    for (const odd of [[], "text", 7, null]) expect(OpenRecord.safeParse(odd).success).toBe(false);
  });
});

describe("an onboarding record", () => {
  it("reads a null account id while the account does not exist", () => {
    expect(onboardingContract.OnboardingRecord.parse(onboarding.refused).data.body.account.accountId).toBeNull();
  });
});

describe("a wallet's balance", () => {
  it("keeps more digits of a balance than a double holds", () => {
    expect(cryptoContract.WalletBalance.parse(crypto.walletBalance).data[0]?.balance).toBe("1.000000000000000001");
  });
});
