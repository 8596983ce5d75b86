import type { Page } from "@playwright/test";
import { agreeAsSecondAdmin } from "./support/approvals-page";
import { addColleague, type Colleague, enrol, goOn, signIn } from "./support/colleague";
import { admins } from "./support/invite";
import { expect } from "./support/story";
import type { Words } from "./support/words";

async function openColleague(admin: Page, say: Words, { email }: Colleague) {
  await admin.goto("/staff");
  await admin
    .getByRole("row", { name: new RegExp(email) })
    .getByRole("link")
    .click();
  await expect(admin.getByRole("button", { name: say("staff.changeRoles") })).toBeVisible();
}

const home = (page: Page, say: Words) => page.getByRole("heading", { level: 1, name: say("home.title") });
const cover = (page: Page, say: Words) => page.getByRole("alertdialog", { name: say("session.endedTitle") });

admins(
  "a second factor that an admin resets is gone: its person is out, and sets another one up before anything else",
  { tag: "@long" },
  async ({ admin, stranger: page, product, browser, language, say }) => {
    admins.slow();
    const clara = await addColleague(product, "finance");
    await signIn(page, say, clara);
    await enrol(page, say);
    await goOn(page, say);
    await expect(home(page, say)).toBeVisible();

    await openColleague(admin, say, clara);
    await admin.getByRole("button", { name: say("staff.resetFactor") }).click();
    await admin
      .getByRole("dialog")
      .getByRole("button", { name: say("staff.resetSubmit") })
      .click();
    await expect(admin.getByText(say("staff.resetProposed", { name: "Clara Nunes" }))).toBeVisible();
    expect((await page.request.get("/api/wallets")).status()).toBe(200);
    await agreeAsSecondAdmin({ browser, url: product.url, language }, say, "Clara Nunes");
    await admin.reload();
    await expect(admin.getByRole("region", { name: say("staff.history") })).toContainText(
      say("audit.codes.staff.reset-mfa"),
    );
    await expect(admin.getByRole("button", { name: say("staff.resetFactor") })).toHaveCount(0);

    await expect(cover(page, say)).toContainText(say("session.ended.factor-changed"));
    await page.context().clearCookies({ name: "retaguarda-session" });
    await signIn(page, say, clara);
    await expect(page).toHaveURL("/enrol");
    expect((await page.request.get("/api/wallets")).status()).toBe(401);
    await enrol(page, say);
    await goOn(page, say);
    await expect(home(page, say)).toBeVisible();
  },
);
