import type { APIRequestContext } from "@playwright/test";

/** An element of a page as the server wrote it: what is text alone needs no window to be read. */
export type Element = {
  tag: string;
  attributes: Readonly<Record<string, string | undefined>>;
  children: readonly (Element | string)[];
};

type Open = Omit<Element, "children"> & { children: (Element | string)[] };

const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
const TOKEN = /<!.*?>|<(script|style|template)\b[^>]*>.*?<\/\1>|<\/[\w-]+>|<([\w-]+)((?:"[^"]*"|[^">])*)>|[^<]+/gis;
const ATTRIBUTE = /([^\s=/]+)(?:="([^"]*)")?/g;
const NAMED: Readonly<Record<string, string | undefined>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

const plain = (text: string) =>
  text.replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name = "") => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return decimal === undefined ? (NAMED[name] ?? whole) : String.fromCodePoint(Number(decimal));
  });

const attributesOf = (given: string) =>
  Object.fromEntries(
    [...given.matchAll(ATTRIBUTE)].map(([, name = "", value = ""]) => [name.toLowerCase(), plain(value)]),
  );

/** The tree of a page's HTML, which closes what it opens; scripts, styles and comments are left out. */
export function readMarkup(html: string): Element {
  const root: Open = { tag: "", attributes: {}, children: [] };
  const path = [root];
  for (const [token, , tag, given = ""] of html.matchAll(TOKEN)) {
    const parent = path.at(-1) ?? root;
    if (tag !== undefined) {
      const element: Open = { tag: tag.toLowerCase(), attributes: attributesOf(given), children: [] };
      parent.children.push(element);
      if (!VOID.has(element.tag) && !given.endsWith("/")) path.push(element);
    } else if (token.startsWith("</")) path.pop();
    else if (!token.startsWith("<")) parent.children.push(plain(token));
  }
  return root;
}

export async function readPage(request: APIRequestContext, address: string): Promise<Element> {
  return readMarkup(await (await request.get(address)).text());
}

/** Every element of that tag within it that has these attributes; of an attribute that is null any value will do. */
export function all(
  { children }: Element,
  tag: string,
  attributes: Readonly<Record<string, string | null>> = {},
): Element[] {
  const isSought = (element: Element) =>
    element.tag === tag &&
    Object.entries(attributes).every(([name, value]) => {
      const has = element.attributes[name];
      return value === null ? has !== undefined : has === value;
    });
  return children.flatMap((child) => {
    if (typeof child === "string") return [];
    const within = all(child, tag, attributes);
    return isSought(child) ? [child, ...within] : within;
  });
}

/** Each text in it, whole as its element has it. */
export function textsOf({ children }: Element): string[] {
  const texts: string[] = [];
  let before = "";
  for (const child of children) {
    if (typeof child === "string") before += child;
    else {
      texts.push(before, ...textsOf(child));
      before = "";
    }
  }
  return [...texts, before].filter(Boolean);
}

export const textOf = (element: Element): string => textsOf(element).join("");
