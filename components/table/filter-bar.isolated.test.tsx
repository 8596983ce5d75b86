import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import english from "@/messages/en.json";
import { FilterSearch } from "./filter-bar";

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
  expect(shown("sought=30493660", undefined)).toMatch(/aria-invalid="true".*value="30493660".*Not searched\. The ID\./);
  expect(shown("sought=ab12", "ab12")).not.toContain("Not searched");
  expect(shown("", undefined)).not.toContain("Not searched");
});
