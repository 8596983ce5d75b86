import { expectRow, factOf, rowWith, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";

const FAMILIES = ["EVM", "BTC", "TRON", "SOLANA", "XRPL"] as const;

test("finance finds a wallet by part of its address and copies all of it", async ({
  signedInAs,
  provider,
  language,
  say,
  product,
}) => {
  const { walletId, address } = await provider.createWallet("EVM");
  await provider.deposit({ network: "ETHEREUM", address, amount: "1234.000000000000000001" });
  await provider.deposit({ network: "POLYGON", address, amount: "0.5" });
  const page = await signedInAs("finance");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: product.url });
  await untilSeen(page, "/api/wallets?network=EVM", address);
  await page.goto("/wallets");
  const families = page.getByRole("navigation", { name: say("wallets.filterNetwork") });
  const wallets = page.getByRole("table", { name: say("wallets.title") });

  await test.step("each family", async () => {
    for (const family of FAMILIES) {
      await families.getByRole("link", { name: new RegExp(`^${say(`wallets.filters.${family}`)}`) }).click();
      await expect(page).toHaveURL(`/wallets?network=${family}`);
      const rows = wallets.getByRole("row").filter({ hasText: say(`wallets.filters.${family}`) });
      await expect(rows.first()).toBeVisible();
      await expect(wallets.getByRole("row")).toHaveCount((await rows.count()) + 1);
      await expect(rows.filter({ hasText: /\d (ETH|POL|BNB|BTC|TRX|SOL|XRP|USD[CT])/ }).first()).toBeVisible();
    }
    await families.getByRole("link", { name: new RegExp(`^${say("wallets.filters.all")}`) }).click();
    await expect(page).toHaveURL("/wallets");
  });

  const short = `${address.slice(0, 10)}…${address.slice(-8)}`;
  await test.step("a search that finds, and one that does not", async () => {
    const search = page.getByRole("searchbox", { name: say("wallets.searchLabel") });
    await search.fill("nobody");
    await search.press("Enter");
    await expect(page.getByText(say("states.emptyFilter"))).toBeVisible();
    await page.getByRole("link", { name: say("wallets.clear") }).click();
    await expect(wallets.getByRole("row").nth(2)).toBeVisible();
    await search.fill(address.slice(4, 20).toUpperCase());
    await search.press("Enter");
    await expect(wallets.getByRole("row")).toHaveCount(2);
    await expectRow(wallets, [short, say("wallets.uses.untold")]);
    await expect(families.getByRole("link", { name: new RegExp(`^${say("wallets.filters.all")}.*1$`) })).toBeVisible();
  });

  const exact = language === "en" ? "1,234.000000000000000001 ETH" : "1.234,000000000000000001 ETH";
  const listed = rowWith(wallets, [short]).getByTitle(exact, { exact: true });
  await expect(listed).toBeVisible();
  await rowWith(wallets, [short]).getByRole("link").first().click();
  await expect(page).toHaveURL(`/wallets/${walletId}`);
  const whole = page.getByRole("region", { name: say("wallets.address") }).getByRole("code");
  expect(await whole.innerText()).toBe(address);
  const balances = page.getByRole("region", { name: say("wallets.balances") });
  const [ether] = await provider.walletBalance(address, "ETHEREUM");
  expect(ether?.balance).toBe("1234.000000000000000001");
  await expect(balances.getByRole("listitem").filter({ hasText: exact })).toBeVisible();
  await expect(balances.getByText(language === "en" ? "0.5 POL" : "0,5 POL")).toBeVisible();
  for (const network of ["ETHEREUM", "POLYGON", "BSC"] as const) {
    await expect(balances.getByRole("heading", { name: say(`wallets.networks.${network}`) })).toBeVisible();
  }
  await expect(factOf(page, say("wallets.columns.status"))).toHaveText(say("wallets.status.ACTIVE"));
  await page.getByRole("button", { name: say("wallets.copyAddress") }).click();
  await expect(page.getByRole("button", { name: say("common.copied") })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
});

