import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { CompanySettings } from "@/lib/accounts/queries";
import english from "@/messages/en.json";
import { CompanyFacts } from "./company-facts";

const words = english.companySettings;
const FULL: CompanySettings = {
  name: "Aurora S.A.",
  isNamed: true,
  cnpj: "11.444.777/0001-61",
  customerService: "0800 000 0000",
  logo: "shown",
};

const shown = (company: Partial<CompanySettings>) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <CompanyFacts company={{ ...FULL, ...company }} />
    </NextIntlClientProvider>,
  );

describe("the company on documents", () => {
  it("shows every setting and reports none missing", () => {
    const markup = shown({});
    for (const text of ["Aurora S.A.", "11.444.777/0001-61", "0800 000 0000", words.logoShown]) {
      expect(markup).toContain(text);
    }
    expect(markup).not.toContain(words.missing);
  });

  it.each([
    [{ cnpj: null }, words.cnpjMissing],
    [{ customerService: null }, words.customerServiceMissing],
    [{ logo: null }, words.logoMissing],
  ] as const)("says what documents carry instead when %j is not set", (company, consequence) => {
    const markup = shown(company);
    expect(markup).toContain(words.missing);
    expect(markup).toContain(consequence);
  });

  it("falls back to the console's name when the company has none", () => {
    const markup = shown({ isNamed: false });
    expect(markup).toMatch(new RegExp(`${words.nameMissing} <bdi[^>]*>${FULL.name}`));
    expect(markup).not.toContain(words.missing);
  });

  it("tells an unreadable logo from a missing one", () => {
    const markup = shown({ logo: "unreadable" });
    expect(markup).toContain(words.unreadable);
    expect(markup).toContain(words.logoUnreadable);
    expect(markup).not.toContain(words.missing);
  });
});
