import { inventCpf } from "./support/invent";
import { inspect } from "./support/looks";
import { factOf, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";

test("compliance takes a suspicion to its report, and nobody else sees it", async ({ signedInAs, provider, say }) => {
  test.slow();
  const cpf = inventCpf();
  const kycUUID = await provider.openCase(cpf.digits);
  const page = await signedInAs("compliance");
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.goto(`/kyc/${kycUUID}`);
  await page.getByRole("button", { name: say("suspicions.raise.button") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: say("suspicions.raise.submit"), exact: true }).click();
  await expect(dialog.getByText(say("suspicions.dateFirst"))).toBeVisible();
  await dialog.getByLabel(say("suspicions.columns.occurred")).fill("01/07/2024");
  await dialog.getByLabel(say("suspicions.raise.text")).fill("Saques seguidos logo abaixo do limite");
  await dialog.getByRole("button", { name: say("suspicions.raise.submit"), exact: true }).click();
  await expect(dialog).toBeHidden();

  await page.goto("/suspicions");
  await inspect(page, "the list of suspicions");
  await page.getByRole("link", { name: cpf.masked }).click();
  await page.waitForURL(/\/suspicions\/[\da-f-]{36}$/);
  const number = "2026-000417";
  for (const to of ["analysing", "to-report", "reported"] as const) {
    await page.getByRole("button", { name: say(`suspicions.to.${to}`) }).click();
    const step = page.getByRole("dialog", { name: say(`suspicions.to.${to}`) });
    if (to === "reported") {
      await step.getByLabel(say("suspicions.reportNumber")).fill(number);
      await step.getByLabel(say("suspicions.reportedOn")).fill("02/07/2024");
    }
    await step.getByLabel(say("suspicions.note.label")).fill("Conferido com as fontes");
    await step.getByRole("button", { name: say("suspicions.save"), exact: true }).click();
    await expect(step).toBeHidden();
    await expect(factOf(page, say("suspicions.columns.state"))).toContainText(say(`suspicions.states.${to}`));
  }
  await expect(factOf(page, say("suspicions.reportNumber"))).toContainText(number);
  await inspect(page, "a suspicion with its steps");
  const address = page.url();

  for (const role of ["approver", "auditor", "admin"] as const) {
    const other = await signedInAs(role);
    await other.goto(`/kyc/${kycUUID}`);
    await expect(other.getByRole("heading", { level: 1, name: cpf.masked })).toBeVisible();
    await expect(other.getByText(say("suspicions.ofCase"))).toHaveCount(0);
    await other.goto(address);
    await expect(other.getByText(number)).toHaveCount(0);
    await expect(other.getByRole("link", { name: say("suspicions.title") })).toHaveCount(0);
    await other.close();
  }
});
