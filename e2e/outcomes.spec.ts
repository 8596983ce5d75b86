import { expectAccessible } from "./support/accessible";
import { inventCpf } from "./support/invent";
import { fillStart, startReviewed } from "./support/start-form";
import { expect, test } from "./support/story";

test.beforeEach(async ({ provider }) => provider.recover());

const ALWAYS = 10_000;

test("a start without an answer is ended by whoever found out elsewhere", async ({ signedInAs, provider, say }) => {
  test.slow();
  const [cpf, page] = [inventCpf(), await signedInAs("compliance")];
  await page.goto("/kyc/new");
  await fillStart(page, say, cpf.typed);
  await provider.fail({ method: "POST", path: "/v1/kyc/person", status: 503, times: ALWAYS });
  await startReviewed(page, say);
  await expect(page.getByRole("region", { name: say("kycStart.unsettledTitle") })).toContainText(cpf.masked);
  await provider.recover();

  await page
    .getByRole("navigation", { name: say("shell.navigation") })
    .getByRole("link", { name: say("shell.outcomes") })
    .click();
  const row = page.getByRole("table", { name: say("outcomes.title") }).getByRole("row", { name: cpf.masked });
  await expect(row).toContainText(say("outcomes.names.kyc.start"));
  await expect(row).toContainText(say("outcomes.states.open"));
  await row.getByRole("button", { name: say("outcomes.end") }).click();
  const dialog = page.getByRole("dialog", { name: say("outcomes.endTitle") });
  await dialog.getByRole("button", { name: say("outcomes.submit") }).click();
  await expect(dialog.getByText(say("outcomes.outcomeFirst"))).toBeVisible();
  await dialog.getByRole("radio", { name: say("outcomes.outcomes.NOT_HAPPENED") }).check();
  await dialog.getByRole("radio", { name: say("outcomes.sources.provider-support") }).check();
  await dialog.getByLabel(say("outcomes.reference")).fill("chamado A-17");
  await dialog.getByLabel(say("outcomes.reason")).fill("O atendimento respondeu que nada chegou.");
  await expectAccessible(page, "the end of a write that no answer ended");
  await dialog.getByRole("button", { name: say("outcomes.submit") }).click();
  await expect(page.getByText(say("outcomes.ended"))).toBeVisible();
  await expect(row).toBeHidden();
  await expect(page.getByRole("heading", { name: say("outcomes.emptyTitle") })).toBeVisible();

  // What was typed is there for another start.
  await page.goto("/kyc/new");
  await expect(page.getByRole("region", { name: say("kycStart.unsettledTitle") })).toBeHidden();
  expect(await provider.casesOf(cpf.masked)).toEqual([]);
});
