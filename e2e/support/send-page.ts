import type { Page } from "@playwright/test";
import { addressOf } from "./sight";
import { expect } from "./story";
import type { Words } from "./words";

type Coins = { walletId: string; network: "POLYGON" | "ETHEREUM"; asset: string; to: string; amount: string };

/** Asks for coins to be sent; returns the address of the request. */
export async function askToSend(page: Page, say: Words, { walletId, network, asset, to, amount }: Coins) {
  await page.goto(`/wallets/${walletId}/send`);
  await page.getByRole("radio", { name: say(`wallets.networks.${network}`) }).check();
  await page.getByLabel(say("sendForm.to")).fill(to);
  await page.getByLabel(say("sendForm.amount", { asset })).fill(amount);
  await page.getByRole("button", { name: say("sendForm.toReview") }).click();
  const dialog = page.getByRole("dialog", { name: say("sendForm.reviewTitle") });
  await dialog.getByLabel(say("sendForm.middleSix", { from: 19, to: 24 })).fill(to.slice(18, 24));
  await dialog.getByRole("button", { name: say("sendForm.propose") }).click();
  await expect(page.getByRole("heading", { name: say("sendForm.outcome.proposed") })).toBeVisible();
  return addressOf(page.getByRole("link", { name: say("sendForm.outcome.proposal") }));
}
