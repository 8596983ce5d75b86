import { NextIntlClientProvider } from "next-intl";
import { SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { DateFilter } from "./form/date-field";

const shown = (address: string, value?: string) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <SearchParamsContext value={new URLSearchParams(address)}>
        <DateFilter name="from" label="From" value={value} />
      </SearchParamsContext>
    </NextIntlClientProvider>,
  );

it("a date in the address that is none is said not to be applied", () => {
  const said = "was ignored";
  expect(shown("from=yesterday")).toContain(said);
  expect(shown("from=2026-02-31", "2026-10-24")).toContain(said);
  expect(shown("from=2026-11-12", "2026-11-12")).not.toContain(said);
  expect(shown("", "2026-11-12")).not.toContain(said);
});
