import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { decidedCase, propose } from "./support/approvals-page";
import { inventCpf } from "./support/invent";
import { lookUp } from "./support/look-up";
import { all, readPage, textOf, textsOf } from "./support/markup";
import { expectRow, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import { type Words, wordsOf } from "./support/words";

test("the server's HTML has the chosen language and theme, so nothing flashes", async ({ signedInAs }) => {
  const portuguese = wordsOf("pt-BR");
  const english = wordsOf("en");
  const page = await signedInAs("finance", { language: "pt-BR" });
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/accounts");
  const dark = await background();
  await page.emulateMedia({ colorScheme: "light" });
  expect(await background(), "who prefers dark sees dark without having chosen it").not.toBe(dark);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "system");
  await expect(page.getByRole("heading", { level: 1, name: portuguese("accounts.title") })).toBeVisible();

  await page.getByRole("button", { name: new RegExp(`^${portuguese("shell.account")}: `) }).click();
  await page.getByRole("button", { name: portuguese("shell.themes.dark") }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  expect(await background()).toBe(dark);
  await page.getByRole("button", { name: portuguese("shell.languages.en") }).click();
  await expect(page.getByRole("heading", { level: 1, name: english("accounts.title") })).toBeVisible();

  const html = (await (await page.reload())?.text()) ?? "";
  await expect(page.getByRole("heading", { level: 1, name: english("accounts.title") })).toBeVisible();
  expect(await background()).toBe(dark);
  expect(html).toMatch(/<html[^>]* lang="en"/);
  expect(html).toMatch(/<html[^>]* data-theme="dark"/);
  expect(html).toContain(english("accounts.lookUpHint"));
  expect(html).not.toContain(portuguese("accounts.lookUpHint"));
});

test("a visitor chooses language and theme before signing in", { tag: "@long" }, async ({ stranger }) => {
  const english = wordsOf("en");
  await stranger.goto("/sign-in");
  await stranger.getByRole("button", { name: english("shell.languages.en") }).click();
  await expect(stranger.getByRole("heading", { level: 1, name: english("signIn.title") })).toBeVisible();
  await stranger.getByRole("button", { name: english("shell.themes.dark") }).click();
  await expect(stranger.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("the browser's language applies until a person chooses another", async ({ browser, product }) => {
  for (const [locale, language, titles] of [
    ["en-GB", "en", wordsOf("en")],
    ["de-DE", "pt-BR", wordsOf("pt-BR")],
  ] as const) {
    const context = await browser.newContext({ baseURL: product.url, locale });
    const visitor = await context.newPage();
    for (const [address, title] of [
      ["/sign-in", titles("signIn.title")],
      ["/password", titles("password.title")],
      ["/invite#nothing", titles("invite.goneTitle")],
    ] as const) {
      await visitor.goto(address);
      await expect(visitor.locator("html")).toHaveAttribute("lang", language);
      await expect(visitor.getByRole("heading", { level: 1, name: title })).toBeVisible();
    }
    await context.addCookies([{ name: "locale", value: "pt-BR", url: product.url }]);
    expect(await (await visitor.goto("/sign-in"))?.text()).toMatch(/<html[^>]* lang="pt-BR"/);
    await context.close();
  }
});

test("an unknown address says so and offers a way on", async ({ signedInAs, say }) => {
  const page = await signedInAs("admin");
  for (const address of [
    "/kyc/00000000-0000-4000-8000-000000000000",
    "/kyc/%F0%9F%A6%9C",
    "/onboarding/00000000-0000-4000-8000-000000000000",
    "/onboarding/not-an-id",
    "/approvals/00000000-0000-4000-8000-000000000000",
    "/approvals/not-an-id",
    "/accounts/00000000-0000-4000-8000-000000000000",
    "/accounts/52998224725",
    "/wallets/unknown",
    "/nothing-here",
  ]) {
    const told = await readPage(page.request, address);
    expect(all(told, "h1").map(textOf), address).toEqual([say("absent.notFoundTitle")]);
    const ways = all(told, "a", { href: "/" }).filter((link) => textOf(link) === say("absent.goHome"));
    expect(ways, address).toHaveLength(1);
  }
  for (const address of ["/accounts/52998224725", "/nothing-here"]) {
    await page.goto(address);
    await expect(page.getByRole("heading", { name: say("absent.notFoundTitle") }), address).toBeVisible();
    await page.getByRole("link", { name: say("absent.goHome") }).click();
    await expect(page.getByRole("heading", { level: 1, name: say("home.title") }), address).toBeVisible();
  }
});

test("the overview counts waiting work and links to each queue", async ({ signedInAs, say }) => {
  const page = await signedInAs("compliance");
  await page.goto("/");
  await expect(page.getByRole("link", { name: new RegExp(say("home.toDecide")) })).toHaveAttribute(
    "href",
    "/kyc?status=PENDING",
  );
  await page.getByRole("link", { name: new RegExp(say("home.refused")) }).click();
  await expect(page).toHaveURL("/onboarding?status=ERROR");
  await expect(page.getByRole("table", { name: say("onboarding.title") })).toBeVisible();
  await page.goto("/");
  await expect(page.getByRole("slider", { name: say("home.pictures.caseFlowChart") })).toBeVisible();
  const deadlines = page.getByRole("region", { name: say("home.pictures.deadlines") });
  await deadlines.getByRole("link", { name: say("home.pictures.deadline.late") }).click();
  await expect(page).toHaveURL("/kyc?due=late");
  await expect(page.getByRole("table", { name: say("kyc.title") })).toBeVisible();
});

test("the overview draws each role's charts", async ({ askingAs, say }) => {
  const pictures = {
    compliance: ["caseFlow", "deadlines", "funnel"],
    support: ["funnel"],
    auditor: ["oversight"],
    admin: ["calls", "deliveries"],
  } as const;
  for (const role of ["compliance", "support", "auditor", "admin"] as const) {
    const headings = all(await readPage(await askingAs(role), "/"), "h2").map(textOf);
    const titles = pictures[role].map((picture) => say(`home.pictures.${picture}`));
    expect(headings, role).toEqual(expect.arrayContaining(titles));
  }
});

/** The page names the tenant of its rows. */
async function expectTenant(page: Page, say: Words): Promise<void> {
  for (const text of ["Aurora Pagamentos", say("environment.EMBEDDED")]) {
    await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
  }
}

test("tenant and environment stay in sight; the narrow menu closes after a choice", async ({ signedInAs, say }) => {
  const page = await signedInAs("support");
  for (const screen of ["/", "/kyc", "/kyc/figures", "/onboarding", "/accounts", "/webhooks", "/security"]) {
    const texts = textsOf(await readPage(page.request, screen));
    for (const text of ["Aurora Pagamentos", say("environment.EMBEDDED")]) expect(texts, screen).toContain(text);
  }
  await page.goto("/kyc");
  await expectTenant(page, say);

  await page.setViewportSize({ width: 390, height: 940 });
  await expectTenant(page, say);
  const navigation = page.getByRole("navigation", { name: say("shell.navigation") });
  await expect(navigation).toBeHidden();
  await page.getByRole("button", { name: say("shell.openMenu") }).click();
  await navigation.getByRole("link", { name: say("accounts.title"), exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: say("accounts.title") })).toBeVisible();
  await expect(navigation).toBeHidden();
  await expectTenant(page, say);
});

test("the keyboard skips the navigation, submits a dialog and regains the focus", async ({ signedInAs, say }) => {
  const page = await signedInAs("compliance");
  await page.goto("/onboarding");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: say("shell.skipToContent") })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  const follow = page.getByRole("button", { name: say("onboarding.follow") });
  await follow.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel(say("onboarding.query"))).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(follow).toBeFocused();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: say("common.close") }).focus();
  await page.keyboard.press("Control+Enter");
  await expect(dialog.locator("[aria-invalid=true]")).toBeFocused();
});

