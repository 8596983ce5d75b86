import type { APIResponse, Page, Request } from "@playwright/test";

/** A server action as a browser sent it: its URL, id and body. */
export type CapturedAction = { address: string; id: string; contentType: string; body: string };

/** Whether the request is a write; activity reports do not count. */
export const isAction = (request: Request) => request.method() === "POST" && "next-action" in request.headers();

/** Waits for the next server action of the window. */
export async function nextAction(page: Page): Promise<CapturedAction> {
  const request = await page.waitForRequest(isAction);
  const { "next-action": id = "", "content-type": contentType = "" } = request.headers();
  return { address: request.url(), id, contentType, body: request.postData() ?? "" };
}

/** Calls the action without a screen, with that window's cookies. `origin`: null sends none. */
export function callAction(page: Page, action: CapturedAction, origin: string | null): Promise<APIResponse> {
  return page.request.post(action.address, {
    data: action.body,
    headers: {
      accept: "text/x-component",
      "next-action": action.id,
      "content-type": action.contentType,
      ...(origin !== null && { origin }),
    },
  });
}
