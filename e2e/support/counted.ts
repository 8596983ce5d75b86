import { expect, type Page } from "@playwright/test";
import type english from "@/messages/en.json";
import { all, type Element, readPage, textOf, textsOf } from "./markup";
import type { Words } from "./words";

const numberIn = (text: string) => {
  const [, digits] = /([\d.,]+)\s*$/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits.replaceAll(/[.,]/g, ""));
};

/** A window, or whoever asks without one. */
type Asking = Pick<Page, "request">;

type Total = (count: number) => string;
const ofCases =
  (say: Words): Total =>
  (count) =>
    say("kycQueue.total", { exact: "yes", count });
const ofRows =
  (say: Words): Total =>
  (total) =>
    say("paging.total", { total });

const mainOf = (page: Element): Element => all(page, "main")[0] ?? page;

/** The list has so many, by its own last line; of none there is no table. */
function expectTotal(page: Element, count: number, total: Total): void {
  const main = mainOf(page);
  if (count === 0) expect(all(main, "table")).toHaveLength(0);
  else expect(textsOf(main)).toContain(total(count));
}

type Views = { address: string; label: string; total: Total };

/** Each view that says how many it has leads to a list of as many. Both are read from one page: rows come and go. */
async function expectViews({ request }: Asking, { address, label, total }: Views) {
  const viewsOf = (page: Element) => all(mainOf(page), "nav", { "aria-label": label });
  const linksOf = (page: Element) => viewsOf(page).flatMap((views) => all(views, "a"));
  const hrefs = linksOf(await readPage(request, address)).map(({ attributes }) => attributes["href"] ?? "");
  expect(hrefs.length, address).toBeGreaterThan(2);
  for (const href of hrefs) {
    await expect(async () => {
      const page = await readPage(request, href);
      const [current] = viewsOf(page).flatMap((views) => all(views, "a", { "aria-current": null }));
      const view = current === undefined ? "" : textOf(current).trimEnd();
      // More than is counted one by one.
      if (view.endsWith("+")) return;
      const count = numberIn(view);
      expect(count, href).not.toBeNull();
      expectTotal(page, count ?? 0, total);
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
  | "needsAttention"
  | "invited"
>;

/** Lists that say no total: those by keyset, and the short ones. */
const ROWS_ALONE: ReadonlySet<Counted> = new Set(["outcomes", "failedCalls", "needsAttention", "invited"]);

/** The tiles of an overview, which are its first list. */
function tilesOf(overview: Element): Element[] {
  const [list] = all(mainOf(overview), "ul");
  return list === undefined ? [] : all(list, "li").flatMap((tile) => all(tile, "a").slice(0, 1));
}

/** What the tiles of the overview are called. */
export async function tilesAt({ request }: Asking): Promise<(string | undefined)[]> {
  return tilesOf(await readPage(request, "/")).map((tile) => textsOf(tile)[0]);
}

/** Each of these tiles of the overview counts what the list holds to which it leads. */
export async function expectOverview({ request }: Asking, say: Words, tiles: readonly Counted[]): Promise<void> {
  for (const tile of tiles) {
    const name = say(`home.${tile}`);
    await expect(async () => {
      const link = tilesOf(await readPage(request, "/")).find((one) => textsOf(one)[0] === name);
      const count = link === undefined ? null : numberIn(textsOf(link)[1] ?? "");
      expect(count, name).not.toBeNull();
      const list = await readPage(request, link?.attributes["href"] ?? "");
      if (!ROWS_ALONE.has(tile)) {
        expectTotal(list, count ?? 0, (tile.endsWith("Cases") || tile === "toDecide" ? ofCases : ofRows)(say));
        return;
      }
      // Beside what the provider delivered its subscriptions stand.
      const tables = all(mainOf(list), "table").filter(({ attributes }) => attributes["aria-label"] !== "Webhooks");
      const rows = tables.flatMap((table) => all(table, "tbody")).flatMap((body) => all(body, "tr"));
      expect(rows).toHaveLength(Math.min(count ?? 0, 25));
    }, name).toPass({ timeout: 30_000 });
  }
}

/** What the tabs and the choices count is what the lists hold to which they lead. */
export async function expectCountsLead(page: Asking, say: Words, { readsWallets = true } = {}): Promise<void> {
  for (const views of [
    { address: "/kyc", label: say("kycQueue.viewsLabel"), total: ofCases(say) },
    { address: "/kyc?view=all", label: say("kyc.filterStatus"), total: ofCases(say) },
    { address: "/onboarding", label: say("onboarding.filterStatus"), total: ofRows(say) },
    { address: "/approvals", label: say("approvals.filterView"), total: ofRows(say) },
    ...(readsWallets ? [{ address: "/wallets", label: say("wallets.filterNetwork"), total: ofRows(say) }] : []),
  ]) {
    await expectViews(page, views);
  }
}
