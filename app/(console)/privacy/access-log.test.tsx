import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { ShownField } from "./access-log";

it.each([
  [{ field: "document", path: null }, english.audit.values.field.document],
  [{ field: "information", path: "data.person.fullName" }, english.accountRecord.fields.fullName],
] as const)("names the field that was revealed: %j", (shown, name) => {
  const markup = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <ShownField shown={shown} />
    </NextIntlClientProvider>,
  );
  expect(markup).toContain(`>${name}<`);
});
