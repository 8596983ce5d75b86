import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { sitDown } from "./approvals-page";
import { note, noteShown } from "./canary";
import { signIn as signInAs } from "./colleague";
import { expect, type Role, test } from "./story";
import type { Words } from "./words";

export const PASSWORD = "sete lanternas quietas";
export const inventPerson = () => {
  const id = randomBytes(4).toString("hex");
  return { name: `Clara ${id}`, email: `${id}@aurora.example` };
};
type Invented = ReturnType<typeof inventPerson>;

export const admins = test.extend<{ admin: Page }>({
  admin: async ({ browser, product, language }, use) => {
    const page = await sitDown({ browser, url: product.url, role: "admin", language });
    await use(page);
    await page.context().close();
  },
});

/** Fills and sends the invitation; some roles need another administrator's approval. */
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

/** Invites somebody and returns the link, which is shown only once. */
export async function invite(page: Page, say: Words, invited: Invented & { role: Role }): Promise<string> {
  await proposeInvitation(page, say, invited);
  return readLink(page, say, invited.name);
}

/** Creates a new link for an open invitation and returns it. */
export async function renewLink(page: Page, say: Words, name: string): Promise<string> {
  await page.getByRole("button", { name: say("staff.renewOf", { name }) }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("staff.renewSubmit") })
    .click();
  return readLink(page, say, name);
}

export async function readLink(page: Page, say: Words, name: string): Promise<string> {
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

export const signIn = (page: Page, say: Words, email: string) => signInAs(page, say, { email, password: PASSWORD });
