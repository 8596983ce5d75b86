import { expectAccessible, expectNoSidewaysScroll } from "./support/accessible";
import { additionIn } from "./support/decide";
import { LOOKS, wear } from "./support/looks";
import { all, readPage, textOf, textsOf } from "./support/markup";
import { callAction, nextAction } from "./support/server-action";
import { expectRow, rowWith, untilSeen } from "./support/sight";
import { DEMO_PASSWORD, demoEmail, expect, openSession, providerOf, test } from "./support/story";
import {
  AURORA,
  BOREAL,
  cover,
  goTo,
  openCase,
  switcher,
  TENANTS,
  VAZIA,
  workingAtAurora,
  writeDecision,
} from "./support/two-tenants";

test.use(TENANTS);

const PENDING = "/api/kyc?status=PENDING&sort=arrival";

test("an analyst switches tenants, and the first tenant's open page is refused", async ({
  signedInAs,
  product,
  say,
}) => {
  const decided = await openCase(product, 0);
  const target = await openCase(product, 0);
  const atBoreal = await openCase(product, 1);
  const page = await signedInAs("compliance");
  await workingAtAurora(page, say);
  for (const { kycUUID } of [decided, target]) await untilSeen(page, PENDING, kycUUID);
  await page.goto("/kyc?sort=arrival");
  const queue = page.getByRole("table", { name: say("kyc.title") });
  await expectRow(queue, [decided.masked]);
  await expect(page).toHaveTitle(`${say("kyc.title")} · ${AURORA} · Retaguarda`);
  await rowWith(queue, [decided.masked]).getByRole("link").first().click();
  const dialog = await writeDecision(page, say, "Conferido.");
  const [sent] = await Promise.all([
    nextAction(page),
    dialog.getByRole("button", { name: say("kyc.submitApprove") }).click(),
  ]);
  await expect(dialog).toBeHidden();
  const { id } = await (await page.request.get("/api/scope")).json();
  await page.goto("/kyc");

  await test.step("the other tenant's rows", async () => {
    await goTo(page, say, BOREAL);
    await expect(page).toHaveURL("/kyc");
    await expect(page).toHaveTitle(`${say("kyc.title")} · ${BOREAL} · Retaguarda`);
    await expect(switcher(page, say)).toContainText(say("environment.EMBEDDED"));
    await untilSeen(page, PENDING, atBoreal.kycUUID);
    await page.goto("/kyc?sort=arrival");
    await expectRow(queue, [atBoreal.masked]);
    await expect(rowWith(queue, [target.masked])).toHaveCount(0);
    const theirs = await readPage(page.request, `/kyc/${target.kycUUID}`);
    expect(all(theirs, "h1").map(textOf)).toEqual([say("absent.notFoundTitle")]);
  });

  await test.step("though no tab told of the switch", async () => {
    const again = {
      ...sent,
      body: sent.body
        .replaceAll(decided.kycUUID, target.kycUUID)
        .replace(/("intentId":")[^"]+/, "$100000000-0000-4000-8000-000000000001"),
    };
    const answer = await callAction(page, again, product.url);
    expect(await answer.text()).toMatch(/"ok":false.*"kind":"conflict"/);
    expect(await target.provider.caseStatus(target.kycUUID)).toBe("PENDING");
    const rows = await page.request.get("/api/kyc", { headers: { "x-retaguarda-scope": id } });
    expect([rows.status(), await rows.json()]).toEqual([409, { error: { kind: "conflict" } }]);
  });
});

test("a tenant switch asks before it discards text in the same tab", { tag: "@long" }, async ({ signedInAs, say }) => {
  const page = await signedInAs("support");
  await workingAtAurora(page, say, "/accounts");
  const field = page.getByLabel(say("accounts.lookUpLabel"));
  await field.fill("a customer");
  await switcher(page, say).click();
  await expectAccessible(page, "the menu");
  const list = page.getByRole("list", { name: say("scope.tenants") }).filter({ visible: true });
  await list.getByRole("button", { name: BOREAL }).click();
  const question = page.getByRole("group", { name: say("scope.discardQuestion") });
  await question.getByRole("button", { name: say("discard.keep") }).click();
  await expect(list).toBeHidden();
  await expect(field).toHaveValue("a customer");
  await switcher(page, say).click();
  await list.getByRole("button", { name: BOREAL }).click();
  await question.getByRole("button", { name: say("discard.discard") }).click();
  await expect(switcher(page, say)).toContainText(BOREAL);
  await expect(page).toHaveURL("/accounts");
  await expect(field).toHaveValue("");
});

