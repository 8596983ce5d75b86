import type { Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "./accessible";
import { inventCpf } from "./invent";
import { callAction, nextAction } from "./server-action";
import { expectRow, rowWith, untilSeen } from "./sight";
import { DEMO_PASSWORD, demoEmail, expect, openSession, providerOf, test } from "./story";
import { type Words, wordsOf } from "./words";

const [AURORA, BOREAL] = ["Aurora Pagamentos", "Boreal Crédito"];

test.use({
  ownProduct: { SERVICE_DEMO_DATA: "false" },
  ownTenant: { clientId: "aurora", name: AURORA },
  moreTenants: [{ clientId: "boreal", name: BOREAL }],
});

const switcher = (page: Page, say: Words) =>
  page.getByRole("button", { name: say("desk.switch") }).filter({ visible: true });

/** Goes to a tenant by the switcher, as people do; stays where they are there already. */
async function goTo(page: Page, say: Words, name: string) {
  await switcher(page, say).click();
  const choice = page.getByRole("list", { name: say("desk.tenants") }).getByRole("button", { name });
  await choice.filter({ visible: true }).click();
  await expect(switcher(page, say)).toContainText(name);
}

/** A case that waits at one of the tenants, and how the screens show its document. */
async function openCase(product: Parameters<typeof providerOf>[0], place: 0 | 1) {
  const cpf = inventCpf();
  const provider = providerOf(product, place);
  return { provider, masked: cpf.masked, kycUUID: await provider.openCase(cpf.digits) };
}

/** A window of its own whose session stands at Aurora. */
async function workingAtAurora(page: Page, say: Words, address = "/") {
  await page.goto("/");
  if (!(await switcher(page, say).textContent())?.includes(AURORA)) await goTo(page, say, AURORA);
  if (address !== "/") await page.goto(address);
}

const cover = (page: Page, say: Words, shown = AURORA) =>
  page
    .getByRole("alertdialog", { name: say("desk.covered") })
    .filter({ has: page.getByRole("button", { name: say("desk.goBack", { shown }) }) });

async function writeDecision(page: Page, say: Words, reason: string) {
  await page.getByRole("button", { name: say("kyc.decide"), exact: true }).click();
  const dialog = page.getByRole("dialog", { name: say("kyc.dialogTitle") });
  await dialog.getByRole("radio", { name: say("kyc.approve") }).check();
  await dialog.getByLabel(say("kyc.reason"), { exact: true }).fill(reason);
  return dialog;
}

test("the switcher leads to another tenant's rows, under its name and environment", async ({
  signedInAs,
  product,
  say,
}) => {
  const [atAurora, atBoreal] = [await openCase(product, 0), await openCase(product, 1)];
  const page = await signedInAs("compliance");
  await workingAtAurora(page, say);
  await untilSeen(page, "/api/kyc?status=PENDING", atAurora.kycUUID);
  await page.goto("/kyc");
  const queue = page.getByRole("table", { name: say("kyc.title") });
  await expectRow(queue, [atAurora.masked]);
  await expect(page).toHaveTitle(`${say("kyc.title")} · ${AURORA} · Retaguarda`);

  await goTo(page, say, BOREAL);
  await expect(page).toHaveURL("/kyc");
  await expect(page).toHaveTitle(`${say("kyc.title")} · ${BOREAL} · Retaguarda`);
  await expect(switcher(page, say)).toContainText(say("environment.EMBEDDED"));
  await untilSeen(page, "/api/kyc?status=PENDING", atBoreal.kycUUID);
  await page.reload();
  await expectRow(queue, [atBoreal.masked]);
  await expect(rowWith(queue, [atAurora.masked])).toHaveCount(0);

  await page.goto(`/kyc/${atAurora.kycUUID}`);
  await expect(page.getByRole("heading", { name: say("absent.notFoundTitle") })).toBeVisible();
});

test("a form left open in another tab reaches neither tenant until one goes back, and keeps what was typed", async ({
  signedInAs,
  product,
  say,
}) => {
  const { provider, kycUUID } = await openCase(product, 0);
  const tab = await signedInAs("compliance");
  await workingAtAurora(tab, say);
  await untilSeen(tab, "/api/kyc?status=PENDING", kycUUID);
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
    .getByRole("button", { name: say("desk.goBack", { shown: AURORA }) })
    .click();
  await expect(cover(tab, say)).toBeHidden();
  await expect(dialog.getByLabel(say("kyc.reason"), { exact: true })).toHaveValue("Conferido com a base oficial.");
  await expect(cover(other, say, BOREAL)).toBeVisible();
  await dialog.getByRole("button", { name: say("kyc.submitApprove") }).click();
  await expect(dialog).toBeHidden();
  expect(await provider.caseStatus(kycUUID)).toBe("APPROVED");

  await cover(other, say, BOREAL)
    .getByRole("button", { name: say("desk.goOn", { now: AURORA }) })
    .click();
  await expect(switcher(other, say)).toContainText(AURORA);
  await expect(other).toHaveURL("/onboarding");
});

test("what a page of one tenant sends is refused at the other, though no tab told of the switch", async ({
  signedInAs,
  product,
  say,
}) => {
  const [decided, target] = [await openCase(product, 0), await openCase(product, 0)];
  const page = await signedInAs("compliance");
  await workingAtAurora(page, say);
  for (const { kycUUID } of [decided, target]) await untilSeen(page, "/api/kyc?status=PENDING", kycUUID);
  await page.goto(`/kyc/${decided.kycUUID}`);
  const dialog = await writeDecision(page, say, "Conferido.");
  const [sent] = await Promise.all([
    nextAction(page),
    dialog.getByRole("button", { name: say("kyc.submitApprove") }).click(),
  ]);
  await expect(dialog).toBeHidden();
  const { id } = await (await page.request.get("/api/desk")).json();
  await page.goto("/kyc");
  await goTo(page, say, BOREAL);

  const again = {
    ...sent,
    body: sent.body
      .replaceAll(decided.kycUUID, target.kycUUID)
      .replace(/("intentId":")[^"]+/, "$100000000-0000-4000-8000-000000000001"),
  };
  const answer = await callAction(page, again, product.url);
  expect(await answer.text()).toMatch(/"ok":false.*"kind":"conflict"/);
  expect(await target.provider.caseStatus(target.kycUUID)).toBe("PENDING");
  const rows = await page.request.get("/api/kyc", { headers: { "x-retaguarda-desk": id } });
  expect([rows.status(), await rows.json()]).toEqual([409, { error: { kind: "conflict" } }]);
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
  await tab.route("/api/desk", (route) => route.abort());
  const other = await tab.context().newPage();
  await other.goto("/");
  await goTo(other, say, BOREAL);
  await untilSeen(other, "/api/kyc?status=PENDING", kycUUID);

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

test("a switch asks before it loses what was typed in the same tab", async ({ signedInAs, say }) => {
  const page = await signedInAs("support");
  await workingAtAurora(page, say, "/accounts");
  const field = page.getByLabel(say("accounts.lookUpLabel"));
  await field.fill("a customer");
  await switcher(page, say).click();
  const list = page.getByRole("list", { name: say("desk.tenants") }).filter({ visible: true });
  await list.getByRole("button", { name: BOREAL }).click();
  const question = page.getByRole("group", { name: say("desk.discardQuestion") });
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

test("a tab of one person covers itself when another one signs in", async ({ browser, product, language, say }) => {
  const session = await openSession(browser, { url: product.url, role: "auditor", language });
  const window = await browser.newContext({ storageState: session });
  const [tab, other] = [await window.newPage(), await window.newPage()];
  await tab.goto("/kyc");
  await other.goto("/");
  await other.getByRole("button", { name: new RegExp(`^${say("shell.account")}: `) }).click();
  await other.getByRole("button", { name: say("shell.signOut") }).click();
  await other.getByLabel(say("signIn.email")).fill(demoEmail("finance"));
  await other.getByLabel(say("signIn.password")).fill(DEMO_PASSWORD);
  await other.getByRole("button", { name: say("signIn.submit"), exact: true }).click();
  const notice = tab.getByRole("alertdialog", { name: say("desk.coveredPerson", { shown: "Lívia Sampaio" }) });
  await expect(notice).toContainText("Helena Prado");
  await expect(notice.getByRole("button")).toHaveCount(1);
  await notice.getByRole("button", { name: say("desk.reload") }).click();
  await expect(tab.getByRole("button", { name: /Helena Prado/ })).toBeVisible();
  await window.close();
});

for (const look of [
  { language: "pt-BR", theme: "light", width: 1350 },
  { language: "en", theme: "dark", width: 390 },
] as const) {
  test(`the open menu and the cover have no accessibility violation, ${look.theme}, ${look.width} px wide`, async ({
    signedInAs,
  }) => {
    const say = wordsOf(look.language);
    const tab = await signedInAs("approver", look);
    await workingAtAurora(tab, say);
    await switcher(tab, say).click();
    await expectAccessible(tab, "the menu");
    await tab.keyboard.press("Escape");
    const other = await tab.context().newPage();
    await other.goto("/");
    await switcher(other, say).focus();
    await other.keyboard.press("Enter");
    await other.keyboard.press("Tab");
    await other.keyboard.press("Tab");
    await other.keyboard.press("Enter");
    await expect(switcher(other, say)).toContainText(BOREAL);
    await expect(cover(tab, say)).toBeVisible();
    await expectAccessible(tab, "the cover");
    await expectNoSidewaysScroll(tab, "the cover");
  });
}
