import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { WrongFields } from "./wrong-fields";

const shown = (fields: readonly string[]) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <WrongFields fields={fields} labelOf={(field) => `The ${field}`} onShow={() => undefined} />
    </NextIntlClientProvider>,
  );

it("says nothing of one wrong field, which has its own mark", () => {
  expect(shown([])).toBe("");
  expect(shown(["name"])).toBe("");
});

it("leads to each of several wrong fields", () => {
  const markup = shown(["name", "amount"]);
  expect(markup).toContain("2 fields need correcting:");
  expect(markup).toContain("The name</button>");
  expect(markup).toContain("The amount</button>");
});
