import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { STANDARD_RULES } from "@/lib/kyc/standard-rules-view";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { ItemText } from "./item-text";

const shown = (locale: "en" | "pt-BR", item: { code: string; text: string }) =>
  renderToStaticMarkup(
    <NextIntlClientProvider
      locale={locale}
      messages={locale === "en" ? english : portuguese}
      timeZone="America/Sao_Paulo"
    >
      <ItemText item={item} />
    </NextIntlClientProvider>,
  );

const { reasons, checklist } = STANDARD_RULES;

it.each([...reasons, ...checklist.PF, ...checklist.PJ])("translates standard text $code", (item) => {
  expect(shown("pt-BR", item)).toBe(item.text);
  expect(Object.values(english.standardRules)).toContain(shown("en", item).replaceAll("&#x27;", "'"));
});

it("leaves the company's own text as written", () => {
  expect(shown("en", { code: "no-answer", text: "Titular não respondeu." })).toBe("Titular não respondeu.");
});