/** On paper the page shows the record, black on white and full width, and the name of the current screen. */
async function expectPrinted(page: Page, text: string): Promise<void> {
  await page.emulateMedia({ media: "print" });
  await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
  // The button of an entry is its description.
  const pressed = [
    page.locator("button:not(.row-link), [role=button]"),
    page.getByRole("textbox"),
    page.getByRole("navigation").getByRole("link"),
  ];
  for (const one of pressed) await expect(one.filter({ visible: true })).toHaveCount(0);
  const sheet = await page.getByRole("main").evaluate((main) => {
    const { color, backgroundColor } = getComputedStyle(main);
    return { color, backgroundColor, isWide: main.getBoundingClientRect().width === document.body.clientWidth };
  });
  expect(sheet).toEqual({ color: "rgb(0, 0, 0)", backgroundColor: "rgb(255, 255, 255)", isWide: true });
}

test(
  "lists and cases show their content without scripts",
  { tag: "@long" },
  async ({ browser, product, sessions, language, say }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, storageState: await sessions("admin") });
    await context.addCookies([{ name: "locale", value: language, url: product.url }]);
    const page = await context.newPage();
    for (const [address, name] of [
      ["/onboarding?status=all", say("onboarding.title")],
      ["/wallets", say("wallets.title")],
      ["/calls", say("calls.title")],
      ["/audit", say("audit.title")],
      ["/staff", say("staff.title")],
      ["/kyc?status=PENDING", say("kyc.title")],
    ] as const) {
      await page.goto(address);
      await expect(page.getByRole("table", { name }).getByRole("row").nth(1), address).toBeVisible();
      await expect(page.getByRole("heading", { level: 1, name }), address).toBeVisible();
      await expect(page.getByRole("navigation", { name: say("shell.navigation") }), address).toBeVisible();
    }
    await page.locator("tbody").getByRole("link").first().click();
    await expect(page.getByRole("region", { name: say("kycCase.standing") })).toBeVisible();
    await context.close();
  },
);

