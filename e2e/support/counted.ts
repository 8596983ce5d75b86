import { expect, type Page } from "@playwright/test";
import type english from "@/messages/en.json";
import { all, type Element, readPage, textOf, textsOf } from "./markup";
import type { Words } from "./words";

const numberIn = (text: string) => {
  const [, digits] = /([\d.,]+)\s*$/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits.replaceAll(/[.,]/g, ""));
};

/** A window, or a request context without one. */
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

/** The list states this total in its last line; an empty list has no table. */
function expectTotal(page: Element, count: number, total: Total): void {
  const main = mainOf(page);
  if (count === 0) expect(all(main, "table")).toHaveLength(0);
  else expect(textsOf(main)).toContain(total(count));
}

type Views = { address: string; label: string; total: Total };

/** Each view with a count links to a list of that length. Both are read from one page, as rows come and go. */
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
      // Beyond the limit the count is only "at least".
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

/** Lists without a total: paged by key, or short. */
const ROWS_ALONE: ReadonlySet<Counted> = new Set(["outcomes", "failedCalls", "needsAttention", "invited"]);

/** The tiles of an overview, which are its first list. */
function tilesOf(overview: Element): Element[] {
  const [list] = all(mainOf(overview), "ul");
  return list === undefined ? [] : all(list, "li").flatMap((tile) => all(tile, "a").slice(0, 1));
}

/** The names of the overview's tiles. */
export async function tilesAt({ request }: Asking): Promise<(string | undefined)[]> {
  return tilesOf(await readPage(request, "/")).map((tile) => textsOf(tile)[0]);
}

/** Each of these tiles counts the rows of its linked list. */
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
      // The subscriptions are another table beside the deliveries.
      const tables = all(mainOf(list), "table").filter(({ attributes }) => attributes["aria-label"] !== "Webhooks");
      const rows = tables.flatMap((table) => all(table, "tbody")).flatMap((body) => all(body, "tr"));
      expect(rows).toHaveLength(Math.min(count ?? 0, 25));
    }, name).toPass({ timeout: 30_000 });
  }
}

/** The counts on tabs and options equal the lists they link to. */
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
