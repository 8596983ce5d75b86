import { describe, expect, it } from "vitest";
import { formatBrl, formatCrypto, formatDateTime, formatTime } from "./format";

const plain = (text: string) => text.replaceAll("\u00A0", " ");

describe("money and time as people read them", () => {
  it("writes reais the Brazilian way, to the last cent of sums no float can hold", () => {
    expect(plain(formatBrl("1234.56", "pt-BR"))).toBe("R$ 1.234,56");
    expect(plain(formatBrl("90071992547409931.07", "pt-BR"))).toBe("R$ 90.071.992.547.409.931,07");
    expect(plain(formatBrl("1234.56", "en"))).toBe("R$1,234.56");
  });

  it("keeps every digit of a crypto balance and drops the zeros that say nothing", () => {
    expect(formatCrypto("1234.000000000000000001", "pt-BR")).toBe("1.234,000000000000000001");
    expect(formatCrypto("0.000000000000000000000000000042", "en")).toBe("0.000000000000000000000000000042");
    expect(formatCrypto("10.5000", "pt-BR")).toBe("10,5");
    expect(formatCrypto("0.000", "en")).toBe("0");
    expect(formatCrypto("-0.5", "en")).toBe("-0.5");
  });

  it("shows as it came what is not a number", () => {
    expect(formatCrypto("n/a", "pt-BR")).toBe("n/a");
    expect(formatBrl("muito", "pt-BR")).toBe("muito");
  });

  it("tells São Paulo's time whatever the machine's zone", () => {
    expect(formatDateTime("2026-11-12T17:03:22Z", "pt-BR")).toBe("12/11/2026 14:03");
    expect(formatDateTime("2026-11-12T17:03:22Z", "en")).toBe("12 Nov 2026 14:03");
    expect(formatTime("2026-11-12T02:59:59Z", "pt-BR")).toBe("23:59:59");
  });
});
