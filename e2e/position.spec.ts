import { expectAccessible, expectNoSidewaysScroll } from "./support/accessible";
import { expect, test } from "./support/story";

test("finance breaks down a position's sum and sets a coin's rate", async ({ signedInAs, say }) => {
  test.slow();
  const page = await signedInAs("finance");
  await page.goto("/");
  const navigation = page.getByRole("navigation", { name: say("shell.navigation") });
  await navigation.getByRole("link", { name: say("position.title") }).click();
  await expect(page).toHaveURL("/position");
  const reais = page.getByRole("table", { name: say("position.kinds.any-account") });
  await expect(reais).toBeVisible({ timeout: 60_000 });
  await expect(reais.getByRole("row").filter({ hasText: say("position.parts.available") })).toContainText("R$");

  // While it is being read, rows come and go above.
  const finished = say("position.round.finished").split("{")[0] ?? "";
  await expect(page.locator("output").filter({ hasText: finished.trim() })).toBeVisible({ timeout: 60_000 });

  const figures = page.getByRole("list", { name: say("position.figures.title") });
  await expect(figures).toContainText("R$");

  const row = reais.getByRole("link", { name: say("position.parts.available") });
  await row.scrollIntoViewIfNeeded();
  const stood = await row.boundingBox();
  await row.click();
  const line = page.locator("section[aria-labelledby=position-line]");
  await expect(line).toBeInViewport();
  expect(Math.abs(((await row.boundingBox())?.y ?? 0) - (stood?.y ?? 0))).toBeLessThan(60);
  const slider = line.getByRole("slider");
  await slider.focus();
  await expect(slider).toHaveAttribute("aria-valuetext", /R\$/);
  await expect(reais.locator("tr[aria-current]")).toContainText(say("position.parts.available"));
  await line.getByText(say("position.line.asTable")).click();
  await expect(line.locator("table").getByRole("row").nth(1)).toBeVisible();
  await expect(page.locator("section[aria-labelledby=position-parts] tbody").getByRole("row").first()).toBeVisible();
  await expectAccessible(page, "the position with one sum opened");
  await expectNoSidewaysScroll(page, "/position");

  await page.keyboard.press("Escape");
  await expect(line).toHaveCount(0);

  const [exported] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: say("position.export") }).click(),
  ]);
  expect(exported.suggestedFilename()).toContain(say("position.csv.file"));

  const give = page
    .getByRole("button", { name: say("position.rate.buttonOf", { asset: "BTC" }) })
    .filter({ visible: true })
    .first();
  await expect(give).toBeVisible({ timeout: 60_000 });
  await give.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: say("position.rate.submit") }).click();
  await expect(dialog.getByText(say("position.rate.sourceFirst"))).toBeVisible();
  await dialog.getByLabel(say("position.rate.value")).fill("R$ 350.000,50");
  await dialog.getByLabel(say("position.rate.source")).fill("PTAX");
  await dialog.getByRole("button", { name: say("position.rate.submit") }).click();
  await expect(page.getByText(say("position.rate.done"))).toBeVisible();
  await expect(page.getByText(/PTAX/).filter({ visible: true }).first()).toBeVisible();

  await page.getByRole("button", { name: say("position.file.button") }).click();
  const rows = "BITCOIN;BTC;;340000;2024-07-01;PTAX\nBITCOIN;NONE;;1;2024-07-01;PTAX";
  const file = { name: "rates.csv", mimeType: "text/csv", buffer: Buffer.from(rows) };
  await dialog.getByLabel(say("position.file.file")).setInputFiles(file);
  await dialog.getByRole("button", { name: say("position.file.submit"), exact: true }).click();
  for (const outcome of ["saved", "unknown-asset"] as const)
    await expect(dialog.getByRole("cell", { name: say(`position.file.outcomes.${outcome}`) })).toBeVisible();
});

test("finance has today's position read again, and a second tab shows the same", async ({ signedInAs, say }) => {
  test.slow();
  const page = await signedInAs("finance");
  await page.goto("/position");
  const button = page.getByRole("button", { name: say("position.again.button") });
  await expect(button).not.toHaveAttribute("aria-disabled", "true", { timeout: 90_000 });
  const beside = await page.context().newPage();
  await beside.goto("/position");
  const other = beside.getByRole("button", { name: say("position.again.button") });
  await expect(other).not.toHaveAttribute("aria-disabled", "true");

  const balances = page.getByText(/^\d+ \p{L}+, /u).filter({ visible: true });
  await expect(balances).toBeVisible();
  const figures = page.getByRole("list", { name: say("position.figures.title") });
  await button.click();
  const round = page.locator("output");
  const done = say("position.again.finished").split("{")[0]?.trim() ?? "";
  const underWay = say("position.again.under-way").split("{")[0]?.trim() ?? "";
  // A quick provider has answered everything before the page shows that it is asked.
  await expect(round).toContainText(new RegExp(`${underWay}|${done}`));
  await expect(button).toBeFocused();
  await expect(figures).toContainText("R$");
  await expect(round).toContainText(done, { timeout: 180_000 });
  await expect(button).not.toHaveAttribute("aria-disabled", "true");
  await expect(beside.locator("output")).toContainText(done);
  await expect(other).not.toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page, "the position after it was read again");
  await expectNoSidewaysScroll(page, "/position");
});

test("a date to come in the address is told beside the field", async ({ signedInAs, say }) => {
  const page = await signedInAs("finance");
  await page.goto("/position?day=2999-12-31");
  await expect(page.getByText(say("common.aheadDate"))).toBeVisible();
});