test(
  "an account and its statement print with their period",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    const cpf = inventCpf();
    const account = await provider.openAccount(cpf.digits);
    await provider.credit(account, { amount: "10.00", description: "Para o papel" });
    const page = await signedInAs("support", { theme: "dark" });
    await lookUp(page, say, cpf.digits);
    const statement = page.getByRole("table", { name: say("accounts.statement") });
    await expectRow(statement, ["Para o papel"]);
    await expectPrinted(page, "Para o papel");
    const printed = page.getByRole("region", { name: say("accounts.statement") }).getByRole("paragraph");
    await expect(printed.filter({ hasText: /\d{4} a \d{2}|\d{4} to \d{2}/ })).toBeVisible();
  },
);

/** The screen says "you", but paper names the person. */
async function expectNamed(place: Locator, say: Words): Promise<void> {
  const you = place.getByText(new RegExp(`(^| )${say("kycTimeline.you")}( |$)`, "i")).filter({ visible: true });
  const name = place.getByText("Rafael Tavares").filter({ visible: true });
  await expect(you.first()).toBeVisible();
  await expect(name).toHaveCount(0);
  const count = await you.count();
  await place.page().emulateMedia({ media: "print" });
  await expect(name).toHaveCount(count);
  await expect(you).toHaveCount(0);
  await place.page().emulateMedia({ media: null });
}

