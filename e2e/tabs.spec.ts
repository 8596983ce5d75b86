import { additionIn } from "./support/decide";
import { expectRow, untilSeen } from "./support/sight";
import { DEMO_PASSWORD, demoEmail, expect, openSession, test } from "./support/story";
import {
  AURORA,
  BOREAL,
  cover,
  goTo,
  openCase,
  switcher,
  TWO_TENANTS,
  workingAtAurora,
  writeDecision,
} from "./support/two-tenants";

test.use(TWO_TENANTS);

test("a form left open in another tab reaches neither tenant until one goes back, and keeps what was typed", async ({
  signedInAs,
  product,
  say,
}) => {
  test.slow();
  const { provider, kycUUID } = await openCase(product, 0);
  const tab = await signedInAs("compliance");
  await workingAtAurora(tab, say);
  await untilSeen(tab, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await tab.goto(`/kyc/${kycUUID}`);
  const dialog = await writeDecision(tab, say, "Conferido com a base oficial.");

  const other = await tab.context().newPage();
  await other.goto("/onboarding");
  await goTo(other, say, BOREAL);
  await expect(cover(tab, say)).toBeVisible();
  await expect(cover(tab, say)).toContainText(BOREAL);
  await expect(dialog.getByRole("button")).toHaveCount(0);
  await tab.bringToFront();
  for (const key of ["Escape", "Tab", "Tab", "Tab"]) await tab.keyboard.press(key);
  await expect(cover(tab, say).locator(":focus")).toHaveCount(1);

  await cover(tab, say)
    .getByRole("button", { name: say("scope.goBack", { shown: AURORA }) })
    .click();
  await expect(cover(tab, say)).toBeHidden();
  await expect(additionIn(dialog, say)).toHaveValue("Conferido com a base oficial.");
  await expect(cover(other, say, BOREAL)).toBeVisible();
  await dialog.getByRole("button", { name: say("kyc.submitApprove") }).click();
  await expect(dialog).toBeHidden();
  expect(await provider.caseStatus(kycUUID)).toBe("APPROVED");

  await cover(other, say, BOREAL)
    .getByRole("button", { name: say("scope.goOn", { now: AURORA }) })
    .click();
  await expect(switcher(other, say)).toContainText(AURORA);
  await expect(other).toHaveURL("/onboarding");
});

test("a link followed in a tab of the old tenant never shows the new one's rows under the old name", async ({
  signedInAs,
  product,
  say,
}) => {
  const { masked, kycUUID } = await openCase(product, 1);
  const tab = await signedInAs("compliance");
  await workingAtAurora(tab, say);
  // Neither told by the other tab nor looking by itself: what is left is what the server rendered.
  await tab.route("/api/scope", (route) => route.abort());
  const other = await tab.context().newPage();
  await other.goto("/");
  await goTo(other, say, BOREAL);
  await untilSeen(other, "/api/kyc?status=PENDING&sort=arrival", kycUUID);

  const mixtures: string[] = [];
  await tab.exposeFunction("sawMixture", (text: string) => mixtures.push(text));
  await tab.evaluate(`new MutationObserver(() => {
    const rows = document.querySelector("table")?.textContent ?? "";
    const frame = document.querySelector("header")?.textContent ?? "";
    if (rows && frame.includes(${JSON.stringify(AURORA)})) sawMixture(rows);
  }).observe(document.body, { childList: true, subtree: true })`);
  await tab.getByRole("link", { name: say("shell.kyc"), exact: true }).click();
  await expectRow(tab.getByRole("table", { name: say("kyc.title") }), [masked]);
  await expect(switcher(tab, say)).toContainText(BOREAL);
  await expect(tab).toHaveTitle(`${say("kyc.title")} · ${BOREAL} · Retaguarda`);
  expect(mixtures).toEqual([]);
});

test("a tab of one person covers itself when another one signs in", async ({ browser, product, language, say }) => {
  const session = await openSession(browser, { url: product.url, role: "auditor", language });
  const window = await browser.newContext({ storageState: session });
  const [tab, other] = [await window.newPage(), await window.newPage()];
  await tab.goto("/kyc");
  await window.clearCookies();
  await window.addCookies([{ name: "locale", value: language, url: product.url }]);
  await other.goto("/sign-in");
  await other.getByLabel(say("signIn.email")).fill(demoEmail("finance"));
  await other.getByLabel(say("signIn.password")).fill(DEMO_PASSWORD);
  await other.getByRole("button", { name: say("signIn.submit"), exact: true }).click();
  await expect(other.getByRole("button", { name: /Helena Prado/ })).toBeVisible();
  const notice = tab.getByRole("alertdialog", { name: say("scope.coveredPerson", { shown: "Lívia Sampaio" }) });
  await expect(notice).toContainText("Helena Prado");
  await expect(notice.getByRole("button")).toHaveCount(1);
  await notice.getByRole("button", { name: say("scope.reload") }).click();
  await expect(tab.getByRole("button", { name: /Helena Prado/ })).toBeVisible();
  await window.close();
});

test("what a tab shows stays when it is rendered anew for the other tenant, though there is no such record there", async ({
  signedInAs,
  product,
  say,
}) => {
  const { masked, kycUUID } = await openCase(product, 0);
  const tab = await signedInAs("compliance");
  await workingAtAurora(tab, say);
  await untilSeen(tab, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await tab.goto(`/kyc/${kycUUID}`);
  await tab.route("/api/scope", (route) => route.abort());
  const other = await tab.context().newPage();
  await other.goto("/");
  await goTo(other, say, BOREAL);

  await tab.getByRole("button", { name: new RegExp(`^${say("shell.account")}: `) }).click();
  await tab.getByRole("button", { name: say("shell.themes.dark") }).click();
  await expect(tab.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(tab.getByRole("heading", { level: 1, name: masked })).toBeVisible();
  await expect(switcher(tab, say)).toContainText(AURORA);

  await tab.unroute("/api/scope");
  await tab.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await cover(tab, say)
    .getByRole("button", { name: say("scope.goBack", { shown: AURORA }) })
    .click();
  await expect(cover(tab, say)).toBeHidden();
  await expect(tab.getByRole("heading", { level: 1, name: masked })).toBeVisible();
});
