import type { Page } from "@playwright/test";
import { agreeAsSecondAdmin } from "./support/approvals-page";
import {
  accept,
  admins,
  invite,
  inventPerson,
  PASSWORD,
  proposeInvitation,
  readLink,
  renewLink,
  signIn,
} from "./support/invite";
import { expect, test } from "./support/story";
import type { Words } from "./support/words";

const isGone = (page: Page, say: Words) =>
  expect(page.getByRole("heading", { name: say("invite.goneTitle") })).toBeVisible();

/** Loads nothing first: a URL that differs only behind its # would not reload. */
async function reopen(page: Page, link: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(link);
}

admins(
  "a link's token leaks into no address or history and works once; any other gets the same answer",
  async ({ admin, stranger, say }) => {
    test.slow();
    const used = await invite(admin, say, { ...inventPerson(), role: "auditor" });
    const token = new URL(used).hash.slice(1);
    const seen: string[] = [];
    stranger.on("request", (request) => seen.push(request.url(), request.headers()["referer"] ?? ""));
    await accept(stranger, say, used);
    expect(seen.filter((text) => text.includes(token))).toEqual([]);
    expect(stranger.url()).not.toContain(token);
    const stored = await stranger.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    expect(stored).not.toContain(token);

    const clara = inventPerson();
    const replaced = await invite(admin, say, { ...clara, role: "auditor" });
    const renewed = await renewLink(admin, say, clara.name);
    await reopen(stranger, renewed);
    await expect(stranger.getByLabel(say("invite.email"), { exact: true })).toHaveValue(clara.email);
    await admin.getByRole("button", { name: say("staff.revokeOf", { name: clara.name }) }).click();
    await admin
      .getByRole("dialog")
      .getByRole("button", { name: say("staff.revokeSubmit") })
      .click();
    await expect(admin.getByText(say("staff.revoked", { name: clara.name }))).toBeVisible();

    for (const link of [used, replaced, renewed, `/invite#${"x".repeat(43)}`, "/invite#short"]) {
      await reopen(stranger, link);
      await isGone(stranger, say);
      await expect(stranger.getByText(say("invite.goneBody"))).toBeVisible();
      await expect(stranger.getByText(clara.email)).toHaveCount(0);
    }
  },
);

admins(
  "finance is invited once a second administrator agrees; a password that is guessed first is refused in words, and the link stays good",
  { tag: "@long" },
  async ({ admin, stranger, browser, product, language, say }) => {
    admins.slow();
    const clara = inventPerson();
    await proposeInvitation(admin, say, { ...clara, role: "finance" });
    await expect(admin.getByText(say("staff.inviteProposed", { name: clara.name }))).toBeVisible();
    const row = admin.getByRole("row", { name: new RegExp(clara.name) });
    await expect(row).toContainText(say("staff.state.proposed"));
    let link = "";
    await agreeAsSecondAdmin({ browser, url: product.url, language }, say, clara.name, async (page) => {
      link = await readLink(page, say, clara.name);
    });
    await admin.reload();
    await expect(row).toContainText(say("staff.state.invited"));
    await stranger.goto(link);
    await expect(stranger.getByText(say("invite.factorNote"))).toBeVisible();
    const password = stranger.getByLabel(say("invite.password"), { exact: true });
    await password.fill("curta");
    await stranger.getByRole("button", { name: say("invite.submit") }).click();
    await expect(stranger.getByText(say("invite.faults.password-short"))).toBeVisible();
    await expect(password).toHaveValue("curta");
    await password.fill(`${clara.name} 1`);
    await stranger.getByRole("button", { name: say("invite.submit") }).click();
    await expect(stranger.getByText(/./).and(stranger.locator("[id$=error]"))).toBeVisible();
    await password.fill(PASSWORD);
    await stranger.getByRole("button", { name: say("invite.submit") }).click();
    await stranger.getByRole("link", { name: say("invite.goSignIn") }).click();
    await signIn(stranger, say, clara.email);
    await expect(stranger).toHaveURL(/\/enrol/);
  },
);
