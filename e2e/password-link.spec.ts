import { expectAccessible } from "./support/accessible";
import { noteShown } from "./support/canary";
import { addColleague, signIn } from "./support/colleague";
import { admins } from "./support/invite";
import { demoEmail, expect } from "./support/story";

const NEW = "nove guarda-chuvas soltos";

admins(
  "who forgot a password is led to an administrator, whose link sets a new one, once, and ends every session",
  { tag: "@long" },
  async ({ admin, stranger: page, product, browser, language, say }) => {
    admins.slow();
    const clara = await addColleague(product, "auditor");
    await signIn(page, say, clara);
    await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();

    const elsewhere = await browser.newContext({ baseURL: product.url });
    await elsewhere.addCookies([{ name: "locale", value: language, url: product.url }]);
    const visitor = await elsewhere.newPage();
    await visitor.goto("/sign-in");
    await visitor.getByRole("link", { name: say("signIn.forgotten") }).click();
    await expect(visitor.getByRole("heading", { name: say("password.title") })).toBeFocused();
    await expect(visitor.getByText(say("password.noMail"))).toBeVisible();
    await expectAccessible(visitor, "the way for who forgot a password, without mail");

    await admin.goto("/staff");
    await admin
      .getByRole("row", { name: new RegExp(clara.email) })
      .getByRole("link")
      .click();
    await admin.getByRole("button", { name: say("staff.issueLink") }).click();
    await admin
      .getByRole("dialog")
      .getByRole("button", { name: say("staff.issueSubmit") })
      .click();
    const shown = admin.getByRole("dialog", { name: say("staff.passwordLinkTitle", { name: "Clara Nunes" }) });
    const link = await shown.getByLabel(say("staff.link"), { exact: true }).inputValue();
    noteShown("invitation", link.split("#")[1] ?? "");
    await expectAccessible(admin, "a link for a new password");
    await shown.getByRole("button", { name: say("staff.done") }).click();
    await expect(admin.getByText(say("audit.codes.staff.password-link"))).toBeVisible();

    await visitor.goto(link);
    await expect(visitor.getByLabel(say("password.email"), { exact: true })).toHaveValue(clara.email);
    expect(visitor.url()).not.toContain("#");
    await expectAccessible(visitor, "choosing a new password");
    const typed = visitor.getByLabel(say("password.new"), { exact: true });
    await typed.fill("curta");
    await visitor.getByRole("button", { name: say("password.submit") }).click();
    await expect(typed).toHaveAccessibleDescription(new RegExp(say("invite.faults.password-short")));
    await typed.fill(NEW);
    await visitor.getByRole("button", { name: say("password.submit") }).click();
    await expect(visitor.getByRole("heading", { name: say("password.done") })).toBeFocused();

    await expect(page.getByRole("alertdialog", { name: say("session.endedTitle") })).toBeVisible();
    await signIn(visitor, say, clara);
    await expect(visitor.getByText(say("signIn.wrong"))).toBeVisible();
    await signIn(visitor, say, { ...clara, password: NEW });
    await expect(visitor.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();

    await admin.goto(link);
    await expect(admin.getByRole("heading", { name: say("password.goneTitle") })).toBeVisible();
    await expect(admin.getByText(demoEmail("admin"))).toBeVisible();
    await admin.getByRole("button", { name: say("password.askAnew") }).click();
    await expect(admin.getByRole("heading", { name: say("password.title") })).toBeVisible();
    await expect(admin.getByRole("link", { name: say("password.goSignIn") })).toHaveCount(0);
    await expectAccessible(admin, "the way for who forgot a password, signed in");
    await admin.getByRole("link", { name: say("absent.goHome") }).click();
    await expect(admin.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
  },
);
