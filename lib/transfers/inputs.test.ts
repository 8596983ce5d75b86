import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { LONE_HASHES } from "@/lib/db/sealed-columns";
import { essenceOfExternal, fingerprintOn, InternalOrder, TransferFilter } from "./inputs";
import { REPEAT_DAYS } from "./view";

const written = (changes: object) => ({
  intentId: randomUUID(),
  userId: "u",
  accountIdFrom: "a",
  accountIdTo: "b",
  amount: "1.00",
  ...changes,
});

describe("the amount of an order", () => {
  it.each([
    ["150", "150.00"],
    ["150.7", "150.70"],
    ["0.01", "0.01"],
    ["007.50", "7.50"],
    ["999999999999999.99", "999999999999999.99"],
  ])("reads the amount %s as %s", (amount, exact) => {
    expect(InternalOrder.parse(written({ amount })).amount).toBe(exact);
  });

  it.each(["", "0", "0.00", "-1", "0.001", "1e3", " 1", "1,00", "NaN", "1.", ".5", "1000000000000000", 5])(
    "refuses the amount %j",
    (amount) => {
      expect(InternalOrder.safeParse(written({ amount })).success).toBe(false);
    },
  );
});

const ted = (branchCode: string, accountCode: string) =>
  fingerprintOn(
    essenceOfExternal({
      userId: "u",
      onBoardingId: "o",
      idAccount: "a",
      document: "39053344705",
      name: "João Lima",
      institutionIspb: "60701190",
      institutionCode: 341,
      bankAccountType: "CACC",
      value: "1.00",
      branchCode,
      accountCode,
    }),
    "2026-03-09",
  );

describe("the likeness of two transfers", () => {
  it.each([
    ["1", "98765-4"],
    ["0001", "0098765-4"],
    ["00-01", "987654"],
  ])("ignores how branch and account are written: %s, %s", (branch, account) => {
    expect(ted(branch, account)).toBe(ted("0001", "98765-4"));
    expect(ted(branch, account)).not.toBe(ted("0002", "98765-4"));
  });

  it("keeps a fingerprint's key as long as it is needed", () => {
    expect(LONE_HASHES.find(({ hash }) => hash === "likeness")?.days).toBe(REPEAT_DAYS);
  });
});

it("refuses an order to the account that it comes from", () => {
  const { error } = InternalOrder.safeParse(written({ accountIdTo: "a" }));
  expect(error?.issues).toMatchObject([{ path: ["accountIdTo"] }]);
});

it.each([
  ["English", english],
  ["Portuguese", portuguese],
])("gives both ends of a transfer distinct labels in %s, in list and page", (_, { transfers }) => {
  for (const words of [Object.values(transfers.states), Object.values(transfers.sentence)]) {
    expect(new Set(words).size).toBe(words.length);
  }
});

describe("a period and dates in one filter", () => {
  it("applies the dates when a URL has both", () => {
    expect(TransferFilter.parse({ period: "7", from: "2026-11-01" })).toEqual({
      view: "all",
      from: "2026-11-01",
      page: 1,
    });
  });
});
