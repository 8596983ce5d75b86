import { NextIntlClientProvider } from "next-intl";
import type { ComponentProps } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import english from "@/messages/en.json";
import { FilterBar } from "./filter-bar";
import { FilterPeriod } from "./filter-period";
import { FilterSearch } from "./filter-search";
import { loadAddressText } from "./use-address-text";

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

it("says that the search ignored an invalid text from the URL", () => {
  expect(shown("search=30493660", undefined)).toMatch(/aria-invalid="true".*value="30493660".*Not searched\. The ID\./);
  expect(shown("search=ab12", "ab12")).not.toContain("Not searched");
  expect(shown("", undefined)).not.toContain("Not searched");
});

it("offers document search only when a document is typed", async () => {
  await loadAddressText();
  for (const document of [
    "52998224725",
    "529.982.247-25",
    "***.982.247-**",
    "11.444.777/0001-61",
    "CPF:529.982.247-25",
    "x 41720563854",
  ]) {
    expect(shown(`search=${encodeURIComponent(document)}`, undefined)).toMatch(
      /not searched by CPF, CNPJ or account number.*<button type="button"[^>]*>Search all records for it \(Ctrl K\)/,
    );
  }
  for (const other of ["30493660", "ab 12"]) {
    expect(shown(`search=${encodeURIComponent(other)}`, undefined)).not.toContain("<button");
  }
});

const bar = (given: Partial<ComponentProps<typeof FilterBar>>) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <FilterBar
        path="/transfers"
        params={{}}
        isFiltered={false}
        words={{ apply: "Apply", clear: "Clear" }}
        {...given}
      />
    </NextIntlClientProvider>,
  );

it("folds filters in a narrow row, and those that fit in none", () => {
  const folded = bar({ children: "Kind", more: "Amounts", chosen: [undefined] });
  expect(folded).toMatch(
    /<button [^>]*aria-expanded="false" aria-controls="([^"]+)"[^>]*>.*Filters<\/button><div id="\1"/,
  );
  expect(folded).toMatch(
    /<div id="[^"]+" data-from="widest" data-folded="true" class="fold">Kind<div class="fold">Amounts</,
  );
  expect(bar({ children: "Kind" })).toMatch(/<button [^>]*aria-expanded="false"[^>]*@widest:hidden/);
  expect(bar({ first: "Kind" })).not.toContain("aria-expanded");
});

it("says on the button how many of the folded filters are set", () => {
  expect(bar({ more: "Amounts", chosen: ["PIX", undefined, "10.00"] })).toMatch(
    /Filters<span aria-label="2 active filters"[^>]*>\(2\)<\/span><\/button>/,
  );
  expect(bar({ more: "Amounts", chosen: [undefined] })).not.toContain("active");
});

it("keeps what is typed in a folded filter in the form", () => {
  expect(bar({ more: <input name="min" defaultValue="10" /> })).toMatch(
    /<form .*<input name="min" value="10".*<\/form>/,
  );
});

const button = (html: string) => /<button type="submit"[^>]*>/.exec(html)?.[0] ?? "";

it("shows its button only where an answer costs a call", () => {
  expect(button(bar({ first: "Kind" }))).toContain("quiet-submit");
  expect(button(bar({ first: "Kind", isInstant: false }))).not.toContain("quiet-submit");
});

it("loads the dates of a period at once where they stand unfolded", () => {
  const period = <FilterPeriod isByDay period={undefined} from={undefined} to={undefined} />;
  const plain = /<input [^>]*name="from"/;
  expect(bar({ more: period })).toMatch(plain);
  expect(bar({ first: period })).not.toMatch(plain);
});
