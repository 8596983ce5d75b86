import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { RecordLink } from "./row-details";

const shown = (called: string | undefined) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <RecordLink object="account:cfde1817-51d2-4b6e-9a57-0b1c2d3e4f50" called={called} />
    </NextIntlClientProvider>,
  );

it("names a record by its familiar name when one is known", () => {
  expect(shown("0001 / 12345-6")).toContain("0001 / 12345-6</a>");
  expect(shown("0001 / 12345-6")).not.toContain("cfde18</a>");
  expect(shown(undefined)).toContain("cfde18</a>");
});
