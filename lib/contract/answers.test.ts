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
import { fieldsOf, withField, withoutField, withUnknownFields } from "./testing";
import { Subscriptions } from "./webhooks";

type Answer = { name: string; schema: z.ZodType; example: unknown; optional?: string[]; enums?: string[] };

const onboardingRecord = {
  schema: onboardingContract.OnboardingRecord,
  optional: ["data.body.biometricUrl", "data.body.messages", "data.body.messages.0.url"],
  enums: ["data.status"],
};
const started = {
  schema: kycContract.KycStarted,
  optional: ["data.webviewUrl"],
  enums: ["data.status", "data.kycType", "data.model"],
};

const ANSWERS: Answer[] = [
  { name: "Token", schema: auth.Token, example: authentication.token },
  { name: "Introspection, active", schema: auth.Introspection, example: authentication.activeIntrospection },
  { name: "Introspection, inactive", schema: auth.Introspection, example: authentication.inactiveIntrospection },
  { name: "Revocation", schema: auth.Revocation, example: authentication.revocation },
  {
    name: "Account requested",
    schema: onboardingContract.AccountRequested,
    example: onboarding.accountRequested,
    enums: ["data.status"],
  },
  { name: "Onboarding PROCESSING", example: onboarding.processing, ...onboardingRecord },
  { name: "Onboarding CONFIRMED", example: onboarding.confirmed, ...onboardingRecord },
  { name: "Onboarding ERROR", example: onboarding.refused, ...onboardingRecord },
  { name: "Balance", schema: accountsContract.Balance, example: accounts.balance },
  {
    name: "Statement",
    schema: accountsContract.History,
    example: accounts.history,
    enums: ["data.transactions.0.type", "data.transactions.0.direction"],
  },
  {
    name: "Internal transfer, 200",
    schema: accountsContract.TransferConfirmed,
    example: accounts.transferConfirmed,
    enums: ["status"],
  },
  {
    name: "Wallet creation result",
    schema: cryptoContract.WalletCreated,
    example: crypto.walletCreated,
    enums: ["data.network"],
  },
  {
    name: "Checkout address",
    schema: cryptoContract.CheckoutAddress,
    example: crypto.checkoutAddress,
    enums: ["data.network"],
  },
  {
    name: "Crypto wallets",
    schema: cryptoContract.Wallets,
    example: crypto.wallets,
    enums: ["data.0.network", "data.0.status"],
  },
  {
    name: "Balance entry",
    schema: cryptoContract.WalletBalance,
    example: crypto.walletBalance,
    optional: ["data.0.type", "data.0.tokenAddress"],
  },
  { name: "On-chain history", schema: cryptoContract.WalletHistory, example: crypto.walletHistory },
  { name: "Crypto transfer, 200", schema: cryptoContract.CryptoTransferSent, example: crypto.cryptoTransferSent },
  { name: "KYC process PF", example: kyc.personStarted, ...started },
  { name: "KYC process PJ", example: kyc.companyStarted, ...started },
  {
    name: "KYC list",
    schema: kycContract.KycList,
    example: kyc.list,
    enums: ["result.0.process", "result.0.status", "result.0.kycType"],
  },
  {
    name: "Manual decision",
    schema: kycContract.ManualDecisionTaken,
    example: kyc.manualDecisionTaken,
    enums: ["data.decision"],
  },
  { name: "Held transaction, 202", schema: HeldTransaction, example: errors.TRANSACTION_PENDING_APPROVAL },
  {
    name: "Webhook subscriptions",
    schema: Subscriptions,
    example: webhooks.subscriptions,
    optional: ["data.0.id", "data.0.clientId"],
    enums: ["data.0.events.0"],
  },
];

const onTheWire = (example: unknown) => parseJson(JSON.stringify(example));
const path = (dotted: string) => dotted.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step));

describe.each(ANSWERS)("the answer $name", ({ schema, example, optional = [], enums = [] }) => {
  const answer = onTheWire(example);
  const required = fieldsOf(answer).filter((field) => !optional.includes(field.join(".")));

  it("is understood as the interface shows it", () => {
    expect(schema.safeParse(answer)).toMatchObject({ success: true });
  });

  it("is understood when it carries fields of a later version, and keeps them", () => {
    const parsed = schema.safeParse(withUnknownFields(answer));
    expect(parsed).toMatchObject({ success: true, data: { addedLater: "anything" } });
  });

  it.each(required.map((field) => [field.join("."), field] as const))("is refused without %s", (_, field) => {
    expect(schema.safeParse(withoutField(answer, field)).success).toBe(false);
  });

  it.each(required.map((field) => [field.join("."), field] as const))("is refused with a wrong %s", (_, field) => {
    expect(schema.safeParse(withField(answer, field, Symbol("wrong"))).success).toBe(false);
  });

  it.each(optional)("is understood without %s", (field) => {
    expect(schema.safeParse(withoutField(answer, path(field)))).toMatchObject({ success: true });
  });

  it.each(enums)("marks an undocumented %s instead of failing or acting on it", (field) => {
    expect(JSON.stringify(schema.parse(withField(answer, path(field), "LATER")))).toContain('"unknown:LATER"');
  });
});

describe("an error body", () => {
  it.each(Object.entries(errors))("%s is understood", (_, body) => {
    expect(ErrorBody.parse(body)).toEqual(body);
  });

  it("names every gateway error of the interface", () => {
    const { business: _, ...gateway } = errors;
    expect(Object.keys(gateway).toSorted()).toEqual([...GATEWAY_ERRORS].toSorted());
  });

  it("needs its message for people", () => {
    expect(ErrorBody.safeParse({ error: "MISSING_CLIENT_ID" }).success).toBe(false);
  });
});

describe("an answer that the interface does not show", () => {
  it("is a record whose fields come through as they are", () => {
    const receipt = { anything: [1, { deep: null }], status: "whatever" };
    expect(OpenRecord.parse(receipt)).toEqual(receipt);
    expect(accountsContract.AccountsAnswer.parse({})).toEqual({});
  });

  it("is no record when it is a list, a text or nothing", () => {
    for (const odd of [[], "text", 7, null]) expect(OpenRecord.safeParse(odd).success).toBe(false);
  });
});

describe("an onboarding record", () => {
  it("has an account id of null while the account does not exist", () => {
    expect(onboardingContract.OnboardingRecord.parse(onboarding.refused).data.body.account.accountId).toBeNull();
  });
});

describe("a wallet's balance", () => {
  it("keeps more digits than a double has", () => {
    expect(cryptoContract.WalletBalance.parse(crypto.walletBalance).data[0]?.balance).toBe("1.000000000000000001");
  });
});
