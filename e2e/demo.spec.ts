import { expect, test } from "./support/story";

test.use({ ownProduct: { DEMO_ACTIVITY: "true" } });

test("in a new demo no desk is empty: transfers of each outcome, decisions, and what waits for a second person", async ({
  signedInAs,
  say,
}) => {
  const approver = await signedInAs("approver");
  await expect(async () => {
    await approver.goto("/approvals");
    await expect(approver.getByRole("main").locator("tbody tr")).toHaveCount(2, { timeout: 2_000 });
  }).toPass();
  await approver.goto("/transfers");
  const rows = approver.getByRole("main").locator("tbody tr");
  for (const state of ["CONFIRMED", "HELD", "WAITING", "REFUSED"] as const)
    await expect(rows.filter({ hasText: say(`transfers.states.${state}`) }).first()).toBeVisible();
  await approver.goto("/kyc/figures");
  await expect(approver.getByRole("row", { name: /Rafael Tavares/ })).toBeVisible();
});
