import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Calendar } from "./form/calendar";

it("writes the Portuguese Saturday with its accent", () => {
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale="pt-BR" messages={{}} timeZone="America/Sao_Paulo">
      <Calendar selected="2026-11-12" first="2026-01-01" last="2026-12-31" onChoose={() => {}} />
    </NextIntlClientProvider>,
  );
  expect(html).toMatch(/>sáb</);
});
