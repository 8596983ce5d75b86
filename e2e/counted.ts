import { expect, type Page } from "@playwright/test";
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

/** What the overview, the tabs and the choices count is what the lists hold to which they lead. */
export async function expectCountsLead(page: Page, say: Words, { readsWallets = true } = {}): Promise<void> {
  const ofCases: Total = (count) => say("kycQueue.total", { exact: "yes", count });
  const ofRows: Total = (total) => say("paging.total", { total });
  for (const [name, total] of [
    [say("home.toDecide"), ofCases],
    [say("home.holderActs"), ofRows],
    [say("home.refused"), ofRows],
  ] as const) {
    await expect(async () => {
      await page.goto("/");
      const tile = page.getByRole("main").getByRole("link", { name: new RegExp(`^${name}`) });
      const count = numberIn(await tile.innerText(), /^([\d.,]+)$/m);
      expect(count, name).not.toBeNull();
      await tile.click();
      await expect(page).not.toHaveURL(/\/$/);
      await expectTotal(page, count ?? 0, total);
    }, name).toPass({ timeout: 30_000 });
  }
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
