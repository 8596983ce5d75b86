import { readFileSync } from "node:fs";
import { expectAccessible } from "./support/accessible";
import { inventCpf } from "./support/invent";
import { lookUp } from "./support/look-up";
import { expectRow, rowWith, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import { reais } from "./support/words";

const today = () => new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Sao_Paulo" }).format(new Date());
const typed = (day: string) => day.split("-").toReversed().join("/");

test("finance sees a movements file's cost, starts it and downloads it with totals", async ({
  signedInAs,
  provider,
  language,
  say,
}) => {
  const cpf = inventCpf();
  const account = await provider.openAccount(cpf.digits);
  await provider.credit(account, { amount: "1234.56", description: "Salário" });
  await provider.credit(account, { amount: "0.07", description: "Acerto" });
  const { walletId, address } = await provider.createWallet("TRON");
  await provider.deposit({ network: "TRON", address, amount: "2.5" });
  const page = await signedInAs("finance");
  await untilSeen(page, "/api/wallets?network=TRON", address);
  await page.goto(`/wallets/${walletId}`);
  const told = ["2.5", "TRX"].map((word) => (language === "en" ? word : word.replace(".", ",")));
  await expect(rowWith(page.getByRole("table", { name: say("wallets.history.title") }), told).first()).toBeVisible();
  await lookUp(page, say, cpf.typed);
  await page.waitForURL(/\/accounts\/[0-9a-f-]{36}$/);
  await page.goto("/movements/files");
  await expect(page.getByRole("heading", { level: 1, name: say("movements.title") })).toBeVisible();

  const form = page.getByRole("form", { name: say("movements.form") });
  await form.getByLabel(say("movements.from"), { exact: true }).fill(typed(today()));
  await form.getByLabel(say("movements.to"), { exact: true }).fill(typed(today()));
  await form.getByRole("radio", { name: say("movements.scopes.chosen") }).check();
  await form.getByLabel(say("movements.names"), { exact: true }).fill("no-such-account");
  const plan = form.getByRole("button", { name: say("movements.plan") });
  await plan.click();
  await expect(form.getByText(say("movements.unknown", { names: "no-such-account" }))).toBeVisible();
  await form.getByLabel(say("movements.names"), { exact: true }).fill(`${account.accountId}\n${address}`);
  await plan.click();
  await expect(form.getByText(say("movements.costWallets", { wallets: 1 }))).toBeVisible();
  await expectAccessible(page, "a file of movements before it starts");
  await form.getByRole("button", { name: say("movements.start") }).click();

  const files = page.getByRole("table", { name: say("movements.files") });
  const file = rowWith(files, [say("movements.incomplete"), reais("1234.63", language)]).first();
  await expect(file).toBeVisible({ timeout: 30_000 });
  const [taken] = await Promise.all([
    page.waitForEvent("download"),
    file.getByRole("link", { name: new RegExp(say("movements.download")) }).click(),
  ]);
  const text = readFileSync(await taken.path(), "utf8");
  const decimal = (amount: string) => (language === "en" ? amount : amount.replace(".", ","));
  expect(text).toContain(`# total | BRL | count 2 | in ${decimal("1234.63")} | out ${decimal("0.00")} | unsigned 0`);
  expect(text).toMatch(new RegExp(`"TRX";"TRON";.*"in";${decimal("2.5")};`));
  // The demo's traffic may pay this wallet, too, and more may come, for the day is not over.
  expect(text).toMatch(/# total \| TRX \| .* \| network TRON \| told by the provider \| not whole 1/);
  expect(text).toContain("%retaguarda-movements-2 ");
  await expectAccessible(page, "files of movements");
});

test("the movements screen names the roles that may export", { tag: "@long" }, async ({ signedInAs, say }) => {
  const page = await signedInAs("approver");
  await page.goto("/movements/files");
  await expect(page.getByText(say("absent.forbiddenTitle"))).toBeVisible();
});

test("finance finds an incoming payment among accounts and wallets and opens its entry", async ({
  signedInAs,
  provider,
  language,
  say,
}) => {
  const cpf = inventCpf();
  const account = await provider.openAccount(cpf.digits);
  await provider.credit(account, { amount: "417.93", description: "Aluguel da loja" });
  const page = await signedInAs("finance");
  await lookUp(page, say, cpf.typed);
  await page.waitForURL(/\/accounts\/[0-9a-f-]{36}$/);
  await expect(page.getByText("Aluguel da loja").first()).toBeVisible();
  await page.goto("/movements?search=aluguel+da+loja&direction=in");
  const table = page.getByRole("table", { name: say("movements.title") });
  await expectRow(table, [say("movements.standings.booked"), reais("417.93", language)]);
  const sums = page.getByRole("region", { name: say("movements.sumsTitle") });
  await expect(sums.getByText(reais("417.93", language)).first()).toBeVisible();
  const days = sums.getByRole("slider");
  const lastDay = (await days.getAttribute("aria-valuetext")) ?? "";
  await days.press("ArrowLeft");
  await expect(days).not.toHaveAttribute("aria-valuetext", lastDay);
  await expectAccessible(page, "a list of movements");
  await table.getByRole("button").first().click();
  await page.getByRole("link", { name: say("movements.details.entry") }).click();
  await page.waitForURL(/\/accounts\/[0-9a-f-]{36}\?/);
});

test("support is told that wallets are not listed", { tag: "@long" }, async ({ signedInAs, say }) => {
  const page = await signedInAs("support");
  await page.goto("/movements");
  await expect(page.getByText(say("movements.accountsOnly"))).toBeVisible();
  await expectAccessible(page, "movements without wallets");
});
