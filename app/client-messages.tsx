import { useLocale, useMessages } from "next-intl";
import type { ReactNode } from "react";
import { preload } from "react-dom";
import { WordsProvider } from "@/components/layout/deferred";
import { wordFileOf } from "@/lib/preferences/queries";

/** `of`: the page or layout file, without its extension, whose browser code uses these messages. */
export function ClientMessages({ of, children }: { of: string; children: ReactNode }) {
  const all = useMessages();
  const locale = useLocale();
  const name = wordFileOf(all, of);
  if (name === null) return <WordsProvider words={all}>{children}</WordsProvider>;
  if (name === "") return children;
  const address = `/api/words/${locale}/${name}`;
  preload(address, { as: "fetch", crossOrigin: "anonymous" });
  return <WordsProvider words={address}>{children}</WordsProvider>;
}
