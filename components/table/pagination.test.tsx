import { NextIntlClientProvider } from "next-intl";
import { parse } from "node-html-parser";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { Counted } from "@/lib/text/page";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { Pagination } from "./pagination";

const WORDS = { en: english, "pt-BR": portuguese };

function foot(total: number, counted?: Counted, locale: keyof typeof WORDS = "en"): string {
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} messages={WORDS[locale]} timeZone="America/Sao_Paulo">
      <Pagination page={1} totalPages={1} total={total} {...(counted && { counted })} hrefOf={() => "/"} />
    </NextIntlClientProvider>,
  );
  return parse(html).textContent;
}

it("says how many records there are", () => {
  const asOf = "2026-11-30T04:00:00Z";
  expect(foot(20)).toBe("20 records");
  expect(foot(20, { asOf })).toBe("20 records");
  expect(foot(0, { asOf, readSoFar: null })).toBe("No records");
});

it.each([{ asOf: null }, { asOf: "2026-11-30T04:00:00Z", readSoFar: 20 }])("says a minimum with %j", (counted) => {
  expect(foot(20, counted)).toBe("20+ records, list not read in full yet");
  expect(foot(0, counted)).toBe("No records so far, list not read in full yet");
  expect(foot(1234, counted, "pt-BR")).toBe("1.234+ registros, lista ainda não lida por inteiro");
});
