import type { Page } from "@playwright/test";
import { noteShown } from "./support/canary";
import { expectAccessible } from "./support/accessible";
import { inventCpf } from "./support/invent";
import { dress, inspect, LOOKS, open, visit, wear } from "./support/looks";
import { untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import type { Language, Words } from "./support/words";

test.describe.configure({ mode: "parallel" });

async function openMenu(page: Page, say: Words, isNarrow: boolean) {
  if (isNarrow) await page.getByRole("button", { name: say("shell.openMenu") }).click();
  await page.getByRole("button", { name: new RegExp(`^${say("shell.account")}: `) }).click();
  await expect(page.getByRole("button", { name: say("shell.signOut") })).toBeVisible();
}

const COMPLIANCE_SCREENS = "/ /kyc /kyc/figures /kyc/new /onboarding /onboarding/new /approvals /webhooks".split(" ");

/** The first look of the language. */
const firstLook = (language: Language) => ({ language, width: LOOKS[language][0].width });

// By turns, so that every screen is seen in both themes and widths, and each language in half of them.
test.describe("in pt-BR", () => {
  test.use({ language: "pt-BR" });

  test("screens of compliance and their dialogs have no accessibility violation", async ({
    signedInAs,
    provider,
    language,
    say,
  }) => {
    test.slow();
    const kycUUID = await provider.openCase(inventCpf().digits);
    const page = await signedInAs("compliance", firstLook(language));
    await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
    for (const at of COMPLIANCE_SCREENS) await visit(page, language, at);

    await visit(page, language, `/kyc/${kycUUID}`);
    await page.getByRole("button", { name: say("kyc.decide") }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    await inspect(page, language, "the decision");
    await dialog.getByRole("button", { name: say("kyc.submitNone") }).click();
    await expect(dialog.getByText(say("kyc.chooseFirst"))).toBeVisible();
    await inspect(page, language, "the decision with its fields marked");

    await open(page, "/onboarding");
    await page.getByRole("button", { name: say("onboarding.follow") }).click();
    await expect(dialog).toBeVisible();
    await inspect(page, language, "the following");
    const onBoardingId = await provider.requestAccount(inventCpf("003").digits);
    await provider.steerOnboarding(onBoardingId, { biometricUrl: "https://biometria.example/abc" });
    await dialog.getByLabel(say("onboarding.query")).fill(onBoardingId);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: say("onboardingRecord.showQr") }).click();
    await expect(dialog.getByRole("img")).toBeVisible();
    await inspect(page, language, "the biometric link drawn");
    await page.keyboard.press("Escape");
    await page.getByText(say("onboardingRecord.linkHistory"), { exact: true }).click();
    await visit(page, language, new URL(page.url()).pathname);
    await visit(page, language, "/onboarding?status=all&acts=us&returns=3");
  });

  test("the audit trail and a row of it have no accessibility violation", async ({ signedInAs, language, say }) => {
    const page = await signedInAs("auditor", firstLook(language));
    await visit(page, language, "/audit");
    await page
      .getByRole("table", { name: say("audit.title") })
      .getByRole("button")
      .first()
      .click();
    await expect(page.getByText(say("audit.hash"), { exact: true })).toBeVisible();
    await inspect(page, language, "a row of the record");
    await visit(page, language, "/audit?sought=nothing-like-it");
  });

  test("revealing a document and the settings of data have no accessibility violation", async ({
    signedInAs,
    provider,
    language,
    say,
  }) => {
    test.slow();
    const cpf = inventCpf();
    await provider.openAccount(cpf.digits);
    const page = await signedInAs("support", firstLook(language));
    await open(page, "/accounts");
    await page.getByLabel(say("accounts.lookUpLabel")).fill(cpf.digits);
    await page.getByRole("button", { name: say("accounts.lookUp") }).click();
    await page.getByRole("button", { name: say("privacy.revealNamed", { document: cpf.masked }) }).click();
    await inspect(page, language, "the question why");
    await page.getByLabel(say("privacy.reasons.service")).check();
    await page.getByLabel(say("privacy.note")).fill("Protocolo 8731, titular ao telefone");
    noteShown("document", cpf.typed);
    await page.getByRole("button", { name: say("privacy.submit") }).click();
    await expect(page.getByText(cpf.typed)).toBeVisible();
    await inspect(page, language, "a revealed document");
    const admin = await signedInAs("admin", firstLook(language));
    await visit(admin, language, "/settings/data");
    await visit(admin, language, "/settings/kyc");
    await visit(admin, language, new URL(page.url()).pathname);
  });
});

