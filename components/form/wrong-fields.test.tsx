import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { inOrder, WrongFields } from "./wrong-fields";

const shown = (fields: readonly string[]) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <WrongFields fields={fields} order={[]} labelOf={(field) => `The ${field}`} onShow={() => undefined} />
    </NextIntlClientProvider>,
  );

it("shows no summary for one wrong field, which has its own mark", () => {
  expect(shown([])).toBe("");
  expect(shown(["name"])).toBe("");
});

it("links to each of several wrong fields", () => {
  const markup = shown(["name", "amount"]);
  expect(markup).toContain("2 fields need correcting:");
  expect(markup).toContain("The name</button>");
  expect(markup).toContain("The amount</button>");
});

it("takes the focus as one region, named by the count it shows", () => {
  const markup = shown(["name", "amount"]);
  const id = /^<section tabindex="-1" aria-labelledby="([^"]+)" data-wrong-fields/.exec(markup)?.[1];
  expect(id).toBeDefined();
  expect(markup).toContain(`<p id="${id}" class="font-medium">2 fields need correcting:</p>`);
});

it("lists entries in the order of the form, whatever failed first", () => {
  const found = ["qsa.1.name", "amount", "qsa.0.name", "name", "qsa.1.document", "person.email", "email", "document"];
  expect(inOrder(found, ["document", "name", "email", "person.email", "amount"])).toEqual([
    "document",
    "name",
    "email",
    "person.email",
    "amount",
    "qsa.0.name",
    "qsa.1.document",
    "qsa.1.name",
  ]);
});
