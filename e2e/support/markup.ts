import type { APIRequestContext } from "@playwright/test";
import { HTMLElement, parse } from "node-html-parser";

/** An element of a page as the server wrote it, for tests that need no window. */
export type Element = HTMLElement;

/** The tree of a page's HTML, without scripts, styles and comments. */
export function readMarkup(html: string): Element {
  const page = parse(html, { comment: false });
  for (const unseen of page.querySelectorAll("script, style, template")) unseen.remove();
  return page;
}

export async function readPage(request: APIRequestContext, address: string): Promise<Element> {
  return readMarkup(await (await request.get(address)).text());
}

/** Every descendant with that tag and these attributes; null accepts any value. */
export function all(within: Element, tag: string, attributes: Readonly<Record<string, string | null>> = {}): Element[] {
  const isWanted = (element: Element) =>
    Object.entries(attributes).every(([name, value]) =>
      value === null ? element.hasAttribute(name) : element.getAttribute(name) === value,
    );
  return within.getElementsByTagName(tag).filter(isWanted);
}

/** Each text within it, whole as its element has it. */
export function textsOf({ childNodes }: Element): string[] {
  const texts: string[] = [];
  let before = "";
  for (const child of childNodes) {
    if (child instanceof HTMLElement) {
      texts.push(before, ...textsOf(child));
      before = "";
    } else before += child.text;
  }
  return [...texts, before].filter(Boolean);
}

export const textOf = (element: Element): string => textsOf(element).join("");
