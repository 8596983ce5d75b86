import { type BrowserContext, expect, type Page } from "@playwright/test";
import type { Marks } from "./payload-marks";
import { goWithin } from "./within";

/** What stands in a document: whether anything ran, what could, and what people read. */
type Inspected = { ran: boolean; unsafe: string[]; links: string[]; text: string };

/** React's own, on forms that its script sends. */
const FORM = "javascript:throw new Error('A React form was unexpectedly submitted.";

const inspect = (page: Page): Promise<Inspected> =>
  page.evaluate(
    ({ own, form }) => {
      const addresses = ["href", "src", "action", "formaction", "data", "srcdoc"].flatMap((name) =>
        [...document.querySelectorAll(`[${name}]`)].flatMap((element) => {
          const address = element.getAttribute(name) ?? "";
          const isOwn = URL.canParse(address, own) && new URL(address, own).origin === own;
          const opensElsewhere = element.matches('a[target="_blank"][rel="noopener noreferrer"]');
          const isSafe = isOwn || address.startsWith(form) || (opensElsewhere && address.startsWith("https://"));
          return isSafe ? [] : [`${name}=${address}`];
        }),
      );
      const handlers = [...document.querySelectorAll("*")].flatMap((element) =>
        element.getAttributeNames().filter((name) => name.startsWith("on")),
      );
      const links = [...document.querySelectorAll("main a[href^='/']")].map((link) => link.getAttribute("href") ?? "");
      const named = ["title", "aria-label", "datetime"].flatMap((name) =>
        [...document.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name) ?? ""),
      );
      // What the page is told for its script is in the page, too, and nobody reads it there.
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const read: string[] = [];
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        if (text.parentElement?.matches("script, style, template") !== true) read.push(text.textContent ?? "");
      }
      return {
        ran: Reflect.has(window, "ran"),
        unsafe: [...addresses, ...handlers],
        links: [...new Set(links)],
        text: [document.title, read.join(""), ...named].join("\n"),
      };
    },
    { own: new URL(page.url()).origin, form: FORM },
  );

/** What must never be: dialogs, requests to anywhere else, links and handlers that could run something. */
type Found = { dialogs: string[]; foreign: string[]; unsafe: string[]; visited: number };

export type Tabs = {
  found: Found;
  pages: readonly [Page, Page, Page, Page];
  /** Looks at the page as it is, notes what is read there, and returns the links to our own pages. */
  look: (page: Page) => Promise<string[]>;
  /** Goes there and looks. */
  visit: (page: Page, path: string) => Promise<string[]>;
  /** Goes to all of them, several at once; returns the links that they hold. */
  visitAll: (paths: readonly string[]) => Promise<string[]>;
  /** The same from the pages that are open, as a click on a link goes. */
  followAll: (paths: readonly string[]) => Promise<string[]>;
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

  function note({ ran, unsafe, links, text }: Inspected, address: string): string[] {
    if (ran) found.unsafe.push(`${address} ran`);
    found.unsafe.push(...unsafe.map((what) => `${address} ${what}`));
    marks.read(text);
    return links;
  }

  async function look(page: Page): Promise<string[]> {
    found.visited += 1;
    return note(await inspect(page), page.url());
  }

  async function visit(page: Page, path: string): Promise<string[]> {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 }).first(), path).toBeVisible();
    return look(page);
  }

  const pages = [await openTab(), await openTab(), await openTab(), await openTab()] as const;

  /** Does it for all of them, several at once; returns the links that it found. */
  async function share(paths: readonly string[], work: (page: Page, path: string) => Promise<string[]>) {
    const left = paths.values();
    const links: string[] = [];
    const take = async (page: Page) => {
      for (const path of left) links.push(...(await work(page, path)));
    };
    await Promise.all(pages.map(take));
    return [...new Set(links)];
  }

  async function follow(page: Page, path: string): Promise<string[]> {
    await goWithin(page, path);
    return look(page);
  }

  const visitAll = (paths: readonly string[]) => share(paths, visit);
  const followAll = (paths: readonly string[]) => share(paths, follow);
  return { found, pages, look, visit, visitAll, followAll };
}
