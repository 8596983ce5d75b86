import { randomBytes } from "node:crypto";
import type { Browser, Page } from "@playwright/test";
import { note, noteShown } from "./canary";
import { expect, openSession, type Role, test } from "./story";
import type { Words } from "./words";

type Place = { url: string };

export const PASSWORD = "sete lanternas quietas";
export const inventPerson = () => {
  const id = randomBytes(4).toString("hex");
  return { name: `Clara ${id}`, email: `${id}@aurora.example` };
};
type Invented = ReturnType<typeof inventPerson>;

/** A browser of its own, with a session that has just begun: nobody is asked for a proof. */
async function windowOf(browser: Browser, { url, role, language }: Place & { role: Role; language: "pt-BR" | "en" }) {
  const storageState = await openSession(browser, { url, role, language });
  const window = await browser.newContext({ storageState, baseURL: url });
  return { window, page: await window.newPage() };
}

export const admins = test.extend<{ admin: Page }>({
  admin: async ({ browser, product, language }, use) => {
    const { window, page } = await windowOf(browser, { url: product.url, role: "admin", language });
    await use(page);
    await window.close();
  },
});

/** Fills the invitation in and sends it; whether somebody else must agree depends on the role. */
export async function proposeInvitation(
  page: Page,
  say: Words,
  { name, email, role }: Invented & { role: Role },
): Promise<void> {
  if (!page.url().endsWith("/staff")) await page.goto("/staff");
  await page.getByRole("button", { name: say("staff.invite") }).click();
  const dialog = page.getByRole("dialog", { name: say("staff.inviteTitle") });
  await dialog.getByLabel(say("staff.name"), { exact: true }).fill(name);
  await dialog.getByLabel(say("staff.email"), { exact: true }).fill(email);
  await dialog.getByRole("checkbox", { name: say(`roles.${role}`) }).check();
  await dialog.getByRole("button", { name: say("staff.inviteSubmit") }).click();
}

/** Invites somebody and returns the link, which is shown this once. */
export async function invite(page: Page, say: Words, invited: Invented & { role: Role }): Promise<string> {
  await proposeInvitation(page, say, invited);
  return readLink(page, say, invited.name);
}

/** Makes a new link of an open invitation, and returns it. */
export async function renewLink(page: Page, say: Words, name: string): Promise<string> {
  await page.getByRole("button", { name: say("staff.renewOf", { name }) }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("staff.renewSubmit") })
    .click();
  return readLink(page, say, name);
}

async function readLink(page: Page, say: Words, name: string): Promise<string> {
  const shown = page.getByRole("dialog", { name: say("staff.linkTitle", { name }) });
  const link = await shown.getByLabel(say("staff.link"), { exact: true }).inputValue();
  await shown.getByRole("button", { name: say("staff.done") }).click();
  noteShown("invitation", link.split("#")[1] ?? "");
  return link;
}

export async function accept(page: Page, say: Words, link: string) {
  note("password", PASSWORD);
  await page.goto(link);
  await page.getByLabel(say("invite.password"), { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: say("invite.submit") }).click();
  await expect(page.getByRole("heading", { name: say("invite.done") })).toBeFocused();
}

export async function signIn(page: Page, say: Words, email: string) {
  await page.goto("/sign-in");
  await page.getByLabel(say("signIn.email")).fill(email);
  await page.getByLabel(say("signIn.password")).fill(PASSWORD);
  await page.getByRole("button", { name: say("signIn.submit"), exact: true }).click();
}
