import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { STANDARD_RULES } from "@/lib/kyc/standard-rules-view";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { SentPreview } from "./decision-fields";

type Reason = (typeof STANDARD_RULES.reasons)[number];

const shown = (locale: "en" | "pt-BR", reason: Reason) =>
  renderToStaticMarkup(
    <NextIntlClientProvider
      locale={locale}
      messages={locale === "en" ? english : portuguese}
      timeZone="America/Sao_Paulo"
    >
      <SentPreview reason={reason} text={reason.text} stops={[]} />
    </NextIntlClientProvider>,
  );

it("shows the Portuguese text that is sent when a reason appears in translation", () => {
  for (const reason of STANDARD_RULES.reasons) {
    expect(shown("en", reason)).toContain(`${english.kyc.toldInPortuguese}</figcaption>`);
    expect(shown("en", reason)).toContain(reason.text);
    expect(shown("pt-BR", reason)).toContain(`${portuguese.kyc.told}</figcaption>`);
    const own = { ...reason, text: "Holder did not answer." };
    expect(shown("en", own)).toContain(`${english.kyc.told}</figcaption>`);
  }
});
