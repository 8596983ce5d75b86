import { expectRow, factOf, rowWith, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";

const FAMILIES = ["EVM", "BTC", "TRON", "SOLANA", "XRPL"] as const;

test("finance sees wallets of every family with balances, finds one by a part of its address, and sees and copies all there is of it", async ({
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

  const short = `${address.slice(0, 8)}…${address.slice(-6)}`;
  await test.step("what is sought, and what is not there", async () => {
    const sought = page.getByRole("searchbox", { name: say("wallets.sought") });
    await sought.fill("nobody");
    await sought.press("Enter");
    await expect(page.getByText(say("states.emptyFilter"))).toBeVisible();
    await page.getByRole("link", { name: say("wallets.clear") }).click();
    await expect(wallets.getByRole("row").nth(2)).toBeVisible();
    await sought.fill(address.slice(4, 20).toUpperCase());
    await sought.press("Enter");
    await expect(wallets.getByRole("row")).toHaveCount(2);
    await expectRow(wallets, [short, say("wallets.master")]);
    await expect(families.getByRole("link", { name: new RegExp(`^${say("wallets.filters.all")}.*1$`) })).toBeVisible();
  });

  const listed = rowWith(wallets, [short]).getByText(language === "en" ? "1,234 ETH" : "1.234 ETH", { exact: true });
  await expect(listed).toBeVisible();
  await rowWith(wallets, [short]).getByRole("link", { name: short }).click();
  await expect(page).toHaveURL(`/wallets/${walletId}`);
  const whole = page.getByRole("region", { name: say("wallets.address") }).getByRole("code");
  expect((await whole.innerText()).replaceAll(/\s/g, "")).toBe(address);
  const balances = page.getByRole("region", { name: say("wallets.balances") });
  const [ether] = await provider.walletBalance(address, "ETHEREUM");
  expect(ether?.balance).toBe("1234.000000000000000001");
  const exact = language === "en" ? "1,234.000000000000000001 ETH" : "1.234,000000000000000001 ETH";
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

test("finance looks an OTC trade up by its id", async ({ signedInAs, provider, say }) => {
  const id = await provider.recordTrade({ side: "SELL", network: "BITCOIN", quantity: "0.125", price: 350_000 });
  const page = await signedInAs("finance");
  await page.goto("/wallets");
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
