import { authorise } from "./support/approvals-page";
import { inspect } from "./support/looks";
import { askToSend } from "./support/send-page";
import { factOf, idIn, rowWith, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";

const TO = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

test("finance finds what was sent to an address, sums it and proves it by a receipt", async ({
  signedInAs,
  provider,
  say,
}) => {
  test.slow();
  const page = await signedInAs("finance");
  const { walletId, address } = await provider.createWallet("EVM");
  await provider.deposit({ network: "POLYGON", address, amount: "9" });
  await untilSeen(page, "/api/wallets?network=EVM", address);
  const send = { walletId, network: "POLYGON", asset: "POL", to: TO } as const;
  const proposal = await askToSend(page, say, { ...send, amount: "1,5" });
  await askToSend(page, say, { ...send, amount: "2" });
  const approver = await signedInAs("approver");
  await approver.goto(proposal);
  await authorise(approver, say);

  await page
    .getByRole("navigation", { name: say("shell.navigation") })
    .getByRole("link", { name: say("coins.title"), exact: true })
    .click();
  await page.getByRole("searchbox", { name: say("coins.searchLabel") }).fill(TO.toLowerCase());
  await page.keyboard.press("Enter");
  await page.waitForURL(/search=/);
  await page.goto(`/coins?wallet=${walletId}&search=${TO}`);
  const list = page.getByRole("table", { name: say("coins.title") });
  await expect(list.getByRole("row")).toHaveCount(3);
  const sums = page.getByRole("region", { name: say("coins.sums.title") });
  await expect(sums).toContainText("1,5 POL");
  await expect(sums).toContainText(say("coins.sums.open", { amount: "2 POL" }));
  await expect(rowWith(list, ["2 POL", say("coins.states.WAITING")])).toHaveCount(1);
  await inspect(page, "the list of crypto transfers");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: say("coins.export") }).click(),
  ]);
  expect(file.suggestedFilename()).toContain(say("coins.csv.file"));

  await rowWith(list, ["1,5 POL", say("coins.states.DONE")])
    .getByRole("link")
    .first()
    .click();
  await page.waitForURL(/\/coins\/[\da-f-]{36}$/);
  await expect(page.getByText(say("coins.sentence.DONE"))).toBeVisible();
  await expect(factOf(page, say("coins.facts.hash"))).toContainText(/[\da-f]{16}/i);
  await expect(factOf(page, say("coins.facts.authorised"))).not.toBeEmpty();
  await inspect(page, "a crypto transfer that was sent");
  const [receipt] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: say("coins.facts.receipt") }).click(),
  ]);
  expect(receipt.suggestedFilename()).toBe(`${say("coins.receipt.file")}-${idIn(page.url())}.pdf`);
});
