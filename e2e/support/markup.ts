import type { APIRequestContext } from "@playwright/test";
import { HTMLElement, parse } from "node-html-parser";

/** An element of a page as the server wrote it: what is text alone needs no window to be read. */
export type Element = HTMLElement;

/** The tree of a page's HTML; scripts, styles and comments are left out. */
export function readMarkup(html: string): Element {
  const page = parse(html, { comment: false });
  for (const unseen of page.querySelectorAll("script, style, template")) unseen.remove();
  return page;
}

export async function readPage(request: APIRequestContext, address: string): Promise<Element> {
  return readMarkup(await (await request.get(address)).text());
}

/** Every element of that tag within it that has these attributes; of an attribute that is null any value will do. */
export function all(within: Element, tag: string, attributes: Readonly<Record<string, string | null>> = {}): Element[] {
  const isWanted = (element: Element) =>
    Object.entries(attributes).every(([name, value]) =>
      value === null ? element.hasAttribute(name) : element.getAttribute(name) === value,
    );
  return within.getElementsByTagName(tag).filter(isWanted);
}

/** Each text in it, whole as its element has it. */
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
