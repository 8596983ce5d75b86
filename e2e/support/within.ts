import type { Page } from "@playwright/test";

/** Goes there as a link of the page does, without loading it anew, and waits until it stands. */
export const goWithin = (page: Page, path: string) =>
  page.evaluate(async (to) => {
    const { pathname, search } = new URL(to, location.href);
    const isOther = pathname !== location.pathname;
    const before = document.querySelector("main h1");
    const router: unknown = Reflect.get(Object(Reflect.get(window, "next")), "router");
    const push: unknown = Reflect.get(Object(router), "push");
    if (typeof push !== "function") throw new Error("the page has no router");
    Reflect.apply(push, undefined, [to]);
    const until = Date.now() + 60_000;
    const stands = () => {
      const title = document.querySelector("main h1");
      const isThere =
        decodeURIComponent(location.pathname) === decodeURIComponent(pathname) && location.search === search;
      // A list that is only filtered anew keeps its title.
      const isFresh = title !== null && (!isOther || title !== before);
      return isThere && isFresh && document.querySelector("main [aria-busy=true]") === null;
    };
    while (!stands()) {
      if (Date.now() > until) throw new Error(`${to} did not come`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }, path);
