import { rowWith } from "./sight";
import { expect, test } from "./story";

test("support sees the subscription with its address and its events", async ({ signedInAs, provider, say }) => {
  const [subscription] = await provider.subscriptions();
  const page = await signedInAs("support");
  await page.goto("/webhooks");
  const table = page.getByRole("table", { name: say("webhooks.title") });
  const row = rowWith(table, [subscription?.url ?? "a subscription"]);
  await expect(row).toHaveCount(1);
  await expect(row).toContainText(say("webhooks.status.ACTIVE"));
  for (const event of [
    "onboarding-create",
    "onboarding-biometrics",
    "onboarding-backgroundcheck",
    "crypto-cash-in",
  ] as const) {
    expect(subscription?.events).toContain(event);
    await expect(row.getByText(say(`webhooks.events.${event}`))).toBeVisible();
  }
  await expect(page.getByText(say("webhooks.kycNote"))).toBeVisible();
});
