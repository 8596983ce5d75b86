import { expect, type Page } from "@playwright/test";
import type english from "@/messages/en.json";
import type { Words } from "./words";

const numberIn = (text: string, pattern: RegExp) => {
  const [, digits] = pattern.exec(text) ?? [];
  return digits === undefined ? null : Number(digits.replaceAll(/[.,]/g, ""));
};

type Total = (count: number) => string;

/** The list that is open has so many, by its own last line; of none there is no table. */
async function expectTotal(page: Page, count: number, total: Total): Promise<void> {
  const main = page.getByRole("main");
  if (count === 0) await expect(main.getByRole("table")).toHaveCount(0, { timeout: 2_000 });
  else await expect(main.getByText(total(count), { exact: true })).toBeVisible({ timeout: 2_000 });
}

/** Each view that says how many it has leads to a list of as many. Both are read from one page: rows come and go. */
async function expectViews(page: Page, { address, label, total }: { address: string; label: string; total: Total }) {
  await page.goto(address);
  const views = page.getByRole("main").getByRole("navigation", { name: label });
  await expect(views.getByRole("link").nth(2)).toBeVisible();
  const hrefs = await views
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  for (const href of hrefs) {
    await expect(async () => {
      await page.goto(href);
      const view = await views.locator("[aria-current]").innerText();
      // More than is counted one by one.
      if (view.trimEnd().endsWith("+")) return;
      const count = numberIn(view, /([\d.,]+)\s*$/);
      expect(count, href).not.toBeNull();
      await expectTotal(page, count ?? 0, total);
    }, href).toPass({ timeout: 20_000 });
  }
}

type Counted = Extract<
  keyof typeof english.home,
  | "ownCases"
  | "dueCases"
  | "toDecide"
  | "refused"
  | "toAuthorise"
  | "outcomes"
  | "held"
  | "wallets"
  | "failedCalls"
  | "amiss"
  | "invited"
>;

/** Lists that say no total: those by keyset, and the short ones. */
const ROWS_ALONE: ReadonlySet<Counted> = new Set(["outcomes", "failedCalls", "amiss", "invited"]);

/** Each of these tiles of the overview counts what the list holds to which it leads. */
export async function expectOverview(page: Page, say: Words, tiles: readonly Counted[]): Promise<void> {
  const ofCases: Total = (count) => say("kycQueue.total", { exact: "yes", count });
  const ofRows: Total = (total) => say("paging.total", { total });
  for (const tile of tiles) {
    const name = say(`home.${tile}`);
    await expect(async () => {
      await page.goto("/");
      const link = page.getByRole("main").getByRole("link", { name: new RegExp(`^${name}`) });
      const count = numberIn(await link.innerText(), /^([\d.,]+)$/m);
      expect(count, name).not.toBeNull();
      await link.click();
      await expect(page).not.toHaveURL(/\/$/);
      // Beside what the provider delivered its subscriptions stand.
      const rows = page.getByRole("main").locator("table:not([aria-label=Webhooks]) > tbody > tr");
      if (ROWS_ALONE.has(tile)) await expect(rows).toHaveCount(Math.min(count ?? 0, 25), { timeout: 2_000 });
      else await expectTotal(page, count ?? 0, tile.endsWith("Cases") || tile === "toDecide" ? ofCases : ofRows);
    }, name).toPass({ timeout: 30_000 });
  }
}

/** What the tabs and the choices count is what the lists hold to which they lead. */
export async function expectCountsLead(page: Page, say: Words, { readsWallets = true } = {}): Promise<void> {
  const ofCases: Total = (count) => say("kycQueue.total", { exact: "yes", count });
  const ofRows: Total = (total) => say("paging.total", { total });
  for (const views of [
    { address: "/kyc", label: say("kycQueue.viewsLabel"), total: ofCases },
    { address: "/kyc?view=all", label: say("kyc.filterStatus"), total: ofCases },
    { address: "/onboarding", label: say("onboarding.filterStatus"), total: ofRows },
    { address: "/approvals", label: say("approvals.filterView"), total: ofRows },
    ...(readsWallets ? [{ address: "/wallets", label: say("wallets.filterNetwork"), total: ofRows }] : []),
  ]) {
    await expectViews(page, views);
  }
}
