import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { note } from "./canary";
import { field } from "./start-form";
import { expect } from "./story";
import type { Words } from "./words";

/** A holder's password that must appear nowhere after sending. */
export function inventPassword(): string {
  const password = `senha-${randomBytes(9).toString("base64url")}`;
  note("password", password);
  return password;
}

export async function fillFields(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await field(page, name).fill(value);
}

export async function fillAddress(page: Page, at: string): Promise<void> {
  const address = { postalCode: "01310100", street: "Avenida Paulista", number: "1000", neighborhood: "Bela Vista" };
  for (const [name, value] of Object.entries({ ...address, city: "São Paulo" }))
    await field(page, at + name).fill(value);
  await page.locator(`select[name="${at}state"]`).selectOption("SP");
}

export const individual = (at: string, documentNumber: string, fullName: string) => ({
  [`${at}documentNumber`]: documentNumber,
  [`${at}fullName`]: fullName,
  [`${at}birthDate`]: "07091984",
  [`${at}motherName`]: "Josefa dos Santos",
});

export async function fillLinks(page: Page, links: readonly string[]): Promise<void> {
  for (const link of links) await field(page, `bankDocuments.${link}`).fill(`https://arquivos.example/${link}.jpg`);
}

export const LINKS = ["documentLink", "documentBackLink", "selfieLink"] as const;

export const goOn = (page: Page, say: Words) => page.getByRole("button", { name: say("accountForm.next") }).click();

/** A failed earlier attempt leaves a draft behind. */
export async function beginAnew(page: Page, say: Words): Promise<void> {
  const anew = page.getByRole("button", { name: say("draft.beginNew") });
  await expect(anew.or(field(page, "person.fullName"))).toBeVisible();
  if (await anew.isVisible()) await anew.click();
}

/** Fills a person's form correctly up to its review. */
export async function fillPerson(page: Page, say: Words, cpf: string): Promise<void> {
  await fillFields(page, individual("person.", cpf, "Maria Aparecida dos Santos"));
  await page.getByRole("radio", { name: say("accountForm.no") }).check();
  await goOn(page, say);
  await fillFields(page, { email: "maria@example.com", "person.phoneNumber": "11999990042" });
  await fillAddress(page, "person.address.");
  await goOn(page, say);
  await fillLinks(page, LINKS);
  await goOn(page, say);
  await expect(page.getByRole("heading", { name: say("accountForm.reviewTitle") })).toBeFocused();
}

export async function fillPassword(page: Page, password: string, again = password): Promise<void> {
  await fillFields(page, { transactionPassword: password, passwordAgain: again });
}

export const create = (page: Page, say: Words) =>
  page.getByRole("button", { name: say("accountForm.create"), exact: true });