test("finance looks an OTC trade up by its id @long", async ({ signedInAs, provider, say }) => {
  const id = await provider.recordTrade({ side: "SELL", network: "BITCOIN", quantity: "0.125", price: 350_000 });
  const page = await signedInAs("finance");
  await page.goto("/wallets");
  await page.getByRole("button", { name: say("common.more") }).click();
  await page.getByRole("button", { name: say("otc.button") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(say("otc.id")).fill("nobody");
  await dialog.getByRole("button", { name: say("otc.submit") }).click();
  await expect(dialog.getByText(say("failures.otc-trade-unknown"))).toBeVisible();
  await dialog.getByLabel(say("otc.id")).fill(id);
  await dialog.getByRole("button", { name: say("otc.submit") }).click();
  await expect(factOf(page, say("otc.fields.side"))).toHaveText(say("otc.words.side.SELL"));
  await expect(factOf(page, say("otc.fields.total"))).toContainText("43");
});

test("finance gives a customer a deposit address, and finds it by its reference", async ({ signedInAs, say }) => {
  const page = await signedInAs("finance");
  await page.goto("/wallets");
  const more = page.getByRole("button", { name: say("common.more") });
  await more.click();
  await page.getByRole("button", { name: say("walletForm.button.address") }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: say("walletForm.button.address") }).click();
  await dialog.getByRole("button", { name: say("walletForm.addressSubmit") }).click();
  await expect(dialog.getByText(say("walletForm.familyFirst"))).toBeVisible();
  await dialog.getByRole("radio", { name: say("wallets.filters.EVM") }).check();
  await dialog.getByLabel(say("walletForm.reference")).fill("pedido-8731");
  await dialog.getByLabel(say("walletForm.customer")).fill("ana");
  await dialog.getByRole("button", { name: say("walletForm.addressSubmit") }).click();
  await expect(dialog.getByText(say("walletForm.only.EVM"))).toBeVisible();
  const address = (await dialog.getByRole("code").innerText()).replaceAll(/\s/g, "");
  await expect(dialog.getByRole("img", { name: say("walletForm.qrLabel", { address }) })).toBeVisible();
  await dialog
    .getByRole("button", { name: say("common.close") })
    .last()
    .click();
  await more.click();
  await page.getByRole("link", { name: say("walletForm.addressesLink") }).click();
  const addresses = page.getByRole("table", { name: say("walletForm.addresses") });
  const search = page.getByRole("searchbox", { name: say("walletForm.searchLabel") });
  await search.fill("pedido-8731");
  await search.press("Enter");
  await expectRow(addresses, ["pedido-8731", "ana"]);
  await rowWith(addresses, ["pedido-8731"])
    .getByRole("button", { name: say("walletForm.showQr") })
    .click();
  await expect(page.getByRole("dialog").getByRole("img")).toBeVisible();
});

test(
  "a wallet with a lost answer is created once, and finance links the candidate",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    await provider.fail({ method: "POST", path: "/v1/crypto/wallets", times: 1, drop: true });
    const page = await signedInAs("finance");
    await page.goto("/wallets");
    await page.getByRole("button", { name: say("walletForm.button.wallet") }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: say("wallets.filters.TRON") }).check();
    const submit = dialog.getByRole("button", { name: say("walletForm.walletSubmit") });
    await submit.click();
    await expect(dialog.getByText(say("failures.wallet-unconfirmed"))).toBeVisible();
    await expect(submit).toHaveAttribute("aria-disabled", "true");
    await dialog.getByRole("button", { name: say("common.cancel") }).click();
    await page.goto("/wallets/addresses");
    const { address } = await provider.createWallet("TRON");
    const open = page.getByRole("region", { name: say("walletForm.unsettledTitle") });
    const candidate = open
      .getByRole("listitem")
      .filter({ hasText: address.slice(-6) })
      .last();
    await candidate.getByRole("button", { name: say("walletForm.thisOne") }).click();
    await expect(open).toBeHidden();
  },
);

test(
  "finance labels a wallet, reads its chain history and finds it by label or hash",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    const { walletId, address } = await provider.createWallet("BTC");
    await provider.deposit({ network: "BITCOIN", address, amount: "0.25" });
    const page = await signedInAs("finance");
    await untilSeen(page, "/api/wallets?network=BTC", address);
    await page.goto(`/wallets/${walletId}`);

    await test.step("the history", async () => {
      const history = page.getByRole("table", { name: say("wallets.history.title") });
      await expectRow(history, [say("wallets.history.directions.in"), say("wallets.networks.BITCOIN"), "25 BTC"]);
      await expect(history.getByRole("link", { name: /mempool\.space/ })).toHaveCount(0);
      const search = page.getByRole("searchbox", { name: say("wallets.history.searchLabel") });
      await search.fill("nobody");
      await search.press("Enter");
      await expect(page.getByText(say("wallets.history.noMatch"))).toBeVisible();
      await page.getByRole("link", { name: say("wallets.history.clear") }).click();
      await expect(history).toBeVisible();
      const file = page.waitForEvent("download");
      await page.getByRole("link", { name: say("wallets.history.export") }).click();
      expect((await file).suggestedFilename()).toContain(say("wallets.history.csv.file"));
    });

    await test.step("the label", async () => {
      await page.getByRole("button", { name: say("wallets.labels.change") }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(say("wallets.labels.label")).fill("Tesouraria");
      await dialog.getByRole("radio", { name: say("wallets.uses.own") }).check();
      await dialog.getByRole("button", { name: say("wallets.labels.save") }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Tesouraria");
      await expect(factOf(page, say("wallets.labels.label"))).toHaveText("Tesouraria");
      await expect(factOf(page, say("wallets.columns.use"))).toHaveText(say("wallets.uses.own"));
    });

    await test.step("the list", async () => {
      await page.goto("/wallets?search=tesouraria");
      const wallets = page.getByRole("table", { name: say("wallets.title") });
      await expectRow(wallets, ["Tesouraria", say("wallets.uses.own")]);
      await expect(page.getByRole("region", { name: say("wallets.sums.title") })).toContainText("BTC");
    });

    await test.step("labels of a file", async () => {
      await page.getByRole("button", { name: say("common.more") }).click();
      await page.getByRole("button", { name: say("wallets.labels.import") }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(say("wallets.labels.file")).setInputFiles({
        name: "labels.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(`${address};own;Caixa\nnobody;own;x`),
      });
      await dialog.getByRole("button", { name: say("wallets.labels.importSubmit") }).click();
      await expectRow(dialog.getByRole("table"), [say("wallets.labels.outcomes.saved")]);
      await expectRow(dialog.getByRole("table"), [say("wallets.labels.outcomes.unknown-wallet")]);
    });

    await test.step("deposit addresses of a file", async () => {
      await page.goto("/wallets/addresses");
      await page.getByRole("button", { name: say("walletForm.import.button") }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(say("wallets.labels.file")).setInputFiles({
        name: "addresses.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(`${address};pedido-9001;ana`),
      });
      await dialog.getByRole("button", { name: say("walletForm.import.submit"), exact: true }).click();
      await expectRow(dialog.getByRole("table"), [say("walletForm.import.outcomes.saved")]);
      await page.goto("/wallets/addresses?search=pedido-9001");
      await expectRow(page.getByRole("table", { name: say("walletForm.addresses") }), ["pedido-9001", "ana"]);
    });
  },
);
