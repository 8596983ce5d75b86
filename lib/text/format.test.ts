import { describe, expect, it } from "vitest";
import {
  formatBrl,
  COUNTED_MAX,
  formatCount,
  formatCountUpTo,
  formatCrypto,
  formatDate,
  formatDateTime,
  formatMoment,
  formatPerMille,
  formatShort,
  formatTime,
  splitCrypto,
} from "./format";

const NBSP = "\u00a0";

describe("reais", () => {
  it.each([
    ["1234.56", `R$${NBSP}1.234,56`],
    ["0.00", `R$${NBSP}0,00`],
    ["-0.01", `−R$${NBSP}0,01`],
    ["1000000.00", `R$${NBSP}1.000.000,00`],
  ])("formats %s reais as %s, never broken after the currency sign", (decimal, shown) => {
    expect(formatBrl(decimal, "pt-BR")).toBe(shown);
  });

  it("formats reais exactly beyond what a double holds", () => {
    expect(formatBrl("12345678901234567890123.45", "pt-BR")).toBe(`R$${NBSP}12.345.678.901.234.567.890.123,45`);
    expect(formatBrl("90071992547409931.07", "en")).toBe("R$90,071,992,547,409,931.07");
  });

  it("shows an amount that is no decimal as it came, never as NaN", () => {
    for (const odd of ["", "abc", "1e3", "1.234,56", "Infinity"]) expect(formatBrl(odd, "pt-BR")).toBe(odd);
  });
});

describe("a crypto amount", () => {
  it("keeps a crypto amount's significant digits and drops trailing zeros", () => {
    expect(formatCrypto("1.000000000000000001", "pt-BR")).toBe("1,000000000000000001");
    expect(formatCrypto("1234567.500000", "pt-BR")).toBe("1.234.567,5");
    expect(formatCrypto("0.000000000000000001", "en")).toBe("0.000000000000000001");
    expect(formatCrypto("123456789012345678901234567890.123456789012345678", "en")).toBe(
      "123,456,789,012,345,678,901,234,567,890.123456789012345678",
    );
  });
});

describe("an amount of coins in a list", () => {
  it.each([
    ["1.000000000000000001", "1", ",000000000000000001"],
    ["1234.567800001", "1.234,5678", "00001"],
    ["0.000123456789", "0,00012345678", "9"],
    ["123456789012.5", "123.456.789.012,5", ""],
    ["-12.3456789", "−12,3456789", ""],
    ["-12.345678901", "−12,345678", "901"],
    ["1.20663421", "1,20663421", ""],
    ["1234.567800010", "1.234,56780001", ""],
    ["0.5", "0,5", ""],
    ["much", "much", ""],
  ])("of %s shows %s first and keeps %j", (decimal, head, tail) => {
    expect(splitCrypto(decimal, "pt-BR")).toEqual({ head, tail });
  });
});

describe("a figure beside an axis", () => {
  it("is short in reais and in coins", () => {
    expect(formatShort("1500000.00", "pt-BR", true)).toBe(`R$${NBSP}1,5${NBSP}mi`);
    expect(formatShort("12500.00", "en", true)).toBe(`R$12.5K`);
    expect(formatShort("0.00005", "pt-BR", false)).toBe("0,00005");
    expect(formatShort("0.00", "en", false)).toBe("0");
  });
});

describe("a change", () => {
  it("has its sign and one decimal", () => {
    expect([23, -500, 0].map((one) => formatPerMille(one, "pt-BR"))).toEqual(["+2,3%", "−50,0%", "0,0%"]);
  });
});

describe("a count", () => {
  it("groups a count's digits as in the language", () => {
    expect([formatCount(12345, "pt-BR"), formatCount(12345, "en")]).toEqual(["12.345", "12,345"]);
  });
});

describe("an instant", () => {
  const instant = "2026-11-12T17:03:22.000Z";

  it("shows an instant in São Paulo time, day before month", () => {
    expect(formatDateTime(instant, "pt-BR")).toBe("12/11/2026 14:03");
    expect(formatDateTime(instant, "en")).toBe("12 Nov 2026 14:03");
    expect(formatDate(instant, "pt-BR")).toBe("12/11/2026");
    expect(formatTime(instant, "pt-BR")).toBe("14:03:22");
    expect(formatMoment(instant, "pt-BR")).toEqual({ day: "12/11", time: "14:03:22,000" });
    expect(formatMoment(instant, "en")).toEqual({ day: "12 Nov", time: "14:03:22.000" });
  });

  it("shows the civil day of São Paulo, not of UTC", () => {
    expect(formatDateTime("2026-01-01T02:59:00Z", "pt-BR")).toBe("31/12/2025 23:59");
    expect(formatDate("2026-01-01T03:00:00Z", "pt-BR")).toBe("01/01/2026");
  });

  it("shows a summer instant until 2019 an hour later, under daylight saving", () => {
    expect(formatDateTime("2019-02-01T12:00:00Z", "pt-BR")).toBe("01/02/2019 10:00");
    expect(formatDateTime("2020-02-01T12:00:00Z", "pt-BR")).toBe("01/02/2020 09:00");
  });

  it("shows midnight as 00, not 24", () => {
    expect(formatDateTime("2026-11-12T03:00:00Z", "pt-BR")).toBe("12/11/2026 00:00");
    expect(formatTime("2026-11-12T03:00:00Z", "en")).toBe("00:00:00");
  });

  it("shows an unreadable time as it came", () => {
    for (const odd of ["", "yesterday", "2026-13-45T00:00:00Z", "2025-10-18 23:30"])
      expect(formatDateTime(odd, "pt-BR")).toBe(odd);
  });
});

describe("an amount with fractions of a cent", () => {
  it.each([
    ["0.30000000000000004", "R$\u00a00,30000000000000004", "R$0.30000000000000004"],
    ["-1234.005", "−R$\u00a01.234,005", "−R$1,234.005"],
    ["-0.001", "−R$\u00a00,001", "−R$0.001"],
  ])("shows the amount %s to its last digit", (decimal, portuguese, english) => {
    expect([formatBrl(decimal, "pt-BR"), formatBrl(decimal, "en")]).toEqual([portuguese, english]);
  });
});

it("says only that there are more where counting ended", () => {
  expect(formatCountUpTo(COUNTED_MAX, "en")).toBe("9,999");
  expect(formatCountUpTo(COUNTED_MAX + 1, "pt-BR")).toBe("9.999+");
});
