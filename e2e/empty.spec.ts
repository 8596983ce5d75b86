import { expect, test } from "./support/story";

test.use({ ownProduct: { SERVICE_DEMO_DATA: "false" }, ownTenant: { webhook: null } });

test("a tenant without subscriptions is told how one is registered", async ({ signedInAs, provider, say }) => {
  expect(await provider.subscriptions()).toEqual([]);
  const page = await signedInAs("admin");
  await page.goto("/webhooks");
  await expect(page.getByRole("heading", { name: say("webhooks.emptyTitle") })).toBeVisible();
  await expect(page.getByText(say("webhooks.emptyBody"))).toBeVisible();
});

test("empty queues and lists say so, and an empty filter offers the way back", async ({ signedInAs, say }) => {
  const page = await signedInAs("admin");
  for (const [address, title] of [
    ["/kyc", say("kyc.emptyTitle")],
    ["/onboarding", say("onboarding.emptyTitle")],
    ["/transfers", say("transfers.emptyTitle")],
    ["/wallets", say("wallets.emptyTitle")],
    ["/accounts", say("accounts.emptyTitle")],
  ] as const) {
    await page.goto(address);
    await expect(page.getByRole("heading", { name: title })).toBeVisible();
    await expect(page.getByRole("table")).toHaveCount(0);
  }
  for (const screen of ["/kyc?status=APPROVED", "/onboarding?status=ERROR"]) {
    await page.goto(screen);
    await expect(page.getByRole("heading", { name: say("states.emptyFilter") })).toBeVisible();
    await page.getByRole("link", { name: say("states.clearFilter") }).click();
    await expect(page).toHaveURL(/status=all$/);
  }
});
