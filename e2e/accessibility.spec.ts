import { expectAccessible } from "./support/accessible";
import { inventCpf } from "./support/invent";
import { dress, follow, inspect, LOOKS, open, visit, wear } from "./support/looks";
import { untilSeen } from "./support/sight";
import { expect, test } from "./support/story";

test.describe.configure({ mode: "parallel" });

// Half of the stories in each language, with the four pairs of theme and width in turn.
test.describe("in pt-BR", () => {
  test.use({ language: "pt-BR" });

  test("screens of compliance and their dialogs have no accessibility violation", async ({
    signedInAs,
    provider,
    say,
  }) => {
    test.slow();
    const kycUUID = await provider.openCase(inventCpf().digits);
    const onBoardingId = await provider.requestAccount(inventCpf("003").digits);
    await provider.steerOnboarding(onBoardingId, { biometricUrl: "https://biometria.example/abc" });
    const page = await signedInAs("compliance");
    await visit(page, "/");
    await follow(page, "/kyc /kyc/figures /kyc/new /onboarding/new /approvals /webhooks".split(" "));

    await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
    await follow(page, [`/kyc/${kycUUID}`]);
    await page.getByRole("button", { name: say("kyc.decide") }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    await inspect(page, "the decision");
    await dialog.getByRole("button", { name: say("kyc.submitNone") }).click();
    await expect(dialog.getByText(say("kyc.chooseFirst"))).toBeVisible();
    await inspect(page, "the decision with its fields marked");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();

    await follow(page, ["/onboarding?status=all&acts=us&returns=3", "/onboarding"]);
    await page.getByRole("button", { name: say("onboarding.follow") }).click();
    await expect(dialog).toBeVisible();
    await inspect(page, "the following");
    await dialog.getByLabel(say("onboarding.query")).fill(onBoardingId);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: say("handOver.showQr") }).click();
    await expect(dialog.getByRole("img")).toBeVisible();
    await inspect(page, "the biometric link drawn");
    await page.keyboard.press("Escape");
    await page.getByText(say("onboardingRecord.linkHistory"), { exact: true }).click();
    await inspect(page, "an onboarding with the history of its link");
  });
});

test.describe("in en", () => {
  test.use({ language: "en" });

  test("screens of finance and its menu have no accessibility violation", async ({ signedInAs, provider, say }) => {
    test.slow();
    const cpf = inventCpf();
    const account = await provider.openAccount(cpf.digits);
    await provider.credit(account, { amount: "12.34" });
    const onBoardingId = await provider.requestAccount(inventCpf("003").digits);
    const messages = [{ message: "Selfie ilegível", actionRequired: true, url: "https://ajuda.example/selfie" }];
    await provider.steerOnboarding(onBoardingId, { biometricUrl: "https://biometria.example/abc", messages });
    const { walletId, address } = await provider.createWallet("EVM");
    const page = await signedInAs("finance");
    await visit(page, "/nowhere");
    await visit(page, "/transfers");
    await follow(page, ["/transfers/new", "/security", "/webhooks"]);
    await untilSeen(page, "/api/wallets", address);
    await follow(page, [
      "/wallets",
      "/wallets/addresses",
      `/wallets/${walletId}`,
      `/wallets/${walletId}/send`,
      "/accounts",
    ]);
    for (const [query, landing] of [
      [cpf.digits, /\/accounts\/.+/],
      [onBoardingId, /\/onboarding\/.+/],
    ] as const) {
      if (query !== cpf.digits) await open(page, "/accounts");
      await page.getByLabel(say("accounts.lookUpLabel")).fill(query);
      await page.getByRole("button", { name: say("accounts.lookUp") }).click();
      await page.waitForURL(landing);
      await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
      await inspect(page, `what was looked up, at ${landing}`);
    }
    for (const one of LOOKS.slice(0, 2)) {
      await wear(page, one);
      if (one.width === 390) await page.getByRole("button", { name: say("shell.openMenu") }).click();
      await page.getByRole("button", { name: new RegExp(`^${say("shell.account")}: `) }).click();
      await expect(page.getByRole("button", { name: say("shell.signOut") })).toBeVisible();
      await expectAccessible(page, `the menu, ${one.theme}, ${one.width} px wide`);
      await page.keyboard.press("Escape");
    }
  });

  test("staff, role, settings and invitation screens have no accessibility violation", async ({
    signedInAs,
    stranger,
    product,
    language,
  }) => {
    test.slow();
    const page = await signedInAs("admin");
    await visit(page, "/settings/data");
    await follow(page, [
      "/settings/kyc",
      "/settings/calendar",
      "/settings/company",
      "/staff/roles",
      "/staff?state=disabled",
      "/staff",
    ]);
    await page.getByRole("link", { name: "Beatriz Nogueira" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Beatriz Nogueira" })).toBeVisible();
    await inspect(page, "a person");
    await dress(stranger, language, product.url);
    for (const address of ["/invite", "/password"]) await visit(stranger, address);
  });
});