test(
  "an empty list says so, and an empty filter can be cleared",
  { tag: "@long" },
  async ({ signedInAs, product, say }) => {
    expect(await providerOf(product, 2).subscriptions()).toEqual([]);
    const page = await signedInAs("admin");
    await page.goto("/");
    await goTo(page, say, VAZIA);
    for (const [address, ...told] of [
      ["/kyc", say("kyc.emptyTitle")],
      ["/onboarding", say("onboarding.emptyTitle")],
      ["/transfers", say("transfers.emptyTitle")],
      ["/wallets", say("wallets.emptyTitle")],
      ["/accounts", say("accounts.emptyTitle")],
      ["/webhooks", say("webhooks.emptyTitle"), say("webhooks.emptyBody")],
    ] as const) {
      const empty = await readPage(page.request, address);
      expect(textsOf(empty), address).toEqual(expect.arrayContaining(told));
      expect(all(empty, "table"), address).toEqual([]);
    }
    for (const screen of ["/kyc?status=APPROVED", "/onboarding?status=ERROR"]) {
      await page.goto(screen);
      await expect(page.getByRole("heading", { name: say("states.emptyFilter") })).toBeVisible();
      await page.getByRole("link", { name: say("states.clearFilter") }).click();
      await expect(page).toHaveURL(/status=all$/);
    }
  },
);

test.describe("in several tabs", () => {
  test.use({ language: "en" });

  test("a form left open in another tab reaches neither tenant and keeps its text", async ({
    signedInAs,
    product,
    say,
  }) => {
    test.slow();
    const { provider, kycUUID } = await openCase(product, 0);
    const tab = await signedInAs("compliance");
    await workingAtAurora(tab, say);
    await untilSeen(tab, PENDING, kycUUID);
    await tab.goto(`/kyc/${kycUUID}`);
    const dialog = await writeDecision(tab, say, "Conferido com a base oficial.");

    const other = await tab.context().newPage();
    await other.goto("/onboarding");
    await switcher(other, say).focus();
    for (const key of ["Enter", "Tab", "Tab", "Enter"]) await other.keyboard.press(key);
    await expect(switcher(other, say)).toContainText(BOREAL);
    await expect(cover(tab, say)).toBeVisible();
    await expect(cover(tab, say)).toContainText(BOREAL);
    await expect(dialog.getByRole("button")).toHaveCount(0);
    await tab.bringToFront();
    for (const key of ["Escape", "Tab", "Tab", "Tab"]) await tab.keyboard.press(key);
    await expect(cover(tab, say).locator(":focus")).toHaveCount(1);
    const [wide, narrow] = LOOKS;
    await wear(tab, narrow);
    await expectAccessible(tab, "the cover");
    await expectNoSidewaysScroll(tab, "the cover");
    await wear(tab, wide);

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

  test(
    "a tab of the old tenant never shows the new one's rows under the old name",
    { tag: "@long" },
    async ({ signedInAs, product, say }) => {
      const shown = await openCase(product, 0);
      const followed = await openCase(product, 1);
      const tab = await signedInAs("compliance");
      await workingAtAurora(tab, say);
      await untilSeen(tab, PENDING, shown.kycUUID);
      await tab.goto(`/kyc/${shown.kycUUID}`);
      // This tab receives no events and checks no scope: only the server's rendering protects it.
      await tab.route("/api/scope", (route) => route.abort());
      const other = await tab.context().newPage();
      await other.goto("/");
      await goTo(other, say, BOREAL);

      // The new tenant has no such record.
      await tab.getByRole("button", { name: new RegExp(`^${say("shell.account")}: `) }).click();
      await tab.getByRole("button", { name: say("shell.themes.dark") }).click();
      await expect(tab.locator("html")).toHaveAttribute("data-theme", "dark");
      await expect(tab.getByRole("heading", { level: 1, name: shown.masked })).toBeVisible();
      await expect(switcher(tab, say)).toContainText(AURORA);
      await tab.keyboard.press("Escape");

      await untilSeen(other, PENDING, followed.kycUUID);
      const mixtures: string[] = [];
      await tab.exposeFunction("sawMixture", (text: string) => mixtures.push(text));
      await tab.evaluate(`new MutationObserver(() => {
      const rows = document.querySelector("table")?.textContent ?? "";
      const frame = document.querySelector("header")?.textContent ?? "";
      if (rows && frame.includes(${JSON.stringify(AURORA)})) sawMixture(rows);
    }).observe(document.body, { childList: true, subtree: true })`);
      await tab
        .getByRole("link", { name: say("kyc.title"), exact: true })
        .first()
        .click();
      await expectRow(tab.getByRole("table", { name: say("kyc.title") }), [followed.masked]);
      await expect(switcher(tab, say)).toContainText(BOREAL);
      await expect(tab).toHaveTitle(`${say("kyc.title")} · ${BOREAL} · Retaguarda`);
      expect(mixtures).toEqual([]);
    },
  );

  test(
    "one person's tab covers itself when another signs in",
    { tag: "@long" },
    async ({ browser, product, language, say }) => {
      const session = await openSession(browser, { url: product.url, role: "auditor", language });
      const window = await browser.newContext({ storageState: session });
      const tab = await window.newPage();
      const other = await window.newPage();
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
    },
  );
});
