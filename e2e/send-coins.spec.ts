import { expectAccessible, expectNoSidewaysScroll } from "./support/accessible";
import { authorise, sitDown } from "./support/approvals-page";
import { addressOf, expectRow, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import { wordsOf } from "./support/words";

const TO = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

test(
  "finance asks in pt-BR to send coins, which leave once authorised in en",
  { tag: "@long" },
  async ({ browser, product: { url }, provider }) => {
    test.slow();
    const mine = wordsOf("pt-BR");
    const theirs = wordsOf("en");
    const maker = await sitDown({ browser, url, role: "finance", language: "pt-BR" });
    const approver = await sitDown({ browser, url, role: "approver", language: "en" });
    const { walletId, address } = await provider.createWallet("EVM");
    await provider.deposit({ network: "POLYGON", address, amount: "5" });
    await untilSeen(maker, "/api/wallets?network=EVM", address);
    await maker.goto(`/wallets/${walletId}`);
    await maker.getByRole("link", { name: mine("sendForm.button"), exact: true }).click();
    await expect(maker).toHaveURL(`/wallets/${walletId}/send`);

    const to = maker.getByLabel(mine("sendForm.to"));
    const review = maker.getByRole("button", { name: mine("sendForm.toReview") });
    await test.step("what is missing or wrong is said, and nothing typed is lost", async () => {
      await review.click();
      await expect(maker.getByText(mine("common.wrongFields", { count: 3 }))).toBeVisible();
      await expectAccessible(maker, "a form to send coins with nothing in it");
      await maker.getByRole("radio", { name: mine("wallets.networks.POLYGON") }).check();
      await to.fill(TO.replace("BeAed", "Beaed"));
      await maker.getByLabel(mine("sendForm.amount", { asset: "POL" })).fill("1,5");
      await expect(to).toHaveAccessibleDescription(new RegExp(mine("fields.chain-address")));
      await to.fill(TO);
      await maker.setViewportSize({ width: 390, height: 940 });
      await expectNoSidewaysScroll(maker, "a form to send coins");
    });

    await review.click();
    const dialog = maker.getByRole("dialog", { name: mine("sendForm.reviewTitle") });
    await expect(dialog.getByText(mine("sendForm.irreversible"))).toBeVisible();
    await expect(dialog.getByText(mine("sendForm.proposes"))).toBeVisible();
    await expect(dialog.getByText("1,5 POL", { exact: true })).toBeVisible();
    expect((await dialog.getByRole("code").last().innerText()).replaceAll(/\s/g, "")).toBe(TO);
    await expectAccessible(maker, "the review of coins to send");
    const submit = dialog.getByRole("button", { name: mine("sendForm.propose") });
    const middle = dialog.getByLabel(mine("sendForm.middleSix", { from: 19, to: 24 }));
    await submit.click();
    await expect(middle).toBeFocused();
    await expect(middle).toHaveAccessibleDescription(new RegExp(mine("fields.middle-six")));
    await middle.fill(TO.slice(18, 24));
    await submit.click();
    await expect(maker.getByRole("heading", { name: mine("sendForm.outcome.proposed") })).toBeFocused();
    await expectAccessible(maker, "coins that wait for approval");
    expect((await provider.walletBalance(address, "POLYGON"))[0]?.balance).toBe("5");

    const proposal = await addressOf(maker.getByRole("link", { name: mine("sendForm.outcome.proposal") }));
    await maker.goto(`/wallets/${walletId}`);
    expect(await addressOf(maker.getByRole("link", { name: "1,5 POL" }))).toBe(proposal);
    await approver.goto(proposal);
    const fact = (name: Parameters<typeof theirs>[0]) => approver.getByRole("row", { name: theirs(name) });
    await expect(approver.getByRole("heading", { level: 1 })).toContainText("1.5 POL");
    await expect(fact("approvals.coinFacts.to")).toContainText(TO);
    await expect(fact("approvals.facts.firstUse")).toContainText(
      theirs("approvals.coinFacts.isFirstUse", { network: theirs("wallets.networks.POLYGON"), elsewhere: "none" }),
    );
    await authorise(approver, theirs);
    await expect(approver.getByText(theirs("approvals.outcome.EXECUTED"))).toBeVisible();
    await approver.goto(`/wallets/${walletId}`);
    const denied = approver.getByRole("button", { name: theirs("sendForm.button"), exact: true });
    await expect(denied).toHaveAttribute("aria-disabled", "true");
    const history = approver.getByRole("table", { name: theirs("wallets.history.title") });
    await expectRow(history, [theirs("wallets.history.directions.out"), "1.5", TO.slice(-6)]);

    await test.step("the same once more is asked back, and its approver reads the hash of the first", async () => {
      await maker.goto(`/wallets/${walletId}/send`);
      await maker.getByRole("radio", { name: mine("wallets.networks.POLYGON") }).check();
      await to.fill(TO);
      await maker.getByLabel(mine("sendForm.amount", { asset: "POL" })).fill("1,50");
      await review.click();
      await middle.fill(TO.slice(18, 24));
      await submit.click();
      await expect(dialog.getByText(mine("sendForm.againFirst"))).toBeVisible();
      await expectAccessible(maker, "the review of coins like those that were sent");
      await dialog.getByRole("checkbox").check();
      await submit.click();
      const again = await addressOf(maker.getByRole("link", { name: mine("sendForm.outcome.proposal") }));
      await approver.goto(again);
      await expect(fact("approvals.coinFacts.repeat")).toContainText(/0x[0-9a-f]{64}/);
      await expectAccessible(approver, "a request of coins like those that were sent");
    });
  },
);
