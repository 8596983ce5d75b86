import type { Browser, Page } from "@playwright/test";
import { fillDecision } from "./decide";
import { inventCpf } from "./invent";
import type { Provider } from "./provider";
import { untilSeen } from "./sight";
import { expect, openSession, type Role } from "./story";
import type { Language, Words } from "./words";

export type SessionScope = { browser: Browser; url: string; role: Role; language: Language; width?: number };

/** A browser of its own, of somebody who has just proven who they are. */
export async function sitDown({ browser, url, role, language, width = 1350 }: SessionScope): Promise<Page> {
  const storageState = await openSession(browser, { url, role });
  const context = await browser.newContext({ storageState, baseURL: url, viewport: { width, height: 940 } });
  await context.addCookies([{ name: "locale", value: language, url }]);
  return context.newPage();
}

/** The demo's other administrator agrees to what the first one proposed about this person or policy. */
export async function agreeAsSecondAdmin(
  { browser, url, language }: Omit<SessionScope, "role">,
  say: Words,
  about: string,
): Promise<void> {
  const storageState = await openSession(browser, { url, role: "admin", email: "admin2@retaguarda.demo" });
  const context = await browser.newContext({ storageState, baseURL: url });
  await context.addCookies([{ name: "locale", value: language, url }]);
  const page = await context.newPage();
  await page.goto("/approvals");
  await page.getByRole("row").filter({ hasText: about }).getByRole("link").click();
  await authorise(page, say);
  await expect(page.getByText(say("approvals.outcome.EXECUTED_HERE"), { exact: true })).toBeVisible();
  await context.close();
}

export async function decidedCase(page: Page, provider: Provider) {
  const cpf = inventCpf();
  const kycUUID = await provider.openCase(cpf.digits);
  await provider.steerCase(kycUUID, "REPROVED");
  await untilSeen(page, "/api/kyc?status=REPROVED", kycUUID);
  return { kycUUID, document: cpf.masked };
}

export const REASON = "A fotografia foi refeita e confere.";

/** Compliance decides a decided case again; returns the address of the proposal. */
export const propose = (page: Page, say: Words, kycUUID: string): Promise<string> =>
  proposeWith(page, say, { kycUUID, reason: REASON });

export async function proposeWith(
  page: Page,
  say: Words,
  { kycUUID, reason }: { kycUUID: string; reason: string },
): Promise<string> {
  await page.goto(`/kyc/${kycUUID}`);
  await page.getByRole("button", { name: say("kyc.askReview") }).click();
  const dialog = page.getByRole("dialog", { name: say("kyc.reviewTitle") });
  await expect(dialog.getByText(say("kyc.reviewBody"))).toBeVisible();
  await fillDecision(dialog, say, { addition: reason });
  await dialog.getByRole("button", { name: say("approvals.submitPropose") }).click();
  await expect(dialog).toBeHidden();
  const link = page.getByRole("link", { name: say("approvals.seeProposal") });
  await expect(link).toBeVisible();
  const address = await link.getAttribute("href");
  if (address === null) throw new Error("the proposal has no address");
  return address;
}

export async function authorise(page: Page, say: Words): Promise<void> {
  await page.getByRole("button", { name: say("approvals.authorise") }).click();
  const dialog = page.getByRole("dialog", { name: say("approvals.authoriseTitle") });
  await dialog.getByRole("button", { name: say("approvals.authoriseSubmit") }).click();
  await expect(dialog).toBeHidden();
}
