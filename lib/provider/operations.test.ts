import { expect, it } from "vitest";
import type { z } from "zod";
import accounts from "@/lib/contract/fixtures/accounts.json";
import crypto from "@/lib/contract/fixtures/crypto.json";
import kyc from "@/lib/contract/fixtures/kyc.json";
import onboarding from "@/lib/contract/fixtures/onboarding.json";
import { isUnknown, providerText, providerWord } from "@/lib/text/provider-word";
import * as operations from "./operations";

/** Every field of an answer with documented words, as the console reads it. */
const READ: readonly (readonly [name: string, answer: z.ZodType, example: unknown, fields: readonly string[]])[] = [
  ["the KYC list", operations.listKyc.answer, kyc.list, ["process", "status", "kycType"]],
  ["a started case", operations.startPersonKyc.answer, kyc.personStarted, ["status", "kycType", "model"]],
  ["a decision", operations.decideKyc.answer, kyc.manualDecisionTaken, ["decision"]],
  ["an onboarding", operations.checkOnboarding.answer, onboarding.refused, ["status"]],
  ["the statement", operations.getHistory.answer, accounts.history, ["type", "direction"]],
  ["a transfer", operations.sendInternalTransfer.answer, accounts.transferConfirmed, ["status"]],
  ["the wallets", operations.listWallets.answer, crypto.wallets, ["network", "status"]],
];

const isText = (value: unknown): value is string => typeof value === "string";

/** The value with every text under this name replaced. */
const withWord = (value: unknown, field: string, word: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, one: unknown) => (name === field && isText(one) ? word : one));

function* wordsIn(value: unknown): Generator<string> {
  if (isText(value) && isUnknown(value)) yield value;
  if (typeof value === "object" && value !== null) for (const one of Object.values(value)) yield* wordsIn(one);
}

const CASES = READ.flatMap(([name, answer, example, fields]) =>
  fields.flatMap((field) =>
    ["em_analise", "EM ANÁLISE (2ª via)", 7].map((word) => ({ name, answer, example, field, word })),
  ),
);

it.each(CASES)("$name reads $field $word and shows it as the provider wrote it", (given) => {
  const { answer, example, field, word } = given;
  const read = answer.safeParse(withWord(example, field, word));
  expect(read.error).toBeUndefined();
  const [marked = ""] = wordsIn(read.data);
  expect([providerWord(marked), providerText(marked)]).toEqual([String(word), String(word)]);
});

it("reads each record of a KYC list, also two in a nested list", () => {
  const record = { vatNumber: "", process: "p", status: "PENDING", kycType: "PF" };
  const [a, b, c] = ["a", "b", "c"].map((kycUUID) => ({ ...record, kycUUID }));
  const wire = { page: 1, limit: 20, result: [[a, b], c, "none"] };
  const { result } = operations.listKyc.answer.parse(wire);
  expect(result.map((one) => ("kycUUID" in one ? one.kycUUID : null))).toEqual(["a", "b", "c", null]);
});

it("gives no write a path to fill: what is claimed and agreed to is the body", () => {
  const paths = Object.values(operations).flatMap((one) => ("method" in one && one.method !== "GET" ? [one.path] : []));
  expect(paths).toHaveLength(12);
  expect(paths.filter((path) => path.includes("{"))).toEqual([]);
});
