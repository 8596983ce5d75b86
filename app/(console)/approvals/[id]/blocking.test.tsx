import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { Blocking } from "./blocking";

const shown = (holds: { balance: string | null; blocked: string | null }) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <Blocking {...holds} />
    </NextIntlClientProvider>,
  );

it.each([
  [{ balance: "0.01", blocked: "0.00" }, ["balance"]],
  [{ balance: "0.00", blocked: "5.00" }, ["blocked"]],
  [{ balance: "1.00", blocked: "5.00" }, ["balance", "blocked"]],
  [{ balance: "0.00", blocked: "0.00" }, []],
  [{ balance: null, blocked: null }, []],
])("lists what blocks closing an account that holds %o", (holds, obstacles) => {
  const html = shown(holds);
  const { balance, blocked } = english.closing.obstacle;
  const told = Object.entries({ balance, blocked }).filter(([, words]) => html.includes(words));
  expect(told.map(([name]) => name)).toEqual(obstacles);
});
