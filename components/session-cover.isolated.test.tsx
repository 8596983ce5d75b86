import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import english from "@/messages/en.json";

vi.mock("./ui/cover", () => ({ Cover: ({ description }: { description: unknown }) => description }));

it.each([
  ["promises to keep what was written where there is something", true],
  ["promises nothing where nothing was written", false],
])("the cover of an ended session %s", async (_, hasUnsaved) => {
  const { SessionCover } = await import("./session-cover");
  const shown = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <SessionCover person="Ana Prado" reason="idle" hasUnsaved={hasUnsaved} signIn={null} />
    </NextIntlClientProvider>,
  );
  expect(shown.includes("Ana Prado")).toBe(hasUnsaved);
  expect(shown).toContain(english.session.afresh);
});
