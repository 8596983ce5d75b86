import { readFileSync } from "node:fs";
import { inspect } from "./support/looks";
import { expect, test } from "./support/story";

const dayAhead = (days: number) =>
  new Intl.DateTimeFormat("pt-BR", { timeZone: "America/Sao_Paulo" }).format(Date.now() + days * 86_400_000);

test("an administrator reviews who has access, and an auditor takes the file", async ({ signedInAs, say }) => {
  test.slow();
  const page = await signedInAs("admin");
  await page.goto("/staff");
  await page
    .getByRole("link", { name: say("staff.reviewLink") })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1, name: say("access.title") })).toBeVisible();
  await expect(page.getByText(say("access.never"))).toBeVisible();
  await inspect(page, "access that nobody reviewed");

  await test.step("a note and a day ahead are asked for at their fields, and nothing typed is lost", async () => {
    await page.getByRole("button", { name: say("access.review"), exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(say("access.nextOn")).fill("01/01/2020");
    await dialog.getByRole("button", { name: say("access.submit") }).click();
    await expect(dialog.getByText(say("access.noteFirst"))).toBeVisible();
    await expect(dialog.getByText(say("access.dayFirst"))).toBeVisible();
    await inspect(page, "a review without a note");
    await expect(dialog.getByLabel(say("access.nextOn"))).toHaveValue("01/01/2020");
    await dialog.getByLabel(say("access.nextOn")).fill(dayAhead(30));
    await dialog.getByLabel(say("access.note")).fill("Rui saiu de Financeiro");
    await dialog.getByRole("button", { name: say("access.submit") }).click();
    await expect(page.getByText(say("access.done"))).toBeVisible();
  });

  await test.step("the review stands with its day", async () => {
    const reviews = page.getByRole("region", { name: say("access.history") });
    await expect(reviews).toContainText("Rui saiu de Financeiro");
    await inspect(page, "access with a review");
  });

  const auditor = await signedInAs("auditor");
  await auditor.goto("/access");
  await expect(auditor.getByRole("region", { name: say("access.history") })).toContainText("Rui saiu de Financeiro");
  await expect(auditor.getByRole("button", { name: say("access.review"), exact: true })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  const [download] = await Promise.all([
    auditor.waitForEvent("download"),
    auditor.getByRole("link", { name: say("access.export") }).click(),
  ]);
  const file = readFileSync(await download.path(), "utf8");
  expect(file).toContain(say("access.csv.factor"));
  expect(file).toContain("auditor@retaguarda.demo");
});
