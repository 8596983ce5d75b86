import type { Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "./support/accessible";
import { agreeAsSecondAdmin } from "./support/approvals-page";
import { enrol, goOn } from "./support/colleague";
import { accept, admins, invite, inventPerson, signIn } from "./support/invite";
import { demoEmail, expect, ROLES, test } from "./support/story";

async function openPerson(page: Page, name: string) {
  await page.goto("/staff");
  await page.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
}

admins(
  "somebody is invited, comes, works, gets other roles, which covers their screen at once, and is disabled",
  async ({ admin, browser, product, say, language }) => {
    test.slow();
    const clara = inventPerson();
    const link = await invite(admin, say, { ...clara, role: "auditor" });
    await expect(admin.getByRole("row", { name: new RegExp(clara.name) })).toContainText(say("staff.state.invited"));

    const theirs = await browser.newContext({ baseURL: product.url });
    await theirs.addCookies([{ name: "locale", value: language, url: product.url }]);
    const page = await theirs.newPage();
    await accept(page, say, link);
    await signIn(page, say, clara.email);
    await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
    await expect(admin.getByRole("row", { name: new RegExp(clara.name) })).toContainText(say("staff.state.active"));

    await admin.getByRole("link", { name: clara.name }).click();
    await expect(admin.getByRole("heading", { level: 1, name: clara.name })).toBeVisible();
    await admin.getByRole("button", { name: say("staff.changeRoles") }).click();
    const dialog = admin.getByRole("dialog");
    await dialog.getByRole("checkbox", { name: say("roles.auditor") }).uncheck();
    await dialog.getByRole("checkbox", { name: say("roles.compliance") }).check();
    await expect(dialog.getByText(say("permissions.kyc:decide"))).toBeVisible();
    await dialog.getByRole("button", { name: say("staff.rolesSubmit") }).click();
    const asked = { name: clara.name, roles: say("roles.compliance") };
    await expect(admin.getByText(say("staff.rolesProposed", asked))).toBeVisible();
    await agreeAsSecondAdmin({ browser, url: product.url, language }, say, clara.name);
    await admin.reload();
    const history = admin.getByRole("region", { name: say("staff.history") });
    const change = { before: say("roles.auditor"), after: say("roles.compliance") };
    await expect(history).toContainText(say("staff.fromTo", change));

    const cover = page.getByRole("alertdialog", { name: say("session.endedTitle") });
    await expect(cover).toContainText(say("session.ended.roles-changed"));
    expect((await page.request.get("/api/kyc")).status()).toBe(401);
    await page.context().clearCookies({ name: "retaguarda-session" });
    await signIn(page, say, clara.email);
    await enrol(page, say);
    await goOn(page, say);
    await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
    const account = new RegExp(`${clara.name} ${say("roles.compliance")}`);
    await expect(page.getByRole("button", { name: account })).toBeVisible();
    await page.goto("/kyc?status=PENDING");
    await page.getByRole("button", { name: say("views.keep") }).click();
    await page.getByLabel(say("views.name")).fill("Plantão");
    await page.getByRole("button", { name: say("views.submit") }).click();
    await expect(page.getByRole("link", { name: "Plantão" })).toBeVisible();

    await admin.reload();
    await admin.getByRole("button", { name: say("staff.disable"), exact: true }).click();
    await expect(dialog.getByRole("listitem")).toHaveText([say("staff.leaves.views", { count: 1 })]);
    await dialog.getByLabel(say("staff.leaves.viewsTo")).selectOption("Rafael Tavares");
    await expectAccessible(admin, "what somebody leaves behind");
    await dialog.getByRole("button", { name: say("staff.disableSubmit") }).click();
    await expect(admin.getByText(say("staff.disabledHanded", { name: clara.name, cases: 0, views: 1 }))).toBeVisible();
    expect((await page.request.get("/api/kyc")).status()).toBe(401);
    await signIn(page, say, clara.email);
    await expect(page.getByRole("alert").getByText(say("signIn.wrong"))).toBeVisible();
    await theirs.close();
  },
);

admins(
  "people are found by name without a word of it in an address and filtered by role in it, and nobody changes their own access",
  { tag: "@long" },
  async ({ admin, say }) => {
    await admin.goto("/staff");
    const table = admin.getByRole("table", { name: say("staff.title") });
    const asked: string[] = [];
    admin.on("request", (request) => asked.push(request.url()));
    await admin.getByRole("searchbox", { name: say("staff.search") }).fill("livia");
    await expect(table.getByRole("row")).toHaveCount(2);
    await expect(table).toContainText("Lívia Sampaio");
    await admin.getByRole("searchbox").fill("ninguém com este nome");
    await expect(admin.getByRole("heading", { name: say("staff.noneFoundTitle") })).toBeVisible();
    await admin
      .getByRole("button", { name: say("staff.clearSearch") })
      .first()
      .click();
    expect(asked.filter((url) => /livia|ningu/i.test(url))).toEqual([]);
    await admin.getByRole("combobox", { name: say("staff.roleFilter") }).selectOption("approver");
    await expect(admin).toHaveURL("/staff?role=approver");
    await expect(table).toContainText(demoEmail("approver"));
    await expect(table).not.toContainText(demoEmail("auditor"));
    await admin.goto("/staff?state=nothing&role=root");
    await expect(table).toContainText(demoEmail("auditor"));

    await admin
      .getByRole("row", { name: new RegExp(`\\(${say("staff.you")}\\)`) })
      .getByRole("link")
      .click();
    for (const name of [say("staff.changeRoles"), say("staff.disable")]) {
      const control = admin.getByRole("button", { name, exact: true });
      await expect(control).toHaveAttribute("aria-disabled", "true");
      await expect(control).toHaveAccessibleDescription(say("staff.denials.own-account"));
    }
  },
);

test("support cannot manage staff, but reads what each role may do", { tag: "@long" }, async ({ signedInAs, say }) => {
  const page = await signedInAs("support", { scripts: false });
  await page.goto("/staff");
  await expect(page.getByText(say("absent.forbiddenBody", { roles: say("roles.admin") }))).toBeVisible();
  expect((await page.request.get("/api/staff")).status()).toBe(403);
  await page.goto("/staff/roles");
  const table = page.getByRole("table", { name: say("staff.matrixTitle") });
  await expect(
    table.getByRole("columnheader", { name: say("staff.matrixYours", { role: say("roles.support") }) }),
  ).toBeVisible();
  const row = table.getByRole("row", { name: new RegExp(`^${say("permissions.kyc:decide")}`) });
  const cells = await row.getByRole("cell").allTextContents();
  expect(cells.slice(1).map((cell) => cell.includes(say("staff.may")))).toEqual(
    ROLES.map((role) => role === "compliance"),
  );
});

admins(
  "the whole of it can be done by keyboard, and has no accessibility violation",
  { tag: "@long" },
  async ({ admin, stranger, say }) => {
    test.slow();
    const clara = inventPerson();
    await admin.goto("/staff");
    await admin.getByRole("button", { name: say("staff.invite") }).press("Enter");
    const dialog = admin.getByRole("dialog", { name: say("staff.inviteTitle") });
    await expect(dialog.getByLabel(say("staff.name"), { exact: true })).toBeFocused();
    await admin.keyboard.press("Enter");
    await expect(dialog.getByText(say("staff.rolesFirst"))).toBeVisible();
    await expectAccessible(admin, "the invitation with its fields marked");
    await dialog.getByLabel(say("staff.name"), { exact: true }).focus();
    await admin.keyboard.type(clara.name);
    await admin.keyboard.press("Tab");
    await admin.keyboard.type(clara.email);
    for (let role = 0; role <= ROLES.indexOf("auditor"); role += 1) await admin.keyboard.press("Tab");
    await admin.keyboard.press("Space");
    await admin.keyboard.press("Enter");
    const shown = admin.getByRole("dialog", { name: say("staff.linkTitle", { name: clara.name }) });
    await expectAccessible(admin, "the link");
    await stranger.goto(await shown.getByLabel(say("staff.link"), { exact: true }).inputValue());
    await expect(stranger.getByRole("button", { name: say("invite.submit") })).toBeVisible();
    await expectAccessible(stranger, "the invitation");
    await expectNoSidewaysScroll(stranger, "the invitation");
    await admin.keyboard.press("Escape");
    await expect(shown).toBeHidden();
    await openPerson(admin, "Beatriz Nogueira");
    await admin.getByRole("button", { name: say("staff.changeRoles") }).press("Enter");
    await expect(admin.getByRole("dialog")).toBeVisible();
    await expectAccessible(admin, "the roles");
  },
);

admins("the keys of every list move its rows, go to its search and show themselves", async ({ admin, say }) => {
  await admin.goto("/staff");
  const first = admin.locator("main .ledger .row-link").first();
  // Keys work only after hydration.
  await expect(async () => {
    await admin.keyboard.press("k");
    await admin.keyboard.press("?");
    await expect(admin.getByRole("dialog", { name: say("triage.keys.title") })).toBeVisible({ timeout: 500 });
  }).toPass();
  await admin.keyboard.press("Escape");
  await admin.locator("main h1").focus();
  await admin.keyboard.press("j");
  await expect(first).toBeFocused();
  await admin.keyboard.press("/");
  await expect(admin.getByRole("searchbox", { name: say("staff.search") })).toBeFocused();
});