test(
  "a case prints black on white, without buttons, and names the person printing",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    test.slow();
    const cpf = inventCpf("003");
    const onBoardingId = await provider.requestAccount(cpf.digits);
    await provider.steerOnboarding(onBoardingId, { biometricUrl: "https://biometria.example/papel" });
    const page = await signedInAs("compliance", { theme: "dark" });
    const { kycUUID, document } = await decidedCase(page, provider);
    const pendingApproval = await propose(page, say, kycUUID);
    await page.reload();
    await expectPrinted(page, document);
    await page.emulateMedia({ media: null });
    await expectNamed(page.getByRole("region", { name: say("kycTimeline.title") }), say);

    await page.goto(pendingApproval);
    await page.getByLabel(say("approvals.comment")).fill("Vi a fotografia nova.");
    await page.getByRole("button", { name: say("approvals.commentSubmit") }).click();
    await expectNamed(page.getByRole("region", { name: say("approvals.comments") }), say);
    await page.goto("/approvals?view=mine");
    await expectNamed(page.getByRole("table", { name: say("approvals.title") }), say);

    await untilSeen(page, "/api/onboarding", cpf.masked);
    await page.goto("/onboarding");
    await page
      .getByRole("table", { name: say("onboarding.title") })
      .getByRole("link", { name: cpf.masked })
      .click();
    const link = page.getByRole("region", { name: say("onboardingRecord.link") });
    await link.getByRole("button", { name: say("handOver.showQr") }).click();
    await expect(page.getByRole("dialog").getByRole("img")).toBeVisible();
    await page.keyboard.press("Escape");
    await page.reload();
    await link.getByText(say("onboardingRecord.linkHistory"), { exact: true }).click();
    await expectNamed(link, say);
    await expectNamed(page.getByRole("region", { name: say("onboardingRecord.timeline") }), say);
  },
);

test("a part opened offline appears after reconnecting; the screen stays", async ({ signedInAs, say }) => {
  const page = await signedInAs("support");
  // The script opens the stream, so keys work from then on.
  const isListening = page.waitForRequest(/\/api\/live/);
  await page.goto("/accounts");
  await isListening;
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  await page.context().setOffline(true);
  await page.keyboard.press("Control+k");
  await expect(page.getByText(say("states.partOffline"))).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: say("accounts.title") })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole("dialog", { name: say("search.title") })).toBeVisible();
});

/** The number of lines that the filter row occupies. */
const linesOf = (button: Locator) =>
  button.evaluate((element) => {
    const form = element.closest("form");
    const row = form === null ? element.parentElement : form.parentElement;
    const controls = [...(row?.querySelectorAll("input:not([type=hidden]), select, button, a") ?? [])];
    const shown = controls.filter((control) => control.getClientRects().length > 0);
    const tops = shown.map((control) => control.getBoundingClientRect().top).toSorted((a, b) => a - b);
    return tops.filter((top, index) => index === 0 || top - (tops[index - 1] ?? 0) > 12).length;
  });

test("each list's filters fit in one row at 1440, 1024 and 390 px", { tag: "@long" }, async ({ signedInAs, say }) => {
  const page = await signedInAs("auditor");
  const name = new RegExp(`^(${say("common.filters")}|${say("accounts.apply")}|${say("received.search")})$`);
  const lists = ["/transfers", "/wallets", "/audit", "/calls", "/accounts", "/webhooks", "/onboarding", "/kyc"];
  for (const path of lists) {
    await page.goto(path);
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const button = page.getByRole("main").getByRole("button", { name }).first();
      const areTabsAbove = width === 390 && ["/onboarding", "/kyc"].includes(path);
      expect(await linesOf(button), `${path}, ${width} px`).toBe(areTabsAbove ? 2 : 1);
    }
  }
});

test("a folded filter keeps its text, is submitted and counted", async ({ signedInAs, say }) => {
  const page = await signedInAs("auditor");
  // The button does nothing before its script loads.
  const isListening = page.waitForRequest(/\/api\/live/);
  await page.goto("/transfers");
  await isListening;
  const filters = page.getByRole("button", { name: say("common.filters") });
  const min = page.getByLabel(say("transfers.min"), { exact: true });
  await expect(min).toBeHidden();
  await filters.press("Enter");
  await expect(filters).toHaveAttribute("aria-expanded", "true");
  await min.fill("120,45");
  await expectAccessible(page, "unfolded filters");
  await filters.press("Enter");
  await expect(min).toBeHidden();
  await filters.press("Enter");
  await expect(min).toHaveValue("120,45");
  await filters.press("Enter");
  await filters.blur();
  await expect(page).toHaveURL(/min=120/);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(filters).toHaveAccessibleName(`${say("common.filters")} ${say("common.filtersOn", { count: 1 })}`);
  await expect(min).toBeHidden();
  await expectAccessible(page, "folded filters, one of them set");
});
