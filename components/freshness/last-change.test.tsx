import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { LastChange } from "./last-change";

const shown = (changedAt: string) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <LastChange seenAt="2026-07-01T12:00:00.000Z" changedAt={changedAt} />
    </NextIntlClientProvider>,
  );

it("says that nothing changed since the record was first seen", () => {
  expect(shown("2026-07-01T12:00:00.000Z")).toBe("None since then");
  expect(shown("2026-07-02T12:00:00.000Z")).toContain("2026");
});
