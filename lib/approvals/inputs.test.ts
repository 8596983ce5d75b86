import { expect, test } from "vitest";
import { PolicyChange } from "./inputs";

const policy = {
  intentId: "00000000-0000-4000-8000-000000000001",
  kind: "transfer.external",
  version: 0,
  rule: "above",
  expiresAfterHours: 24,
} as const;
const amountOf = (amount: string) => PolicyChange.safeParse({ ...policy, amount }).data?.amount;

test.each([
  ["5000", "5000.00"],
  ["5000.00", "5000.00"],
  ["5000,5", "5000.50"],
  ["5.000,00", "5000.00"],
  ["5,000.00", "5000.00"],
  ["1.234.567,89", "1234567.89"],
  ["1 234,56", "1234.56"],
  ["1,234,567.8", "1234567.80"],
  ["1.234.567", "1234567.00"],
  ["1,234,567", "1234567.00"],
  ["R$ 5", "5.00"],
])("reads %s as reais in both languages", (written, decimal) => {
  expect(amountOf(written)).toBe(decimal);
});

test.each(["5.000", "5,000", "12,34.567", "1,5.00", "1.5,00", "12.34,00", "0,00", "-1", "R$", "1e9"])(
  "asks again for %s instead of guessing",
  (written) => {
    expect(amountOf(written)).toBeUndefined();
  },
);

test("refuses a policy for writes that always need a second person", () => {
  for (const kind of [
    "staff.invite",
    "staff.roles",
    "staff.reset-factor",
    "policy.loosen",
    "kyc.rules",
    "privacy.more",
  ]) {
    expect(PolicyChange.safeParse({ ...policy, kind, rule: "always", amount: null }).success).toBe(false);
  }
});
