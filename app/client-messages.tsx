import { useLocale, useMessages } from "next-intl";
import type { ReactNode } from "react";
import { WordsProvider } from "@/components/layout/deferred";
import { frameWordsOf, isFrame, wordFileOf } from "@/lib/preferences/queries";

export function ClientMessages({ of, children }: { of: string; children: ReactNode }) {
  const all = useMessages();
  const locale = useLocale();
  if (isFrame(of)) return <WordsProvider words={frameWordsOf(all, of)}>{children}</WordsProvider>;
  const name = wordFileOf(all, of);
  if (name === null) return <WordsProvider words={all}>{children}</WordsProvider>;
  if (name === "") return children;
  const address = `/api/words/${locale}/${name}`;
  return (
    <>
      <link rel="preload" href={address} as="fetch" crossOrigin="anonymous" />
      <WordsProvider words={address}>{children}</WordsProvider>
    </>
  );
}
