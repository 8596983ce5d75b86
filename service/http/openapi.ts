import { createHash } from "node:crypto";
import type { Hono } from "hono";
import { describeService } from "@/service/openapi/document";
import type { Service } from "@/service/context";
import type { Entry } from "./answer";

export const DESCRIPTION_PATH = "/openapi.json";

/** Weak comparison, as RFC 9110 wants it here. */
const isAtHand = (ifNoneMatch: string | undefined, tag: string) =>
  (ifNoneMatch ?? "").split(",").some((one) => ["*", tag].includes(one.trim().replace(/^W\//, "")));

export function mountDescription(app: Hono<Entry>, { settings }: Service): void {
  const text = JSON.stringify(describeService(settings.publicUrl));
  const tag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  app.get(DESCRIPTION_PATH, (c) => {
    const headers = { "Cache-Control": "no-cache", ETag: tag, "X-Request-Id": c.env.requestId };
    if (isAtHand(c.req.header("if-none-match"), tag)) return new Response(null, { status: 304, headers });
    return new Response(text, { headers: { "Content-Type": "application/json; charset=UTF-8", ...headers } });
  });
}
