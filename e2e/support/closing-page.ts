import { randomBytes } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { authorise } from "./approvals-page";
import { note } from "./canary";
import { addressOf } from "./sight";
import { expect } from "./story";
import type { Words } from "./words";

/** Opens the dialog that proposes closing this account. */
export async function openClosing(page: Page, say: Words): Promise<Locator> {
  await page.getByRole("button", { name: say("closing.open") }).click();
  const dialog = page.getByRole("dialog", { name: say("closing.dialogTitle") });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByText(say("closing.reading"))).toHaveCount(0);
  return dialog;
}

/** Proposes it; returns the proposal's URL. */
export async function proposeClosing(
  page: Page,
  say: Words,
  { dialog, reason }: { dialog: Locator; reason: string },
): Promise<string> {
  await dialog.getByLabel(say("closing.user")).fill("user-1");
  await dialog.getByLabel(say("closing.reason"), { exact: true }).fill(reason);
  await dialog.getByRole("button", { name: say("closing.propose") }).click();
  await expect(dialog).toBeHidden();
  return addressOf(page.getByRole("link", { name: say("closing.seeProposal") }));
}

export const authoriseClosure = (page: Page, say: Words) => authorise(page, say, "authoriseReady");

/** The dialog that completes an authorised closing. */
export async function carryOut(page: Page, say: Words): Promise<Locator> {
  await page.getByRole("button", { name: say("closing.carryOut") }).click();
  const dialog = page.getByRole("dialog", { name: say("closing.carryOutTitle") });
  await expect(dialog).toBeVisible();
  return dialog;
}

/** A token that the holder would read to the desk, noted as a canary. */
export function holderToken(): string {
  const token = `holder-${randomBytes(24).toString("base64url")}`;
  note("holder's token", token);
  return token;
}

export async function fillProof(dialog: Locator, say: Words, { token, code }: { token: string; code: string }) {
  await dialog.getByLabel(say("closing.token")).fill(token);
  await dialog.getByLabel(say("closing.code")).fill(code);
}
