import type { BrowserContext } from "@playwright/test";

const MARK = "refused by the page's policy:";

/** What the policy of the pages in these windows refuses from now on: nothing of ours ever should be. */
export async function listenForViolations(context: BrowserContext): Promise<string[]> {
  const received: string[] = [];
  context.on("console", (message) => {
    if (message.text().startsWith(MARK)) received.push(`${message.text()} (${message.page()?.url() ?? ""})`);
  });
  await context.addInitScript((mark) => {
    addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) =>
      console.debug(`${mark} ${effectiveDirective} ${blockedURI} ${sample}`),
    );
  }, MARK);
  return received;
}
