import { describe, expect, it } from "vitest";
import { readRate } from "./view";

describe("a typed rate", () => {
  it.each([
    ["5,43", "5.43"],
    ["5.43", "5.43"],
    ["R$ 5,4321", "5.4321"],
    ["R$\u00a05,4321", "5.4321"],
    ["brl 5.4321", "5.4321"],
    ["1.234,56", "1234.56"],
    ["1,234.56", "1234.56"],
    ["350 000,00", "350000"],
    ["1.350.000", "1350000"],
    ["350000", "350000"],
    [" 05,4300 ", "5.43"],
  ])("is %j in any usual spelling: %s", (typed, value) => {
    expect(readRate(typed, "pt-BR")).toBe(value);
    expect(readRate(typed, "en")).toBe(value);
  });

  it("has three decimals by the mark of its reader's language alone", () => {
    expect(readRate("5,432", "pt-BR")).toBe("5.432");
    expect(readRate("5.432", "pt-BR")).toBe("ambiguous");
    expect(readRate("5.432", "en")).toBe("5.432");
    expect(readRate("5,432", "en")).toBe("ambiguous");
  });

  it.each(["", "0", "0,00", "-1", "5,4,3", "1.23.456", "cinco", "5e3", `1${"0".repeat(15)}`, `0,${"0".repeat(18)}1`])(
    "is not %j",
    (typed) => {
      expect(readRate(typed, "pt-BR")).toBeNull();
    },
  );
});