test.describe("in en", () => {
  test.use({ language: "en" });

  test("screens of finance and its menu have no accessibility violation", async ({
    signedInAs,
    provider,
    language,
    say,
  }) => {
    test.slow();
    const cpf = inventCpf();
    const account = await provider.openAccount(cpf.digits);
    await provider.credit(account, { amount: "12.34" });
    const onBoardingId = await provider.requestAccount(inventCpf("003").digits);
    const messages = [{ message: "Selfie ilegível", actionRequired: true, url: "https://ajuda.example/selfie" }];
    await provider.steerOnboarding(onBoardingId, { biometricUrl: "https://biometria.example/abc", messages });
    const { walletId, address } = await provider.createWallet("EVM");
    const page = await signedInAs("finance", firstLook(language));
    await untilSeen(page, "/api/wallets", address);
    for (const screen of [
      "/accounts",
      "/transfers",
      "/transfers/new",
      "/wallets",
      `/wallets/${walletId}`,
      "/webhooks",
      "/security",
      "/nowhere",
    ]) {
      await visit(page, language, screen);
    }
    await open(page, "/accounts");
    for (const [query, landing] of [
      [cpf.digits, /\/accounts\/.+/],
      [onBoardingId, /\/onboarding\/.+/],
    ] as const) {
      await open(page, "/accounts");
      await page.getByLabel(say("accounts.lookUpLabel")).fill(query);
      await page.getByRole("button", { name: say("accounts.lookUp") }).click();
      await page.waitForURL(landing);
      await visit(page, language, page.url());
    }
    for (const one of LOOKS[language]) {
      await wear(page, one);
      await openMenu(page, say, one.width === 390);
      await expectAccessible(page, `the menu, ${one.theme}, ${one.width} px wide`);
      await page.reload();
    }
  });

  test("the call log and a case's own calls have no accessibility violation", async ({
    signedInAs,
    provider,
    language,
    say,
  }) => {
    test.slow();
    const kycUUID = await provider.openCase(inventCpf().digits);
    const page = await signedInAs("auditor", firstLook(language));
    await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
    await untilSeen(page, "/api/calls", "/v1/kyc/list");
    await visit(page, language, "/calls");
    await page
      .getByRole("table", { name: say("calls.title") })
      .getByRole("button")
      .first()
      .click();
    await expect(page.getByText(say("calls.reference"), { exact: true })).toBeVisible();
    await inspect(page, language, "a call");
    await visit(page, language, "/calls?sought=nothing-like-it");
    await open(page, `/kyc/${kycUUID}`);
    await page.getByRole("button", { name: say("calls.about") }).click();
    await expect(page.getByText(say("calls.none"))).toBeVisible();
    await inspect(page, language, "a case's calls");
  });

  test("the staff, a person, the roles and an invitation have no accessibility violation", async ({
    signedInAs,
    stranger,
    product,
    language,
  }) => {
    test.slow();
    const page = await signedInAs("admin", firstLook(language));
    for (const address of ["/staff", "/staff?state=disabled", "/staff/roles"]) await visit(page, language, address);
    await open(page, "/staff");
    await page.getByRole("link", { name: "Beatriz Nogueira" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Beatriz Nogueira" })).toBeVisible();
    await visit(page, language, page.url());
    await dress(stranger, language, product.url);
    for (const address of ["/invite", "/password"]) await visit(stranger, language, address);
  });
});
