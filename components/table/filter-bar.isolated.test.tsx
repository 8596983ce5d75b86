import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import english from "@/messages/en.json";
import { FilterBar, FilterSearch } from "./filter-bar";

const asked = vi.hoisted(() => ({ now: "" }));
vi.mock("next/navigation", () => ({ useRouter: () => ({}), useSearchParams: () => new URLSearchParams(asked.now) }));

function shown(address: string, value: string | undefined): string {
  asked.now = address;
  return renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <FilterSearch value={value} label="ID" hint="The ID." />
    </NextIntlClientProvider>,
  );
}

it("says that a text of the address was not searched for", () => {
  expect(shown("search=30493660", undefined)).toMatch(/aria-invalid="true".*value="30493660".*Not searched\. The ID\./);
  expect(shown("search=ab12", "ab12")).not.toContain("Not searched");
  expect(shown("", undefined)).not.toContain("Not searched");
});

it("leads with a document to the search that reads it, and with nothing else", () => {
  for (const document of ["52998224725", "529.982.247-25", "***.982.247-**", "11.444.777/0001-61"]) {
    expect(shown(`search=${encodeURIComponent(document)}`, undefined)).toMatch(
      /not searched by CPF, CNPJ or account number.*<button type="button"[^>]*>Search all records for it \(Ctrl K\)/,
    );
  }
  for (const other of ["30493660", "ab 12"]) {
    expect(shown(`search=${encodeURIComponent(other)}`, undefined)).not.toContain("<button");
  }
});

const folded = (isFiltered: boolean) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <FilterBar
        isFolded
        path="/transfers"
        params={{}}
        isFiltered={isFiltered}
        words={{ apply: "Apply", clear: "Clear" }}
        className="flex"
      >
        Kind
      </FilterBar>
    </NextIntlClientProvider>,
  );

it("folds filters on a narrow window unless one is set", () => {
  expect(folded(false)).toMatch(
    /<details class[^>]*>.*Filters<.*<form[^>]* class="flex max-medium:peer-not-open:hidden/,
  );
  expect(folded(true)).toMatch(/<details [^>]*open=""/);
});
