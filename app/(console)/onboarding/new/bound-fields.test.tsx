import { NextIntlClientProvider } from "next-intl";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { Fields } from "@/components/form/draft-saver";
import { inOrder } from "@/components/form/wrong-fields";
import english from "@/messages/en.json";
import { AddressFields, FIELD_ORDER, PersonLines, PhoneLine, TextLine, useFieldLabel } from "./bound-fields";
import { DocumentsStep } from "./steps";

const marked = (node: ReactNode) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      {node}
    </NextIntlClientProvider>,
  );

const fieldsOf = (values: Record<string, string>, errors: Record<string, string> = {}): Fields => ({
  value: (name) => values[name] ?? "",
  error: (name) => errors[name],
  set: () => {},
});

const LINK = "bankDocuments.documentLink";
const documents = (typed: string) => marked(<DocumentsStep kind="PF" fields={fieldsOf({ [LINK]: typed })} />);
const address = (fields: Fields) => marked(<AddressFields fields={fields} at="person.address." hasCoordinates />);

describe("the documents of an opening", () => {
  it("asks for links to documents and shows an example", () => {
    expect(documents("")).toContain(`placeholder="${english.accountForm.linkExample}"`);
    expect(documents("")).toContain(english.accountForm.linkHint);
    expect(documents("")).not.toContain("<a ");
  });

  it("opens the person's link in a tab without opener or referrer", () => {
    expect(documents(" https://arquivos.example/frente.jpg ")).toMatch(
      /<a href="https:\/\/arquivos\.example\/frente\.jpg" target="_blank" rel="noopener noreferrer"/,
    );
  });

  it.each(["http://arquivos.example/a", "https://ana:segredo@arquivos.example/a", "javascript:alert(1)", "frente.jpg"])(
    "offers no link for %s",
    (typed) => expect(documents(typed)).not.toContain("<a "),
  );
});

it("hides latitude and longitude until they hold a value", () => {
  const latitude = "person.address.latitude";
  expect(address(fieldsOf({}))).toContain("<details><summary");
  expect(address(fieldsOf({ [latitude]: "-23.5" }))).toContain('<details open="">');
  expect(address(fieldsOf({}, { [latitude]: "no" }))).toContain('<details open="">');
});

const inState = (state: string) =>
  address(fieldsOf({ "person.address.postalCode": "01310-100", "person.address.state": state }));

it("warns about a state that does not have the postal code", () => {
  expect(inState("RJ")).toContain("01310-100 is a postal code of SP, not of RJ");
  expect(inState("SP")).not.toContain("is a postal code of");
  expect(inState("")).not.toContain("is a postal code of");
});

function Label({ name }: { name: string }) {
  return useFieldLabel()(name);
}

it.each([
  ["person.documentNumber", "CPF"],
  ["legalPerson.documentNumber", "CNPJ"],
  ["legalPerson.owner.1.documentNumber", "Owner 2 · CPF"],
  ["legalPerson.contactNumber", english.accountForm.phone],
  ["email", english.accountForm.email],
  ["person.address.postalCode", english.accountForm.postalCode],
  [LINK, english.accountForm.documentLink],
])("uses the field's label for %s", (name, label) => {
  expect(marked(<Label name={name} />)).toContain(label);
});

const named = (name: string) =>
  marked(<PersonLines fields={fieldsOf({ "person.fullName": name })} at="person." isHolder />);

it("warns about an abbreviated name without refusing it", () => {
  expect(named("Maria A. Souza")).toContain(english.fields.abbreviated);
  expect(named("Maria D'Ávila e Souza")).not.toContain(english.fields.abbreviated);
});

const OWNERS = ["legalPerson.owner.0.", "legalPerson.owner.1."] as const;

it.each([
  ["a person", <PersonLines key="person" fields={fieldsOf({})} at="person." isHolder />],
  [
    "how to reach a person",
    <div key="contact">
      <TextLine fields={fieldsOf({})} name="email" label="" />
      <TextLine fields={fieldsOf({})} name="person.email" label="" />
      <PhoneLine fields={fieldsOf({})} name="person.phoneNumber" />
      <AddressFields fields={fieldsOf({})} at="person.address." hasCoordinates />
    </div>,
  ],
  ["two owners", OWNERS.map((at) => <PersonLines key={at} fields={fieldsOf({})} at={at} />)],
  ["links", <DocumentsStep key="links" kind="PJ" fields={fieldsOf({})} />],
])("lists the wrong fields of %s in the order of the form", (_part, part) => {
  const names = [...marked(part).matchAll(/ name="([^"]+)"/g)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(3);
  expect(inOrder(names.toReversed(), FIELD_ORDER)).toEqual(names);
});
