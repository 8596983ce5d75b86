import { authorise } from "./support/approvals-page";
import { inspect } from "./support/looks";
import { askToSend } from "./support/send-page";
import { addressOf, factOf, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";

test.use({ ownProduct: {} });

const TO = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const HASH = `0x${"c4".repeat(32)}`;

test(
  "finance ends a send whose answer was lost with its hash, and another agrees",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    test.slow();
    const page = await signedInAs("finance");
    const { walletId, address } = await provider.createWallet("EVM");
    await provider.deposit({ network: "POLYGON", address, amount: "9" });
    await untilSeen(page, "/api/wallets?network=EVM", address);
    const send = { walletId, network: "POLYGON", asset: "POL", to: TO, amount: "1.5" } as const;
    const proposal = await askToSend(page, say, send);
    await provider.fail({ method: "POST", path: "/v1/crypto/transfer", times: 1, drop: true });
    const approver = await signedInAs("approver");
    await approver.goto(proposal);
    await authorise(approver, say);

    await page.goto("/coins?state=UNKNOWN");
    const list = page.getByRole("table", { name: say("coins.title") });
    await list.getByRole("link").first().click();
    await expect(page.getByText(say("coins.sentence.UNKNOWN"))).toBeVisible();
    await inspect(page, "a crypto transfer whose answer was lost");
    await page.getByRole("button", { name: say("outcomes.end") }).click();
    const dialog = page.getByRole("dialog", { name: say("outcomes.endTitle") });
    await dialog.getByRole("radio", { name: say("outcomes.outcomes.HAPPENED"), exact: true }).check();
    await dialog.getByLabel(say("outcomes.hash")).fill("not a hash");
    await dialog.getByRole("radio", { name: say("outcomes.sources.provider-panel") }).check();
    await dialog.getByLabel(say("outcomes.reference")).fill("ticket A-17");
    await dialog.getByLabel(say("outcomes.reason")).fill("The panel shows the transaction.");
    await dialog.getByRole("button", { name: say("outcomes.propose") }).click();
    await expect(dialog.getByLabel(say("outcomes.hash"))).toHaveAccessibleDescription(new RegExp(say("fields.hash")));
    await dialog.getByLabel(say("outcomes.hash")).fill(HASH);
    await dialog.getByRole("button", { name: say("outcomes.propose") }).click();
    const conclusion = await addressOf(page.getByRole("link", { name: say("coins.seeConclusion") }));
    await approver.goto(conclusion);
    await expect(approver.getByText(HASH)).toBeVisible();
    await authorise(approver, say);
    await page.reload();
    await expect(page.getByText(say("coins.sentence.DONE_SAID"))).toBeVisible();
    await expect(factOf(page, say("coins.facts.hash"))).toContainText(HASH);
  },
);
