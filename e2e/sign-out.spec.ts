import { expect, openSession, test } from "./support/story";

test("a failed sign-out shows an error; after a successful one no tab shows anything", async ({
  browser,
  product: { url },
  language,
  say,
}) => {
  // A session of its own, so that ending it affects no other story.
  const storageState = await openSession(browser, { url, role: "finance", language });
  const window = await browser.newContext({ storageState, baseURL: url });
  const page = await window.newPage();
  const other = await window.newPage();
  await other.goto("/wallets");
  await page.goto("/accounts");
  const leave = page.getByRole("button", { name: say("shell.signOut") });
  await page.getByRole("button", { name: new RegExp(`^${say("shell.account")}: `) }).click();
  await expect(leave).toBeVisible();
  await window.setOffline(true);
  await leave.click();
  await expect(page.getByRole("alert").getByText(say("shell.signOutFailed"))).toBeVisible();
  await window.setOffline(false);
  await leave.click();
  await expect(page).toHaveURL("/sign-in");
  await expect(other).toHaveURL("/sign-in");
  await page.goBack();
  await expect(page).toHaveURL("/sign-in?next=%2Faccounts");
  expect(await page.evaluate("localStorage.length + sessionStorage.length")).toBe(0);
  await window.close();
});
