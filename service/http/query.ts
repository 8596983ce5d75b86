import type { Context } from "hono";
import { invalid } from "@/service/error";
import { isUnstorable } from "./body";

/** The query string, the first value of each name. Throws 400 for text that cannot be stored, and so names nothing. */
export function readQuery(c: Context): Record<string, string> {
  const query = c.req.query();
  // In a URL such text is always escaped.
  if (!c.req.url.includes("%")) return query;
  const wrong = Object.entries(query).find((pair) => isUnstorable(pair));
  if (wrong) throw invalid(wrong[0].replaceAll("\0", ""), "holds characters that are not allowed");
  return query;
}
