import type { Browser, BrowserContext, Page } from "@playwright/test";
import { gathering, putDown } from "./seen.mjs";

/** A session cookie's end is unique; the beginnings are all alike. */
const COOKIE_END = 40;
const PATIENCE_MS = 3_000;

/** Every story's console is at `localhost`; the provider and the company are at 127.0.0.1. */
const isOfConsole = (address: string) => URL.canParse(address) && new URL(address).hostname === "localhost";

export const cookieEnd = (value: string): string => decodeURIComponent(value).slice(-COOKIE_END);

/** Everything that a console page stores in its browser and shows. */
export function storedIn(page: Page): Promise<string> {
  return page.evaluate(async () => {
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- code in the page cannot use outer functions
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((answer, fail) => {
        request.addEventListener("success", () => answer(request.result));
        request.addEventListener("error", () => fail(new Error("the browser's database does not answer")));
      });
    const databases = await Promise.all(
      (await indexedDB.databases()).map(async ({ name = "" }) => {
        const database = await settled(indexedDB.open(name));
        const stores = [...database.objectStoreNames];
        const rows = stores.map((store) => settled(database.transaction(store).objectStore(store).getAll()));
        return [name, stores, await Promise.all(rows)];
      }),
    );
    const cached = await Promise.all(
      (await caches.keys()).map(async (name) => [name, await (await caches.open(name)).keys()]),
    );
    const stores = [Object.entries(localStorage), Object.entries(sessionStorage)];
    return JSON.stringify([stores, databases, cached, history.state, document.title, document.cookie, location.href]);
  });
}

/** A window may close before it has reported, which fails no story. */
async function keep(page: Page): Promise<void> {
  const patience = new Promise<null>((over) => setTimeout(() => over(null), PATIENCE_MS).unref());
  const stored = await Promise.race([storedIn(page).catch(() => null), patience]);
  if (stored !== null) putDown(`what a window at ${new URL(page.url()).pathname} keeps`, stored);
}

/** Records the windows' requests, and what they store when they close, for the final search. */
function witness(context: BrowserContext): void {
  context.on("request", (request) => {
    if (isOfConsole(request.url())) putDown("address", request.url());
  });
  const close = context.close.bind(context);
  context.close = async (options) => {
    await Promise.all(
      context
        .pages()
        .filter((page) => isOfConsole(page.url()))
        .map(keep),
    );
    return close(options);
  };
}

/** A browser whose windows are all recorded. */
export function witnessed(browser: Browser): Browser {
  if (gathering() === undefined) return browser;
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    witness(context);
    return context;
  };
  return browser;
}
