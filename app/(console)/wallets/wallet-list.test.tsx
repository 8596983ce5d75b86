import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { EmptyList } from "./wallet-list";

const UNREAD = [{ fields: [], more: 0 }];

const shown = (unread: typeof UNREAD, isFiltered: boolean) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <EmptyList page={{ unread }} isFiltered={isFiltered} />
    </NextIntlClientProvider>,
  );

it("calls a list empty where nothing was told, or nothing of it matches", () => {
  expect(shown([], false)).toContain(english.wallets.emptyTitle);
  expect(shown([], true)).toContain(english.states.emptyFilter);
  expect(shown(UNREAD, true)).toContain(english.states.emptyFilter);
});

it("calls no list empty above records that were not understood", () => {
  expect(shown(UNREAD, false)).toBe("");
});
