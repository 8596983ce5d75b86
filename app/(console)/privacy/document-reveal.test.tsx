import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { DocumentReveal } from "./document-reveal";

const DENIAL = "Your role does not allow it.";
const record = { kind: "account", id: "2b0c", masked: "J••• S•••" } as const;
const part = { path: "data.person.fullName", label: "Full name" };

const shown = (more: { denial: string | null; part?: typeof part }) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <DocumentReveal {...record} {...more} />
    </NextIntlClientProvider>,
  );

it("shows one disabled button at the document to those who may not reveal", () => {
  expect(shown({ denial: DENIAL, part })).toContain(record.masked);
  expect(shown({ denial: DENIAL, part })).not.toContain("<button");
  expect(shown({ denial: DENIAL })).toContain("<button");
});

it("names the field that its button reveals", () => {
  expect(shown({ denial: null, part })).toContain(`aria-label="Reveal ${part.label}"`);
});
