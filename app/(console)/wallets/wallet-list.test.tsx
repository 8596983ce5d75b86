import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { EmptyList } from "./wallet-list";

const UNREAD = [{ fields: [], more: 0 }];

it.each([
  ["no records", [], false, "No wallets"],
  ["no records that match", [], true, "No results"],
  ["records not understood, none of which matches", UNREAD, true, "No results"],
  ["records not understood", UNREAD, false, null],
])("a list of %s is called empty only where nothing was told", (_what, unread, isFiltered, title) => {
  const markup = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <EmptyList page={{ unread }} isFiltered={isFiltered} />
    </NextIntlClientProvider>,
  );
  if (title === null) expect(markup).toBe("");
  else expect(markup).toContain(title);
});
