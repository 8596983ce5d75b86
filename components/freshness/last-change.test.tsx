import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { LastChange } from "./last-change";

const shown = (changedAt: string, toldAt: string | null = null) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <LastChange seenAt="2026-07-01T12:00:00.000Z" changedAt={changedAt} toldAt={toldAt} />
    </NextIntlClientProvider>,
  );

it("says that nothing changed since the record was first seen", () => {
  expect(shown("2026-07-01T12:00:00.000Z")).toBe("None seen since 01 Jul 2026 09:00");
});

it("says of a change the provider’s own time, else when it was seen here", () => {
  const told = "2026-07-01T11:00:00.000Z";
  expect(shown("2026-07-02T12:00:00.000Z")).toBe("seen here 02 Jul 2026 09:00");
  expect(shown("2026-07-01T12:00:00.000Z", told)).toBe("01 Jul 2026 08:00");
  expect(shown("2026-07-02T12:00:00.000Z", told)).toBe("01 Jul 2026 08:00 · seen here 02 Jul 2026 09:00");
});
