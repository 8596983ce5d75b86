import { inspect } from "./support/looks";
import { demoEmail, expect, signInByRequest, test, DEMO_PASSWORD } from "./support/story";

const HERE = { "x-forwarded-for": "203.0.113.7" };
const ELSEWHERE = { "x-forwarded-for": "198.51.100.9" };

test("people from elsewhere read their address, and the refusal is on record", async ({
  signedInAs,
  product,
  browser,
  say,
}) => {
  test.slow();
  const page = await signedInAs("admin");
  await page.context().setExtraHTTPHeaders(HERE);
  await page.goto("/settings/addresses");
  await expect(page.getByText(say("addressList.own", { address: "203.0.113.7" }))).toBeVisible();
  await inspect(page, "no list of addresses");
  const box = page.getByRole("textbox", { name: say("addressList.addresses") });

  await test.step("a list is refused at its field: unreadable, or without one's own address", async () => {
    await box.fill("203.0.113.0/24\n10.0.0.0/40");
    await page.getByRole("button", { name: say("addressList.save") }).click();
    await expect(page.getByText(say("fields.address-unread", { word: "10.0.0.0/40" }))).toBeVisible();
    await expect(box).toHaveValue("203.0.113.0/24\n10.0.0.0/40");
    await box.fill("192.0.2.0/24");
    await page.getByRole("button", { name: say("addressList.save") }).click();
    await expect(page.getByText(say("fields.own-address-missing", { word: "203.0.113.7" }))).toBeVisible();
    await inspect(page, "a list without one's own address");
    await page.getByRole("button", { name: say("addressList.addOwn") }).click();
    await page.getByRole("button", { name: say("addressList.save") }).click();
    await expect(page.getByText(say("addressList.saved", { version: 1 }))).toBeVisible();
    await inspect(page, "a list of addresses");
  });

  await test.step("a sign-in from elsewhere opens nothing and reads its address", async () => {
    const theirs = await browser.newContext({ baseURL: product.url, extraHTTPHeaders: ELSEWHERE });
    await signInByRequest(theirs, { url: product.url, email: demoEmail("support"), password: DEMO_PASSWORD });
    const other = await theirs.newPage();
    await other.goto("/accounts");
    await expect(other).toHaveURL(/\/refused$/);
    await expect(other.getByText("198.51.100.9")).toBeVisible();
    await inspect(other, "a refused address");
    expect((await theirs.request.get("/api/accounts")).status()).toBe(401);
    expect((await theirs.request.get("/api/live")).status()).toBe(401);
    expect((await theirs.request.get("/api/health/live")).status()).toBe(200);
    await page.goto("/audit?code=session.address");
    await expect(page.getByRole("row").filter({ hasText: say("audit.codes.session.address") })).toHaveCount(1);
    await theirs.close();
  });

  await test.step("an empty list lets everybody in again", async () => {
    await page.goto("/settings/addresses");
    await box.fill("");
    await page.getByRole("button", { name: say("addressList.save") }).click();
    await expect(page.getByText(say("addressList.saved", { version: 2 }))).toBeVisible();
    const theirs = await browser.newContext({ baseURL: product.url, extraHTTPHeaders: ELSEWHERE });
    await signInByRequest(theirs, { url: product.url, email: demoEmail("support"), password: DEMO_PASSWORD });
    expect((await theirs.request.get("/api/accounts")).status()).toBe(200);
    await theirs.close();
  });
});
