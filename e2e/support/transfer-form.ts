import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { inventCpf } from "./invent";
import { lookUp } from "./look-up";
import type { Account, Provider } from "./provider";
import type { Words } from "./words";

export const TRANSFER = /\/transfers\/[\da-f]{8}-[^/]+$/;

/** Two accounts, the first with that balance. */
export async function twoAccounts(provider: Provider, reais: string) {
  const payer = inventCpf();
  const payee = inventCpf();
  const from = await provider.openAccount(payer.digits);
  const to = await provider.openAccount(payee.digits);
  await provider.credit(from, { amount: reais });
  return { payer, payee, from, to };
}

/** How often this amount left the account; the demo moves other amounts. */
export const paid = async (provider: Provider, account: Account, reais: string) =>
  (await provider.statement(account)).filter(({ direction, amount }) => direction === "DEBIT" && amount === reais)
    .length;

/** From the account's page, as during a phone call. */
export async function openForm(page: Page, say: Words, document: string): Promise<void> {
  await lookUp(page, say, document);
  await page.getByRole("link", { name: say("transferForm.button"), exact: true }).click();
  await expect(page.getByRole("heading", { name: say("transferForm.payTitle") })).toBeVisible();
}

type Between = { to: string; amount: string };

export async function fillBetween(page: Page, say: Words, { to, amount }: Between): Promise<void> {
  await page.getByLabel(say("transferForm.user")).fill("user-1");
  await page.getByLabel(say("transferForm.to")).fill(to);
  await page.getByLabel(say("transferForm.amount")).fill(amount);
  await page.getByRole("button", { name: say("transferForm.toReview") }).click();
}

export const send = (page: Page, say: Words) =>
  page.getByRole("button", { name: new RegExp(`^${say("transferForm.button")} R`) });

/** The lines of the open list's file. */
export async function exportedLines(page: Page, say: Words): Promise<string[]> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: say("transfers.export") }).click(),
  ]);
  return (await readFile(await file.path(), "utf8")).split("\n");
}

type TypedTed = { document: string; account: string };

export async function typeTed(page: Page, say: Words, { document, account }: TypedTed): Promise<void> {
  await page.getByRole("link", { name: say("transfers.kinds.EXTERNAL") }).click();
  await page.getByLabel(say("transferForm.document")).fill(document);
  await page.getByLabel(say("transferForm.name")).fill("João Lima");
  const bank = page.getByRole("combobox", { name: say("transferForm.bank") });
  await bank.fill("itau");
  await expect(page.getByRole("option").first()).toContainText("60701190");
  await bank.press("Enter");
  await expect(bank).toHaveValue(/^341 · /);
  await page.getByLabel(say("transferForm.branch")).fill("0123");
  await page.getByLabel(say("transferForm.account"), { exact: true }).fill(account);
}

export async function fillTed(page: Page, say: Words, amount: string): Promise<void> {
  await typeTed(page, say, { document: inventCpf().typed, account: "98765-4" });
  await page.getByLabel(say("transferForm.user")).fill("user-1");
  await page.getByLabel(say("transferForm.amount")).fill(amount);
  await page.getByRole("button", { name: say("transferForm.toReview") }).click();
}
