import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import portuguese from "@/messages/pt-BR.json";
import { NothingUnconfirmed } from "./under-way";

const shown = (underWay: { sending: number; heldReais: number; heldCoins: number }) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="pt-BR" messages={portuguese} timeZone="America/Sao_Paulo">
      <NothingUnconfirmed underWay={underWay} />
    </NextIntlClientProvider>,
  );

it("says that all is confirmed only while nothing is on its way", () => {
  expect(shown({ sending: 0, heldReais: 0, heldCoins: 0 })).toContain(portuguese.outcomes.emptyBody);
  const html = shown({ sending: 2, heldReais: 1, heldCoins: 1 });
  expect(html).not.toContain(portuguese.outcomes.emptyBody);
  expect(html).toContain("2 em envio agora");
  expect(html).toMatch(/href="\/transfers\?view=held"[^>]*>1 transferência retida/);
  expect(html).toMatch(/href="\/coins\?view=open&amp;state=HELD"[^>]*>1 transferência de cripto/);
});
