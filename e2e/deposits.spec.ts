import { inspect } from "./support/looks";
import { factOf, rowWith, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";

test("finance expects a deposit, follows it from reference to sweep, and notes on it", async ({
  signedInAs,
  provider,
  say,
}) => {
  test.slow();
  const page = await signedInAs("finance");
  const { address } = await provider.createCheckout("EVM");
  await untilSeen(page, "/api/wallets?network=EVM", address);
  await page.goto("/wallets/addresses");
  await page.getByRole("button", { name: say("walletForm.import.button") }).click();
  const csv = Buffer.from(`${address};pedido-30501`);
  const names = page.getByRole("dialog");
  await names.locator("input[type=file]").setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer: csv });
  await names.getByRole("button", { name: say("walletForm.import.submit") }).click();
  await expect(names.getByRole("cell", { name: say("walletForm.import.outcomes.saved") })).toBeVisible();

  await page.goto("/deposits");
  await inspect(page, "the list of deposits");
  await page.getByRole("button", { name: say("deposits.expect.button") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(say("deposits.expect.reference")).fill("pedido-30501");
  await dialog.getByLabel(say("deposits.expect.amount")).fill("1.25");
  await dialog.getByRole("button", { name: say("deposits.expect.submit"), exact: true }).click();
  await expect(dialog).toBeHidden();
  await untilSeen(page, "/api/deposits?view=expected", "pedido-30501");

  await provider.deposit({ network: "ETHEREUM", address, amount: "1.25" });
  await untilSeen(page, "/api/deposits?view=arrived&search=pedido-30501", "pedido-30501");
  await page.goto("/deposits?view=arrived&search=pedido-30501");
  const list = page.getByRole("table", { name: say("deposits.title") });
  await rowWith(list, ["1.25", say("deposits.classes.arrived")])
    .getByRole("link")
    .first()
    .click();
  await page.waitForURL(/\/deposits\/[\da-f-]{36}$/);
  const trace = page.locator('section[aria-labelledby="trace"]');
  await expect(trace).toContainText(address);
  await expect(trace).toContainText(say("deposits.trace.matchedSeen"));
  await inspect(page, "a deposit with its trace");

  await page.getByRole("button", { name: say("deposits.handle.button"), exact: true }).click();
  const note = page.getByRole("dialog");
  await note.getByText(say("deposits.reasons.accepted"), { exact: true }).click();
  await note.getByLabel(say("deposits.handle.note")).fill("Checked with the customer");
  await note.getByRole("button", { name: say("deposits.handle.submit"), exact: true }).click();
  await expect(factOf(page, say("deposits.note"))).toContainText("Checked with the customer");
});

test("finance is told what was noted meanwhile, and withdraws what it typed wrong", async ({ signedInAs, say }) => {
  test.slow();
  const page = await signedInAs("finance");
  await page.goto("/deposits");
  await page.getByRole("button", { name: say("deposits.expect.button") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(say("deposits.expect.reference")).fill("pedido-30777");
  await dialog.getByLabel(say("deposits.expect.amount")).fill("3.25");
  await dialog.getByRole("button", { name: say("deposits.expect.submit"), exact: true }).click();
  await expect(dialog).toBeHidden();
  await page.goto("/deposits?view=expected&search=pedido-30777");
  const list = page.getByRole("table", { name: say("deposits.title") });
  await rowWith(list, ["3.25"]).getByRole("link").first().click();
  await page.waitForURL(/\/deposits\/[\da-f-]{36}$/);

  const other = await page.context().newPage();
  await other.goto(page.url());
  for (const tab of [page, other])
    await tab.getByRole("button", { name: say("deposits.handle.button"), exact: true }).click();
  await dialog.getByLabel(say("deposits.handle.note")).fill("Asked on Monday");
  const theirs = other.getByRole("dialog");
  await theirs.getByText(say("deposits.reasons.refunded"), { exact: true }).click();
  await theirs.getByLabel(say("deposits.handle.note")).fill("Refunded on Friday");
  await theirs.getByRole("button", { name: say("deposits.handle.submit"), exact: true }).click();
  await expect(theirs).toBeHidden();

  await dialog.getByRole("button", { name: say("deposits.handle.submit"), exact: true }).click();
  await expect(dialog.getByText("Refunded on Friday")).toBeVisible();
  await expect(dialog.getByLabel(say("deposits.handle.note"))).toHaveValue("Asked on Monday");
  await inspect(page, "a note that a colleague changed meanwhile");
  await dialog.getByRole("button", { name: say("common.changed.keepMine") }).click();
  await dialog.getByRole("button", { name: say("deposits.handle.submit"), exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(factOf(page, say("deposits.note"))).toContainText("Asked on Monday");
  await expect(factOf(page, say("deposits.reason"))).toContainText(say("deposits.reasons.refunded"));

  await page.getByRole("button", { name: say("deposits.withdraw.button"), exact: true }).click();
  await dialog.getByText(say("deposits.reasons.mistyped"), { exact: true }).click();
  await inspect(page, "the withdrawal of an expected deposit");
  await dialog.getByRole("button", { name: say("deposits.withdraw.submit"), exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(factOf(page, say("deposits.columns.class"))).toContainText(say("deposits.causes.withdrawn"));
  await page.goto("/deposits?view=expected&search=pedido-30777");
  await expect(list).toBeHidden();
});
