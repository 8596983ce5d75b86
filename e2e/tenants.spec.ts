import { expectAccessible, expectNoSidewaysScroll } from "./support/accessible";
import { callAction, nextAction } from "./support/server-action";
import { expectRow, rowWith, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
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
import { wordsOf } from "./support/words";

test.use(TWO_TENANTS);

test("the switcher leads to another tenant's rows, under its name and environment", async ({
  signedInAs,
  product,
  say,
}) => {
  const [atAurora, atBoreal] = [await openCase(product, 0), await openCase(product, 1)];
  const page = await signedInAs("compliance");
  await workingAtAurora(page, say);
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", atAurora.kycUUID);
  await page.goto("/kyc?sort=arrival");
  const queue = page.getByRole("table", { name: say("kyc.title") });
  await expectRow(queue, [atAurora.masked]);
  await expect(page).toHaveTitle(`${say("kyc.title")} · ${AURORA} · Retaguarda`);

  await goTo(page, say, BOREAL);
  await expect(page).toHaveURL("/kyc");
  await expect(page).toHaveTitle(`${say("kyc.title")} · ${BOREAL} · Retaguarda`);
  await expect(switcher(page, say)).toContainText(say("environment.EMBEDDED"));
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", atBoreal.kycUUID);
  await page.goto("/kyc?sort=arrival");
  await expectRow(queue, [atBoreal.masked]);
  await expect(rowWith(queue, [atAurora.masked])).toHaveCount(0);

  await page.goto(`/kyc/${atAurora.kycUUID}`);
  await expect(page.getByRole("heading", { name: say("absent.notFoundTitle") })).toBeVisible();
});

test("what a page of one tenant sends is refused at the other, though no tab told of the switch", async ({
  signedInAs,
  product,
  say,
}) => {
  const [decided, target] = [await openCase(product, 0), await openCase(product, 0)];
  const page = await signedInAs("compliance");
  await workingAtAurora(page, say);
  for (const { kycUUID } of [decided, target]) await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.goto(`/kyc/${decided.kycUUID}`);
  const dialog = await writeDecision(page, say, "Conferido.");
  const [sent] = await Promise.all([
    nextAction(page),
    dialog.getByRole("button", { name: say("kyc.submitApprove") }).click(),
  ]);
  await expect(dialog).toBeHidden();
  const { id } = await (await page.request.get("/api/scope")).json();
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
  const rows = await page.request.get("/api/kyc", { headers: { "x-retaguarda-scope": id } });
  expect([rows.status(), await rows.json()]).toEqual([409, { error: { kind: "conflict" } }]);
});

test("a switch asks before it loses what was typed in the same tab", async ({ signedInAs, say }) => {
  const page = await signedInAs("support");
  await workingAtAurora(page, say, "/accounts");
  const field = page.getByLabel(say("accounts.lookUpLabel"));
  await field.fill("a customer");
  await switcher(page, say).click();
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
