import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { TYPE_WORDS } from "@/lib/accounts/view";
import portuguese from "@/messages/pt-BR.json";
import { TypeWord } from "./type-word";

const shown = (text: string) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="pt-BR" messages={portuguese} timeZone="America/Sao_Paulo">
      <TypeWord text={text} />
    </NextIntlClientProvider>,
  );

it.each(TYPE_WORDS)("calls %s by its name, with the provider's word as its title", (word) => {
  expect(shown(word)).toBe(`<span title="${word}">${portuguese.statement.types[word]}</span>`);
});

it("shows an unknown type as the provider wrote it", () => {
  expect(shown("CONTA_SALARIO")).toBe("<bdi>CONTA_SALARIO</bdi>");
});
