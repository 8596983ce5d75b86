import type { APIResponse, Page, Request } from "@playwright/test";

/** A server action as a browser called it: where, which, and with what. */
export type CapturedAction = { address: string; id: string; contentType: string; body: string };

/** Whether a page sends a write by it; the signs of its person are none. */
export const isAction = (request: Request) => request.method() === "POST" && "next-action" in request.headers();

/** Waits for the next server action of the window. */
export async function nextAction(page: Page): Promise<CapturedAction> {
  const request = await page.waitForRequest(isAction);
  const { "next-action": id = "", "content-type": contentType = "" } = request.headers();
  return { address: request.url(), id, contentType, body: request.postData() ?? "" };
}

/** Calls the action without any screen, with the cookies of that window. `origin`: null sends none. */
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
