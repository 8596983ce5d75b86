import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { NextIntlClientProvider } from "next-intl";
import portuguese from "@/messages/pt-BR.json";
import { Amount, CoinAmount } from "./amount";

const marked = (number: string) => renderToStaticMarkup(<Amount number={number} unit="ETH" />);

it("wraps before the unit, not within the number", () => {
  expect(marked("4,525560440000485561")).toBe(
    '<bdi><span class="whitespace-nowrap">4,525560440000485561</span> ETH</bdi>',
  );
});

it("wraps a number too wide for any column", () => {
  expect(marked("1".repeat(40))).not.toContain("nowrap");
});

const coins = (decimal: string) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="pt-BR" messages={portuguese} timeZone="America/Sao_Paulo">
      <CoinAmount decimal={decimal} unit="ETH" sign="−" />
    </NextIntlClientProvider>,
  );

it("shows eight significant digits of coins, and copies all of them", () => {
  const cut = coins("4143.794152260000000001");
  expect(cut).toContain('title="−4.143,794152260000000001 ETH"');
  expect(cut.replaceAll(/<[^>]*>/g, "")).toBe("−4.143,794152260000000001 ETH");
  expect(cut).toContain("−4.143,7941<");
});

it("never shows a tiny amount of coins as zero", () => {
  expect(coins("0.000000000000000001")).toContain("0,000000000000000001");
});
