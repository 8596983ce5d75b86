import { NextIntlClientProvider } from "next-intl";
import { parse } from "node-html-parser";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { Documents, ReviewedAddress } from "./review-step";

const typed = new Map([
  ["bankDocuments.documentLink", "https://files.example.com/back.png"],
  ["bankDocuments.documentBackLink", " https://files.example.com/front.png "],
  ["bankDocuments.selfieLink", "https://files.example.com/se\u202elfie.png"],
]);

it("shows each document's whole link, with what is invisible in it", () => {
  const text = parse(
    renderToStaticMarkup(
      <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
        <Documents kind="PF" draft={{ value: (name) => typed.get(name) ?? "" }} />
      </NextIntlClientProvider>,
    ),
  ).text;
  expect(text).toContain("https://files.example.com/back.png");
  expect(text).toContain("https://files.example.com/front.png");
  expect(text).not.toContain("\u202e");
});

const address = (state: string) => {
  const parts = new Map([
    ["street", "Avenida Paulista"],
    ["city", "São Paulo"],
    ["state", state],
    ["postalCode", "01310-100"],
  ]);
  return renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <ReviewedAddress draft={{ value: (name) => parts.get(name) ?? "" }} at="" />
    </NextIntlClientProvider>,
  );
};

it("repeats that the postal code is of another state", () => {
  expect(address("RJ")).toContain("Avenida Paulista · São Paulo/RJ · 01310-100");
  expect(parse(address("RJ")).querySelector("[aria-live=polite]")?.text).toContain("01310-100");
  expect(parse(address("SP")).querySelector("[aria-live=polite]")).toBeNull();
});
