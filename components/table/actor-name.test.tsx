import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { useActorName } from "./actor-name";

function Named({ actor, byName }: { actor: string; byName: string | null }) {
  return useActorName()({ actor, byName });
}

it.each([
  ["watch:sessions", null, "System: sessions"],
  ["watch:of-another-version", null, "System: of-another-version"],
  ["command", null, english.actors.command],
  ["nobody", null, english.actors.nobody],
  ["2b0c", "Ana Prado", "Ana Prado"],
])("names %s as the audit trail and a person's history do", (actor, byName, name) => {
  const shown = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <Named {...{ actor, byName }} />
    </NextIntlClientProvider>,
  );
  expect(shown).toBe(name);
});
