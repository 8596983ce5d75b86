import type { Browser, Locator, Page } from "@playwright/test";
import { fillDecision } from "./decide";
import { inventCpf } from "./invent";
import type { Provider } from "./provider";
import { addressOf, untilSeen } from "./sight";
import { expect, openSession, type Role } from "./story";
import type { Language, Words } from "./words";

type SessionScope = { browser: Browser; url: string; role: Role; language: Language; email?: string; width?: number };

/** A browser of a person with a recent proof. */
export async function sitDown({ browser, width = 1350, ...visit }: SessionScope): Promise<Page> {
  const storageState = await openSession(browser, visit);
  const context = await browser.newContext({ storageState, baseURL: visit.url, viewport: { width, height: 940 } });
  return context.newPage();
}

/** The demo's other administrator approves the first one's proposal about this person or policy. */
export async function agreeAsSecondAdmin(
  desk: Omit<SessionScope, "role" | "email">,
  say: Words,
  about: string,
  agreed: (page: Page) => Promise<void> = async () => {},
): Promise<void> {
  const page = await sitDown({ ...desk, role: "admin", email: "admin2@retaguarda.demo" });
  await page.goto("/approvals");
  await page.getByRole("row").filter({ hasText: about }).getByRole("link").click();
  await authorise(page, say);
  await agreed(page);
  await expect(page.getByText(say("approvals.outcome.EXECUTED_HERE"), { exact: true })).toBeVisible();
  await page.context().close();
}

export async function decidedCase(page: Page, provider: Provider) {
  const cpf = inventCpf();
  const kycUUID = await provider.openCase(cpf.digits);
  await provider.steerCase(kycUUID, "REPROVED");
  await untilSeen(page, "/api/kyc?status=REPROVED", kycUUID);
  return { kycUUID, document: cpf.masked };
}

export const REASON = "A fotografia foi refeita e confere.";

/** Compliance decides a decided case again; returns the proposal's URL. */
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
  return addressOf(page.getByRole("link", { name: say("approvals.seeProposal") }));
}

export async function authorise(page: Page, say: Words, kind: "authorise" | "authoriseReady" = "authorise") {
  await page.getByRole("button", { name: say("approvals.authorise") }).click();
  const dialog = page.getByRole("dialog", { name: say(`approvals.${kind}Title`) });
  if (kind === "authoriseReady") await expect(dialog.getByText(say("approvals.authoriseReadyBody"))).toBeVisible();
  await dialog.getByRole("button", { name: say("approvals.authoriseSubmit") }).click();
  await expect(dialog).toBeHidden();
}

/** Authorises a proposal without effect; the dialog stays and gives the reason. */
export async function authoriseInVain(page: Page, say: Words): Promise<Locator> {
  await page.getByRole("button", { name: say("approvals.authorise") }).click();
  const dialog = page.getByRole("dialog", { name: say("approvals.authoriseTitle") });
  await dialog.getByRole("button", { name: say("approvals.authoriseSubmit") }).click();
  return page.getByRole("dialog");
}
