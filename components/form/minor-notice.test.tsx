import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { MinorNotice } from "./minor-notice";

const thisYear = new Date().getFullYear();

const shown = (birthDate: string) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <MinorNotice birthDate={birthDate} />
    </NextIntlClientProvider>,
  );

it("warns only about a minor's birth date", () => {
  expect(shown(`01/01/${thisYear - 3}`)).toContain("3 years old. Check the date");
  for (const other of ["", "31/02/2020", `01/01/${thisYear - 30}`, `01/01/${thisYear + 1}`])
    expect(shown(other)).toBe("");
});
