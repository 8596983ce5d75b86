import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { listed } from "@/lib/dossiers/pdf";
import english from "@/messages/en.json";
import { ChangeShown, FactValue } from "./audit-details";

it("a status that the interface does not name stands in facts, changes and dossiers as the provider wrote it", () => {
  const value = "unknown:EM_ANALISE\u202E";
  const shown = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <FactValue name="status" value={value} named={{}} />
      <ChangeShown change={{ name: "status", before: value, after: "APPROVED" }} />
    </NextIntlClientProvider>,
  );
  expect(shown).toContain("EM_ANALISE");
  expect(shown).not.toContain("unknown:");
  expect(shown).not.toContain("\u202E");
  expect(listed({ status: value })).not.toContain("unknown:");
});
