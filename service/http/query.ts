import type { Context } from "hono";
import { invalid } from "@/service/error";
import { isUnstorable } from "./body";

type Query = Readonly<Record<string, string>>;

const REMEMBERED = 5_000;
const known = new Map<string, Query>();

function read(c: Context): Query {
  const query = c.req.query();
  // In a URL such text is always escaped.
  const wrong = c.req.url.includes("%") ? Object.entries(query).find((pair) => isUnstorable(pair)) : undefined;
  if (wrong) throw invalid(wrong[0].replaceAll("\0", ""), "holds characters that are not allowed");
  return query;
}

/**
 * The query string, the first value of each name; the same object for the same string, since whoever polls asks the same
 * again. Throws 400 for text that cannot be stored, and so names nothing.
 */
export function readQuery(c: Context): Query {
  const { url } = c.req;
  const start = url.indexOf("?");
  const text = start < 0 ? "" : url.slice(start);
  const remembered = known.get(text);
  if (remembered) return remembered;
  const query = read(c);
  if (known.size >= REMEMBERED) known.clear();
  known.set(text, query);
  return query;
}
