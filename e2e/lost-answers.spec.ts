import { create, fillPassword, fillPerson, inventPassword } from "./support/account-fields";
import { inventCpf } from "./support/invent";
import { expectBlocked, field, fillStart, startReviewed } from "./support/start-form";
import { expect, test } from "./support/story";

test.beforeEach(async ({ provider }) => provider.recover());

const ALWAYS = 10_000;

test("a start without an answer goes out once, and is settled by the case that shows up", async ({
  signedInAs,
  provider,
  say,
}) => {
  const [cpf, page] = [inventCpf(), await signedInAs("compliance")];
  await page.goto("/kyc/new");
  await fillStart(page, say, cpf.typed);
  await provider.fail({ method: "POST", path: "/v1/kyc/person", status: 503, times: ALWAYS });
  await startReviewed(page, say);
  const unconfirmed = page.getByRole("region", { name: say("kycStart.unsettledTitle") });
  await expect(unconfirmed).toContainText(cpf.masked);
  await provider.recover();
  await expectBlocked(page, say, cpf.typed);
  expect(await provider.casesOf(cpf.masked)).toEqual([]);
  await provider.openCase(cpf.digits);
  await expect(unconfirmed).toBeHidden({ timeout: 20_000 });
  expect(await provider.casesOf(cpf.masked)).toHaveLength(1);
});

test("a request for an account without an answer goes out once, and is settled by what the provider has of its document", async ({
  signedInAs,
  provider,
  say,
}) => {
  test.slow();
  const [cpf, page] = [inventCpf(), await signedInAs("support")];
  await page.goto("/onboarding/new");
  await fillPerson(page, say, cpf.typed);
  await provider.fail({ method: "POST", path: "/v1/bank-accounts/create", status: 503, times: ALWAYS });
  await fillPassword(page, inventPassword());
  await create(page, say).click();
  const unconfirmed = page.getByRole("region", { name: say("accountForm.unsettledTitle") });
  await expect(unconfirmed).toContainText(cpf.masked);
  await provider.recover();
  await page.reload();
  await expect(page.getByText(say("accountForm.sentTitle"))).toBeVisible();
  await provider.requestAccount(cpf.digits);
  await expect(unconfirmed).toBeHidden({ timeout: 30_000 });
  await expect(field(page, "person.fullName")).toHaveValue("");
});
