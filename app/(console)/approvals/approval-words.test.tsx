import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { ShownValue } from "./approval-words";

const LANGUAGES = { en: english, "pt-BR": portuguese } as const;

const shownIn = (locale: keyof typeof LANGUAGES, value: Parameters<typeof ShownValue>[0]["value"]) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} messages={LANGUAGES[locale]} timeZone="America/Sao_Paulo">
      <ShownValue value={value} />
    </NextIntlClientProvider>,
  ).replaceAll("\u00a0", " ");

describe("why a payment to a new payee needs approval", () => {
  const why = { as: "why", by: "first-sum", limit: "1000.00" } as const;

  it("tells what the payee already received that day", () => {
    const earlier = { ...why, sum: "990.00", count: 1 };
    expect(shownIn("pt-BR", earlier)).toContain("já tinha recebido R$ 990,00");
    expect(shownIn("en", earlier)).toContain("already received R$990.00");
  });

  it("tells of no earlier payment where there was none", () => {
    const first = { ...why, sum: "0.00", count: 0 };
    expect(shownIn("pt-BR", first)).toBe("Favorecido novo naquele dia; segunda aprovação a partir de R$ 1.000,00");
    expect(shownIn("en", first)).not.toContain("0.00 ");
  });
});
