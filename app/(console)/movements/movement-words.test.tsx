import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { MovementName } from "./movement-words";

type Row = Parameters<typeof MovementName>[0]["row"];

const untold: Row = { type: "incoming", kind: "wallet", counterpart: null, text: null, other: null };

const named = (told: Partial<Row>) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <MovementName row={{ ...untold, ...told }} />
    </NextIntlClientProvider>,
  ).replaceAll(/<[^>]*>/g, "");

it("names a movement by its type and its other side", () => {
  const type = english.movements.directions.in;
  const here = { label: "0001 / 1", href: "/accounts/a", accountRef: "a" };
  expect(named({})).toBe(type);
  expect(named({ counterpart: "TG5Hqx8SkTabcdefghijklmnEBiw9Cn6" })).toBe(`${type} · TG5Hqx8SkT…EBiw9Cn6`);
  expect(named({ kind: "account", counterpart: "A••• S•••", text: "Rent" })).toBe(`${type} · A••• S•••`);
  expect(named({ kind: "account", text: "Rent" })).toBe(`${type} · Rent`);
  expect(named({ kind: "account", counterpart: "A••• S•••", other: here })).toBe(`${type} · 0001 / 1`);
});
