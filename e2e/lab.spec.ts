import { inspect } from "./support/looks";
import { rowWith } from "./support/sight";
import { expect, test } from "./support/story";

test.use({ language: "en" });

test("an administrator lets the provider fall silent, sees it, and ends it", async ({ signedInAs, askingAs, say }) => {
  test.slow();
  const page = await signedInAs("admin");
  await page.goto("/");
  await page
    .getByRole("navigation")
    .getByRole("link", { name: say("lab.title"), exact: true })
    .click();
  await expect(page.getByText(say("lab.nothing"))).toBeVisible();
  await inspect(page, "the lab with nothing in force");
  const name = say("lab.scenario.fall-silent.name");
  const scenario = page.getByRole("form", { name });

  await test.step("a wrong field is named, and what was typed stays", async () => {
    await scenario.getByLabel(say("lab.fields.seconds")).fill("0");
    await scenario.getByRole("button", { name }).click();
    await expect(scenario.getByLabel(say("lab.fields.seconds"))).toHaveAccessibleDescription(
      new RegExp(say("fields.lab-seconds")),
    );
    await expect(scenario.getByLabel(say("lab.fields.seconds"))).toHaveValue("0");
    await inspect(page, "a wrong field of the lab");
  });

  await test.step("it is in force until it is ended", async () => {
    await scenario.getByLabel(say("lab.fields.seconds")).fill("600");
    await scenario.getByRole("button", { name }).click();
    const end = page.getByRole("button", { name: say("lab.endNamed", { name }) });
    await expect(end).toBeVisible();
    await inspect(page, "a silent provider in the lab");
    await end.click();
    await expect(page.getByText(say("lab.nothing"))).toBeVisible();
  });

  await test.step("the receiver sleeps, and its sheet says so until it is woken", async () => {
    const sleep = say("lab.scenario.sleep-receiver.name");
    await page.getByRole("form", { name: sleep }).getByRole("button", { name: sleep }).click();
    const end = page.getByRole("button", { name: say("lab.endNamed", { name: sleep }) });
    await expect(end).toBeVisible();
    await page.goto("/lab/drill");
    await expect(page.getByRole("heading", { level: 1, name: say("drill.title") })).toBeVisible();
    await expect(page.getByText(say("drill.emptyTitle"))).toBeVisible();
    await inspect(page, "the sheet of a sleeping receiver");
    await page.goto("/lab");
    await end.click();
    await expect(page.getByText(say("lab.nothing"))).toBeVisible();
  });

  await test.step("all are on record, and no other role finds the lab", async () => {
    await page.goto("/audit");
    const record = page.getByRole("table", { name: say("audit.title") });
    await expect(rowWith(record, [say("audit.codes.lab.play")])).toHaveCount(4);
    const support = await askingAs("support");
    expect(await (await support.get("/lab")).text()).toContain(say("absent.forbiddenTitle"));
  });
});
