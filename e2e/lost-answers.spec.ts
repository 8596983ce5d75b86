import { create, fillPassword, fillPerson, inventPassword } from "./support/account-fields";
import { inventCpf } from "./support/invent";
import { field } from "./support/start-form";
import { expect, test } from "./support/story";

test.beforeEach(async ({ provider }) => provider.recover());

const ALWAYS = 10_000;

test(
  "a request for an account without an answer goes out once, and is settled by what the provider has of its document",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
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
  },
);
