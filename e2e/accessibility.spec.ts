import type { Page } from "@playwright/test";
import { noteShown } from "./canary";
import { expectAccessible, expectNoSidewaysScroll } from "./accessible";
import { addColleague, codeOf, signIn } from "./colleague";
import { inventCpf } from "./invent";
import { untilSeen } from "./sight";
import { expect, test } from "./story";
import { type Words, wordsOf } from "./words";

test.describe.configure({ mode: "parallel" });

async function open(page: Page, address: string) {
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
}

async function visit(page: Page, address: string) {
  await open(page, address);
  await expectAccessible(page, address);
  await expectNoSidewaysScroll(page, address);
}

async function openMenu(page: Page, say: Words, isNarrow: boolean) {
  if (isNarrow) await page.getByRole("button", { name: say("shell.openMenu") }).click();
  await page.getByRole("button", { name: new RegExp(`^${say("shell.account")}: `) }).click();
  await expect(page.getByRole("button", { name: say("shell.signOut") })).toBeVisible();
}

const COMPLIANCE_SCREENS = "/ /kyc /kyc/figures /kyc/new /onboarding /onboarding/new /approvals /webhooks".split(" ");

/** Each pair of language, theme and width once. */
const LOOKS = [
  { language: "pt-BR", theme: "light", width: 1350 },
  { language: "pt-BR", theme: "dark", width: 390 },
  { language: "en", theme: "dark", width: 1350 },
  { language: "en", theme: "light", width: 390 },
] as const;

/** Gives somebody who is not signed in a language, a theme and a width. */
async function dress(page: Page, url: string, { language, theme, width }: (typeof LOOKS)[number]) {
  await page.context().addCookies([
    { name: "locale", value: language, url },
    { name: "theme", value: theme, url },
  ]);
  await page.setViewportSize({ width, height: 940 });
}

