import { expect, type Page } from "@playwright/test";
import type { Words } from "./words";

export const field = (page: Page, name: string) => page.locator(`input[name="${name}"]`);

type Individual = { vatNumber: string; name: string; birthDate: string; motherName: string };

export const INDIVIDUAL = {
  name: "Maria Aparecida dos Santos",
  birthDate: "07091984",
  motherName: "Josefa dos Santos",
} as const;

export async function fillIndividual(page: Page, individual: Individual, prefix = ""): Promise<void> {
  for (const [name, value] of Object.entries(individual)) await field(page, `${prefix}${name}`).fill(value);
}

/** Fills the form of a person's case correctly. */
export async function fillStart(page: Page, say: Words, cpf: string): Promise<void> {
  await page.getByRole("radio", { name: say("kycStart.models.BASIC.name") }).check();
  await fillIndividual(page, { ...INDIVIDUAL, vatNumber: cpf });
}

/** Continues from the form through the review to the one call. */
export async function startReviewed(page: Page, say: Words): Promise<void> {
  await page.getByRole("button", { name: say("kycStart.toReview") }).click();
  await expect(page.getByText(say("kycStart.price", { type: "PF", model: "BASIC" }), { exact: true })).toBeVisible();
  await page.getByRole("button", { name: say("kycStart.start") }).click();
}

/** Expects that a sent form is not sent again after a reload, nor another one for the same document. */
export async function expectBlocked(page: Page, say: Words, cpf: string): Promise<void> {
  await expect(page.getByText(say("kycStart.sentTitle"))).toBeVisible();
  await page.reload();
  await expect(page.getByText(say("kycStart.sentTitle"))).toBeVisible();
  await page.getByRole("button", { name: say("kycStart.another") }).click();
  await fillStart(page, say, cpf);
  await page.getByRole("button", { name: say("kycStart.toReview") }).click();
  await expect(page.getByText(say("kycStart.likeBlocked"))).toBeVisible();
}
