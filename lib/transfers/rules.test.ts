import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { InternalOrder } from "./rules";

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
  ])("%s is %s", (amount, exact) => {
    expect(InternalOrder.parse(written({ amount })).amount).toBe(exact);
  });

  it.each(["", "0", "0.00", "-1", "0.001", "1e3", " 1", "1,00", "NaN", "1.", ".5", "1000000000000000", 5])(
    "%j is none",
    (amount) => {
      expect(InternalOrder.safeParse(written({ amount })).success).toBe(false);
    },
  );
});

it("an order goes to another account than it comes from", () => {
  const { error } = InternalOrder.safeParse(written({ accountIdTo: "a" }));
  expect(error?.issues).toMatchObject([{ path: ["accountIdTo"] }]);
});

it.each([
  ["English", english],
  ["Portuguese", portuguese],
])("no two ends of a transfer read alike in %s, neither in a list nor on its page", (_, { transfers }) => {
  for (const words of [Object.values(transfers.states), Object.values(transfers.sentence)]) {
    expect(new Set(words).size).toBe(words.length);
  }
});