for (const look of LOOKS) {
  const { language, theme, width } = look;
  const say = wordsOf(language);
  test.describe(`in ${language}, ${theme}, ${width} px wide`, () => {
    test("screens of compliance and their dialogs have no accessibility violation", async ({
      signedInAs,
      provider,
    }) => {
      test.slow();
      const kycUUID = await provider.openCase(inventCpf().digits);
      const page = await signedInAs("compliance", look);
      await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
      for (const at of COMPLIANCE_SCREENS) await visit(page, at);

      await visit(page, `/kyc/${kycUUID}`);
      await page.getByRole("button", { name: say("kyc.decide") }).click();
      const dialog = page.getByRole("dialog");
      await expect(dialog).toBeVisible();
      await expectAccessible(page, "the decision");
      await dialog.getByRole("button", { name: say("kyc.submitNone") }).click();
      await expect(dialog.getByText(say("kyc.chooseFirst"))).toBeVisible();
      await expectAccessible(page, "the decision with its fields marked");

      await open(page, "/onboarding");
      await page.getByRole("button", { name: say("onboarding.follow") }).click();
      await expect(dialog).toBeVisible();
      await expectAccessible(page, "the following");
      const onBoardingId = await provider.requestAccount(inventCpf("003").digits);
      await provider.steerOnboarding(onBoardingId, { biometricUrl: "https://biometria.example/abc" });
      await dialog.getByLabel(say("onboarding.query")).fill(onBoardingId);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: say("onboardingRecord.showQr") }).click();
      await expect(dialog.getByRole("img")).toBeVisible();
      await expectAccessible(page, "the biometric link drawn");
      await page.keyboard.press("Escape");
      await page.getByText(say("onboardingRecord.linkHistory"), { exact: true }).click();
      await visit(page, new URL(page.url()).pathname);
      await visit(page, "/onboarding?status=all&acts=us&returns=3");
    });

    test("screens of finance and its menu have no accessibility violation", async ({ signedInAs, provider }) => {
      test.slow();
      const cpf = inventCpf();
      const account = await provider.openAccount(cpf.digits);
      await provider.credit(account, { amount: "12.34" });
      const onBoardingId = await provider.requestAccount(inventCpf("003").digits);
      const messages = [{ message: "Selfie ilegível", actionRequired: true, url: "https://ajuda.example/selfie" }];
      await provider.steerOnboarding(onBoardingId, { biometricUrl: "https://biometria.example/abc", messages });
      const { walletId, address } = await provider.createWallet("EVM");
      const page = await signedInAs("finance", look);
      await untilSeen(page, "/api/wallets", address);
      for (const screen of ["/accounts", "/wallets", `/wallets/${walletId}`, "/webhooks", "/security", "/nowhere"]) {
        await visit(page, screen);
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
        await visit(page, page.url());
      }
      await openMenu(page, say, width === 390);
      await expectAccessible(page, "the menu");
    });

    test("the audit trail and a row of it have no accessibility violation", async ({ signedInAs }) => {
      const page = await signedInAs("auditor", look);
      await visit(page, "/audit");
      await page
        .getByRole("table", { name: say("audit.title") })
        .getByRole("button")
        .first()
        .click();
      await expect(page.getByText(say("audit.hash"), { exact: true })).toBeVisible();
      await expectAccessible(page, "a row of the record");
      await visit(page, "/audit?sought=nothing-like-it");
    });

    test("the call log and a case's own calls have no accessibility violation", async ({ signedInAs, provider }) => {
      test.slow();
      const kycUUID = await provider.openCase(inventCpf().digits);
      const page = await signedInAs("auditor", look);
      await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
      await untilSeen(page, "/api/calls", "/v1/kyc/list");
      await visit(page, "/calls");
      await page
        .getByRole("table", { name: say("calls.title") })
        .getByRole("button")
        .first()
        .click();
      await expect(page.getByText(say("calls.reference"), { exact: true })).toBeVisible();
      await expectAccessible(page, "a call");
      await expectNoSidewaysScroll(page, "a call");
      await visit(page, "/calls?sought=nothing-like-it");
      await open(page, `/kyc/${kycUUID}`);
      await page.getByRole("button", { name: say("calls.about") }).click();
      await expect(page.getByText(say("calls.none"))).toBeVisible();
      await expectAccessible(page, "a case's calls");
    });

    test("revealing a document and the settings of data have no accessibility violation", async ({
      signedInAs,
      provider,
    }) => {
      test.slow();
      const cpf = inventCpf();
      await provider.openAccount(cpf.digits);
      const page = await signedInAs("support", look);
      await open(page, "/accounts");
      await page.getByLabel(say("accounts.lookUpLabel")).fill(cpf.digits);
      await page.getByRole("button", { name: say("accounts.lookUp") }).click();
      await page.getByRole("button", { name: say("privacy.reveal") }).click();
      await expectAccessible(page, "the question why");
      await page.getByLabel(say("privacy.reasons.service")).check();
      await page.getByLabel(say("privacy.note")).fill("Protocolo 8731, titular ao telefone");
      noteShown("document", cpf.typed);
      await page.getByRole("button", { name: say("privacy.submit") }).click();
      await expect(page.getByText(cpf.typed)).toBeVisible();
      await expectAccessible(page, "a revealed document");
      await expectNoSidewaysScroll(page, "a revealed document");
      const admin = await signedInAs("admin", look);
      await visit(admin, "/settings/data");
      await visit(admin, "/settings/kyc");
      await visit(admin, new URL(page.url()).pathname);
    });

    test("the staff, a person, the roles and an invitation have no accessibility violation", async ({
      signedInAs,
      stranger,
      product,
    }) => {
      test.slow();
      const page = await signedInAs("admin", look);
      for (const address of ["/staff", "/staff?state=disabled", "/staff/roles"]) await visit(page, address);
      await open(page, "/staff");
      await page.getByRole("link", { name: "Beatriz Nogueira" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Beatriz Nogueira" })).toBeVisible();
      await visit(page, page.url());
      await dress(stranger, product.url, look);
      await visit(stranger, "/invite");
    });

    test("the sign-in screen has no accessibility violation", async ({ stranger, product }) => {
      await dress(stranger, product.url, look);
      await visit(stranger, "/sign-in");
      await stranger.getByLabel(say("signIn.email")).fill("nobody@example.com");
      await stranger.getByLabel(say("signIn.password")).fill("wrong");
      await stranger.keyboard.press("Enter");
      await expect(stranger.getByText(say("signIn.wrong"))).toBeVisible();
      await expectAccessible(stranger, "the refused sign-in");
    });

    test("setting a second factor up has no accessibility violation, nor has the step that asks for it", async ({
      stranger: page,
      product,
    }) => {
      test.slow();
      await dress(page, product.url, look);
      const inspect = async (what: string) => {
        await expectAccessible(page, what);
        await expectNoSidewaysScroll(page, what);
      };
      const colleague = await addColleague(product, "finance");
      await signIn(page, say, colleague);
      await page.getByRole("button", { name: say("factors.begin") }).waitFor();
      await inspect("the required enrolment");
      await page.getByRole("button", { name: say("factors.begin") }).click();
      const drawing = page.getByRole("img", { name: say("factors.qrLabel") });
      // In both themes: cameras read nothing else reliably.
      await expect(drawing.locator("rect")).toHaveCSS("fill", "rgb(255, 255, 255)");
      await expect(drawing.locator("path")).toHaveCSS("fill", "rgb(0, 0, 0)");
      await inspect("the code to scan");
      const secret = ((await page.locator("[data-secret]").textContent()) ?? "").replaceAll(" ", "");
      await page.getByLabel(say("factors.firstCode")).fill("no code");
      await page.keyboard.press("Enter");
      await expect(page.getByText(say("factors.wrongCode"))).toBeVisible();
      await inspect("a wrong first code");
      await page.getByLabel(say("factors.firstCode")).fill(codeOf(secret));
      await page.keyboard.press("Enter");
      const kept = page.getByRole("region", { name: say("factors.codesTitle") });
      await expect(kept.getByRole("listitem")).toHaveCount(10);
      await inspect("the recovery codes");

      await page.context().clearCookies({ name: "retaguarda-session" });
      await signIn(page, say, colleague);
      await expect(page.getByLabel(say("signIn.code"))).toBeFocused();
      await inspect("the second step");
      await page.getByLabel(say("signIn.code")).fill("no code");
      await page.keyboard.press("Enter");
      await expect(page.getByText(say("signIn.wrongCode"))).toBeVisible();
      await inspect("a wrong code");
      await page.getByRole("button", { name: say("signIn.useRecovery") }).click();
      await inspect("the recovery code");
    });
  });
}
