import { create, fillPassword, fillPerson, inventPassword } from "./support/account-fields";
import { inventCpf } from "./support/invent";
import { field } from "./support/start-form";
import { expect, test } from "./support/story";
import { fillTed, openForm, send, TRANSFER, twoAccounts } from "./support/transfer-form";

test.beforeEach(async ({ provider }) => provider.recover());

const ALWAYS = 10_000;

test(
  "an unanswered account request is sent once and settled by the provider",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    test.slow();
    const cpf = inventCpf();
    const page = await signedInAs("support");
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

test(
  "a TED with an unknown status shows the provider's word, not confirmed",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    const { payer } = await twoAccounts(provider, "500.00");
    const page = await signedInAs("support");
    await openForm(page, say, payer.typed);
    await fillTed(page, say, "12,00");
    const body = { status: 200, data: { status: "EM_PROCESSAMENTO" } };
    const path = "/v1/bank-accounts/generateExternalTransferRequest";
    await provider.fail({ method: "POST", path, status: 200, body, times: ALWAYS });
    await send(page, say).click();
    await page.waitForURL(TRANSFER);
    await expect(page.getByText(say("transfers.sentence.ACCEPTED"))).toBeVisible();
    await expect(page.getByRole("main")).toContainText("EM_PROCESSAMENTO");
    await provider.recover();
    await page.goto("/transfers?view=unanswered");
    const row = page
      .getByRole("table", { name: say("transfers.title") })
      .getByRole("row")
      .nth(1);
    await expect(row).toContainText(say("transfers.states.ACCEPTED"));
    await expect(row).toContainText("EM_PROCESSAMENTO");
  },
);
