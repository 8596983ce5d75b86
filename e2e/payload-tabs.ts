import { type BrowserContext, expect, type Page } from "@playwright/test";
import type { Marks } from "./payload-marks";

/** What stands on the page now: whether anything ran, what could, and what people read. */
const inspect = (page: Page) =>
  page.evaluate((own) => {
    const addresses = [...document.querySelectorAll("[href], [src], [action], [formaction], [data], [srcdoc]")].flatMap(
      (element) =>
        ["href", "src", "action", "formaction", "data", "srcdoc"].flatMap((name) => {
          const address = element.getAttribute(name);
          if (address === null) return [];
          const isOwn = URL.canParse(address, own) && new URL(address, own).origin === own;
          const opensElsewhere = element.matches('a[target="_blank"][rel="noopener noreferrer"]');
          return isOwn || (opensElsewhere && address.startsWith("https://")) ? [] : [`${name}=${address}`];
        }),
    );
    const handlers = [...document.querySelectorAll("*")].flatMap((element) =>
      element.getAttributeNames().filter((name) => name.startsWith("on")),
    );
    const links = [...document.querySelectorAll("main a[href^='/']")].map((link) => link.getAttribute("href") ?? "");
    const named = ["title", "aria-label", "datetime"].flatMap((name) =>
      [...document.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name) ?? ""),
    );
    return {
      ran: Reflect.has(window, "ran"),
      unsafe: [...addresses, ...handlers],
      links: [...new Set(links)],
      text: [document.title, document.body.textContent, ...named].join("\n"),
    };
  }, new URL(page.url()).origin);

/** What must never be: dialogs, requests to anywhere else, links and handlers that could run something. */
type Found = { dialogs: string[]; foreign: string[]; unsafe: string[]; visited: number };

type Tabs = {
  found: Found;
  pages: readonly [Page, Page, Page, Page];
  /** Looks at the page as it is, notes what is read there, and returns the links to our own pages. */
  look: (page: Page) => Promise<string[]>;
  /** Goes there and looks. */
  visit: (page: Page, path: string) => Promise<string[]>;
  /** Goes to all of them, several at once; returns the links that they hold. */
  visitAll: (paths: readonly string[]) => Promise<string[]>;
};

/** Tabs of one person at `url` that see to it that nothing runs and nothing is fetched, and note what can be read. */
export async function openTabs(context: BrowserContext, url: string, marks: Marks): Promise<Tabs> {
  const found: Found = { dialogs: [], foreign: [], unsafe: [], visited: 0 };

  async function openTab(): Promise<Page> {
    const page = await context.newPage();
    page.on("dialog", (dialog) => {
      found.dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(url)) found.foreign.push(request.url());
    });
    return page;
  }

  async function look(page: Page): Promise<string[]> {
    const { ran, unsafe, links, text } = await inspect(page);
    found.visited += 1;
    if (ran) found.unsafe.push(`${page.url()} ran`);
    found.unsafe.push(...unsafe.map((what) => `${page.url()} ${what}`));
    marks.read(text);
    return links;
  }

  async function visit(page: Page, path: string): Promise<string[]> {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 }).first(), path).toBeVisible();
    return look(page);
  }

  const pages = [await openTab(), await openTab(), await openTab(), await openTab()] as const;

  async function visitAll(paths: readonly string[]): Promise<string[]> {
    const left = paths.values();
    const links: string[] = [];
    const work = async (page: Page) => {
      for (const path of left) links.push(...(await visit(page, path)));
    };
    await Promise.all(pages.map(work));
    return [...new Set(links)];
  }

  return { found, pages, look, visit, visitAll };
}
