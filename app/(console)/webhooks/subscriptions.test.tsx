import { NextIntlClientProvider } from "next-intl";
import { parse } from "node-html-parser";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { Subscriptions } from "./subscriptions";

const OURS = "https://desk.example/api/hooks/aurora";
const OTHER = "https://erp.example/webhooks";

describe.each([
  { locale: "en", messages: english },
  { locale: "pt-BR", messages: portuguese },
] as const)("a subscription in $locale", ({ locale, messages }) => {
  const { notOurs, notOursBody, status } = messages.webhooks;
  const drawn = (url: string) => {
    const row = { url, isOurs: url === OURS, events: [], status: "active" };
    return parse(
      renderToStaticMarkup(
        <NextIntlClientProvider locale={locale} messages={messages} timeZone="America/Sao_Paulo">
          <Subscriptions subscriptions={[row]} ownAddress={OURS} />
        </NextIntlClientProvider>,
      ),
    );
  };

  it("to another address says so, and which is this console's", () => {
    const table = drawn(OTHER);
    for (const told of [OTHER, status.ACTIVE, notOurs, notOursBody, OURS]) expect(table.text).toContain(told);
    expect(table.querySelector(".status")?.getAttribute("class")).not.toContain("positive");
  });

  it("to this console's address says nothing of the kind", () => {
    const table = drawn(OURS);
    expect(table.text).toContain(OURS);
    expect(table.text).not.toContain(notOurs);
    expect(table.querySelector(".status")?.getAttribute("class")).toContain("positive");
  });
});
