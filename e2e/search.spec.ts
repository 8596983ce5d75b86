import type { Route } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { inventCpf } from "./support/invent";
import { lookUp } from "./support/look-up";
import { openSearch } from "./support/open-search";
import { addressesOf } from "./support/sight";
import { expect, test } from "./support/story";

test("one search finds a customer or a PIX key's holder, and no URL holds the query", async ({
  signedInAs,
  provider,
  say,
}) => {
  const cpf = inventCpf();
  const { accountId } = await provider.openAccount(cpf.digits);
  const page = await signedInAs("support");
  const addresses = addressesOf(page);
  await page.goto("/transfers");
  const dialog = await openSearch(page, say);
  const box = dialog.getByRole("combobox", { name: say("search.label") });
  await expect(box).toBeFocused();
  await expect(dialog.getByRole("option", { name: say("transferForm.title") })).toBeVisible();
  await expectAccessible(page, "the search with nothing typed");

  await box.fill(say("transferForm.title"));
  await expect(dialog.getByRole("group", { name: say("help.title") })).toBeVisible();
  await expect(dialog.getByRole("option").first()).toHaveText(say("transferForm.title"));
  await expect(dialog.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  await box.fill("Maria da Silva");
  await expect(dialog.getByText(say("search.noShape"))).toBeVisible();
  await box.fill(inventCpf().typed);
  await expect(dialog.getByText(say("search.none.cpf"))).toBeVisible();
  await expect(dialog.getByRole("option", { name: say("search.askProvider") })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await box.press("Enter");
  await expect(dialog.getByText(say("failures.customer-unknown"))).toBeVisible();
  await box.fill(cpf.typed);
  const provided = dialog.getByRole("option", { name: say("search.askProvider") });
  await expect(dialog.getByRole("option", { name: cpf.masked }).first()).toBeVisible();
  await provided.click();
  await expect(page).toHaveURL(/\/accounts\/[\da-f-]{36}$/);
  await expect(dialog).toBeHidden();
  const address = page.url();

  await page.goto("/kyc");
  await openSearch(page, say);
  const recent = dialog.getByRole("group", { name: say("search.recent") });
  await expect(recent.getByRole("option", { name: cpf.masked })).toBeVisible();
  await box.fill(cpf.digits);
  const accounts = dialog.getByRole("group", { name: say("accounts.title") });
  await expect(accounts.getByRole("option", { name: cpf.masked })).toHaveAttribute("aria-selected", "true");
  await expectAccessible(page, "the search with what it found");
  await box.press("Enter");
  await expect(page).toHaveURL(address);

  await expect(dialog).toBeHidden();
  await page.keyboard.press("Control+k");
  const ask = dialog.getByRole("option", { name: say("search.askPixKey") });
  await box.fill("ninguem@exemplo.com.br");
  await expect(dialog.getByText(say("search.none.pix-key"))).toBeVisible();
  await expect(provided).toHaveCount(0);
  await expect(ask).toHaveAttribute("aria-selected", "true");
  await expectAccessible(page, "the search with a PIX key");
  await box.fill(accountId);
  await ask.click();
  const found = page.getByRole("dialog", { name: say("pixKey.title") });
  await expect(found.getByLabel(say("pixKey.key"))).toHaveValue(accountId);
  await found.getByRole("radio", { name: say("privacy.reasons.verification") }).check();
  await found.getByLabel(say("privacy.note")).fill("Conferência antes de pagar");
  await found.getByRole("button", { name: say("pixKey.submit") }).click();
  await expect(page.getByRole("dialog", { name: accountId }).getByText(cpf.masked)).toBeVisible();
  await expect(page).toHaveURL(address);
  const typed = ["exemplo.com", accountId, cpf.digits, cpf.typed];
  expect(addresses.filter((one) => typed.some((text) => decodeURIComponent(one).includes(text)))).toEqual([]);
});

test("a transaction's id leads to its entry, and a mask to its holders", async ({ signedInAs, provider, say }) => {
  const cpf = inventCpf();
  const account = await provider.openAccount(cpf.digits);
  const entry = await provider.credit(account, { amount: "50.00", description: "Recarga" });
  const page = await signedInAs("support");
  await lookUp(page, say, cpf.digits);
  const held: Route[] = [];
  await page.route("**/_next/static/**", (route) => void held.push(route));
  await page.keyboard.press("Control+k");
  await page.keyboard.type("ninguem");
  await page.keyboard.press("Backspace");
  await Promise.all(held.splice(0).map((route) => route.continue()));
  await page.unroute("**/_next/static/**");
  const dialog = page.getByRole("dialog", { name: say("search.title") });
  const box = dialog.getByRole("combobox", { name: say("search.label") });
  await expect(box).toHaveValue("ningue");
  await box.fill(cpf.masked);
  await expect(dialog.getByRole("option", { name: cpf.masked }).first()).toBeVisible();
  await box.fill(entry);
  await dialog.getByRole("option", { name: say("search.askProvider") }).click();
  await expect(page).toHaveURL((url) => url.searchParams.get("entry") === entry);
  await expect(
    page
      .getByRole("dialog", { name: say("statement.entry") })
      .getByText("Recarga")
      .first(),
  ).toBeVisible();
});

test("the search opens screens by name, offers only permitted ones and returns focus", async ({ signedInAs, say }) => {
  const page = await signedInAs("auditor");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  const opener = page.getByRole("button", { name: say("search.title"), exact: true });
  await opener.click();
  const dialog = page.getByRole("dialog", { name: say("search.title") });
  await expectAccessible(page, "the search on a narrow window");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  const box = dialog.getByRole("combobox", { name: say("search.label") });
  await box.fill(say("transferForm.title"));
  await expect(dialog.getByRole("group", { name: say("help.title") })).toBeVisible();
  await expect(dialog.getByRole("option", { name: say("transferForm.title") })).toHaveCount(0);
  await box.fill("ninguem@exemplo.com.br");
  await expect(dialog.getByText(say("search.none.pix-key"))).toBeVisible();
  await expect(dialog.getByRole("option", { name: say("search.askPixKey") })).toHaveCount(0);
  await box.fill(say("onboarding.title").slice(0, 5).toUpperCase());
  const command = dialog.getByRole("option", { name: say("onboarding.title"), exact: true });
  await expect(command).toHaveAttribute("aria-selected", "true");
  await box.press("Enter");
  await expect(page).toHaveURL(/\/onboarding$/);
});

test(
  "a list's look-up recognises another list's ids and links there",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    const cpf = inventCpf();
    await provider.openAccount(cpf.digits);
    const page = await signedInAs("support");
    await lookUp(page, say, cpf.typed);
    await page.waitForURL(/\/accounts\/[\da-f-]{36}$/);
    const account = new URL(page.url()).pathname;
    const number = /\d+-?[\dX]$/.exec(await page.getByRole("heading", { level: 1 }).innerText())?.[0] ?? "";
    const navigation = page.getByRole("navigation", { name: say("shell.navigation") });
    // Navigates within the page: on a fresh page, Enter before the script would filter the queue.
    await navigation.getByRole("link", { name: say("kyc.title"), exact: true }).click();
    const queue = page.getByRole("searchbox", { name: say("kycQueue.search") });
    await queue.fill(`0x${"ab".repeat(20)}`);
    await queue.press("Enter");
    await expect(page.getByText(say("search.looksLike.address"))).toBeVisible();
    await expect(page.getByText(say("search.none.address"))).toBeVisible();
    for (const box of [queue, page.getByRole("searchbox", { name: say("onboarding.search") })]) {
      const link = page.getByRole("link", { name: number });
      await box.fill(number);
      await box.press("Enter");
      await expect(link).toBeVisible();
      await expect(page.getByText(say("search.looksLike.number"))).toBeVisible();
      if (box !== queue) await expectAccessible(page, "an account's number in the look-up of a list");
      await box.press("Escape");
      await expect(link).toHaveCount(0);
      await box.fill(number);
      await box.press("Enter");
      await link.click();
      await expect(page).toHaveURL(new RegExp(`${account}$`));
      await navigation.getByRole("link", { name: say("onboarding.title") }).click();
    }
    const onboardings = page.getByRole("searchbox", { name: say("onboarding.search") });
    for (const mistyped of ["111.444.777-36", "111.444.777-35 111.444.777-36"]) {
      await onboardings.fill(mistyped);
      await onboardings.press("Enter");
      await expect(onboardings).toHaveAccessibleDescription(/\S/);
      await onboardings.fill("111.444.777-35");
      await expect(onboardings).toHaveAccessibleDescription("");
    }
  },
);
