import { addColleague, codeOf, signIn } from "./support/colleague";
import { dress, inspect, LOOKS, visit, wear } from "./support/looks";
import { expect, test } from "./support/story";

test.describe.configure({ mode: "parallel" });

test.describe("in pt-BR", () => {
  test.use({ language: "pt-BR" });

  test("the sign-in screen has no accessibility violation", async ({ stranger, product, language, say }) => {
    await dress(stranger, language, product.url);
    await visit(stranger, "/sign-in");
    await stranger.getByLabel(say("signIn.email")).fill("nobody@example.com");
    await stranger.getByLabel(say("signIn.password")).fill("wrong");
    await stranger.keyboard.press("Enter");
    await expect(stranger.getByText(say("signIn.wrong"))).toBeVisible();
    await inspect(stranger, "the refused sign-in");
  });
});

test.describe("in en", () => {
  test.use({ language: "en" });

  test("second-factor setup and its sign-in step have no accessibility violation", async ({
    stranger: page,
    product,
    language,
    say,
  }) => {
    test.slow();
    await dress(page, language, product.url);
    const colleague = await addColleague(product, "finance");
    await signIn(page, say, colleague);
    await page.getByRole("button", { name: say("factors.begin") }).waitFor();
    await inspect(page, "the required enrolment");
    await page.getByRole("button", { name: say("factors.begin") }).click();
    const drawing = page.getByRole("img", { name: say("factors.qrLabel") });
    await inspect(page, "the code to scan");
    // In both themes, as cameras read nothing else reliably.
    for (const one of LOOKS.slice(0, 2)) {
      await wear(page, one);
      await expect(drawing.locator("rect")).toHaveCSS("fill", "rgb(255, 255, 255)");
      await expect(drawing.locator("path")).toHaveCSS("fill", "rgb(0, 0, 0)");
    }
    const secret = ((await page.locator("[data-secret]").textContent()) ?? "").replaceAll(" ", "");
    await page.getByLabel(say("factors.firstCode")).fill("no code");
    await page.keyboard.press("Enter");
    await expect(page.getByText(say("factors.wrongCode"))).toBeVisible();
    await inspect(page, "a wrong first code");
    await page.getByLabel(say("factors.firstCode")).fill(codeOf(secret));
    await page.keyboard.press("Enter");
    const stored = page.getByRole("region", { name: say("factors.codesTitle") });
    await expect(stored.getByRole("listitem")).toHaveCount(10);
    await inspect(page, "the recovery codes");

    await page.context().clearCookies({ name: "retaguarda-session" });
    await signIn(page, say, colleague);
    await expect(page.getByLabel(say("signIn.code"))).toBeFocused();
    await inspect(page, "the second step");
    await page.getByLabel(say("signIn.code")).fill("no code");
    await page.keyboard.press("Enter");
    await expect(page.getByText(say("signIn.wrongCode"))).toBeVisible();
    await inspect(page, "a wrong code");
    await page.getByRole("button", { name: say("signIn.useRecovery") }).click();
    await inspect(page, "the recovery code");
  });
});
