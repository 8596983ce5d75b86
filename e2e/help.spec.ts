import type { Page } from "@playwright/test";
import { HELP_ENTRIES } from "@/lib/help/view";
import { inventCpf } from "./support/invent";
import { follow, inspect, visit } from "./support/looks";
import { lookUp } from "./support/look-up";
import { openSearch } from "./support/open-search";
import { untilSeen } from "./support/sight";
import { expect, type Role, ROLES, test } from "./support/story";
import { type Language, LANGUAGES, type Words, wordsOf } from "./support/words";

/** The case, claimed: only its assignee puts it off or hands it over. */
async function openOwnCase(page: Page, say: Words, kycUUID: string) {
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.goto(`/kyc/${kycUUID}`);
  await page.getByRole("button", { name: say("triage.claim"), exact: true }).click();
  await expect(page.getByRole("button", { name: say("triage.release"), exact: true })).toBeVisible();
}

test("a page is found by Ctrl K, and its screen has the button that it names", async ({
  signedInAs,
  provider,
  say,
}) => {
  const kycUUID = await provider.openCase(inventCpf().digits);
  const page = await signedInAs("compliance");
  await page.goto("/");
  const dialog = await openSearch(page, say);
  await dialog.getByRole("combobox").fill(say("triage.putOff.title"));
  const found = dialog.getByRole("group", { name: say("help.title") }).getByRole("option");
  await expect(found.first()).toHaveAttribute("aria-selected", "true");
  await expect(dialog.getByText(say("search.pages", { count: await found.count() }))).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/help/kyc-put-off");
  const article = page.getByRole("article");
  await expect(article.getByText(say("triage.putOff.label"), { exact: true }).first()).toBeVisible();
  await page.getByRole("link", { name: say("help.open", { screen: say("kyc.title") }) }).click();
  await expect(page).toHaveURL("/kyc");
  await openOwnCase(page, say, kycUUID);
  await expect(page.getByRole("button", { name: say("triage.putOff.label") })).toBeVisible();

  await page.getByRole("button", { name: new RegExp(`^${say("shell.account")}: `) }).click();
  await page.getByRole("link", { name: say("help.thisScreen") }).click();
  await expect(page).toHaveURL("/help/kyc-decide");
});

test("one's own tasks come first, and a search without a result or a page says so", async ({ signedInAs, say }) => {
  const page = await signedInAs("finance");
  await visit(page, "/help");
  const headings = page.getByRole("main").getByRole("heading", { level: 2 });
  await expect(headings.first()).toHaveText(say("help.yours", { role: say("roles.finance") }));
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(HELP_ENTRIES.length);
  await follow(page, ["/help/transfer-states", "/help/kyc-queue", "/help/position"]);
  await expect(page.getByRole("img", { name: /./ }).first()).toHaveJSProperty("complete", true);
  const width = await page.locator("article img").evaluate((image: HTMLImageElement) => image.naturalWidth);
  expect(width).toBeGreaterThan(1000);

  await page.goto("/help");
  const field = page.getByRole("searchbox", { name: say("help.searchLabel") });
  await field.fill("zebra");
  await field.press("Enter");
  await expect(page.getByText(say("help.noneBody"))).toBeVisible();
  await inspect(page, "a search of the handbook without a result");
  await page.getByRole("link", { name: say("states.clearFilter") }).click();
  await expect(headings.first()).toBeVisible();

  await page.goto("/help/no-such-page");
  await expect(page.getByRole("heading", { name: say("absent.notFoundTitle") })).toBeVisible();
});

const roleOf = (section: string): Role => ROLES.find((role) => role === section) ?? "support";

/** What a person reads of a message, not what a screen reader alone is told. */
const shown = (page: Page, words: string) => page.getByText(words).filter({ visible: true }).first();

test(
  "every page names what is on its screen, in both languages by turns",
  { tag: "@long" },
  async ({ signedInAs, provider, product }) => {
    test.slow();
    const cpf = inventCpf();
    const [kycUUID] = await Promise.all([provider.openCase(inventCpf().digits), provider.openAccount(cpf.digits)]);
    const windows = new Map<Role, Page>();
    const windowOf = async (role: Role, language: Language) => {
      const page = windows.get(role) ?? (await signedInAs(role));
      windows.set(role, page);
      await page.context().addCookies([{ name: "locale", value: language, url: product.url }]);
      return page;
    };
    await openOwnCase(await windowOf("compliance", "en"), wordsOf("en"), kycUUID);
    for (const [nth, entry] of HELP_ENTRIES.entries()) {
      if (!("shows" in entry)) continue;
      const language = LANGUAGES[nth % LANGUAGES.length] ?? "en";
      const say = wordsOf(language);
      const page = await windowOf(roleOf(entry.section), language);
      if (entry.path === "/accounts/[ref]") await lookUp(page, say, cpf.typed);
      else await page.goto(entry.path.replace("[id]", kycUUID));
      for (const key of entry.shows) {
        await expect.soft(shown(page, say(key)), `${entry.name} says that its screen shows ${key}`).toBeVisible();
      }
    }
  },
);
