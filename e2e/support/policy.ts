import type { BrowserContext } from "@playwright/test";

const MARK = "refused by the page's policy:";

/** Collects violations of the page policy in these windows, of which there should be none. */
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
