"use client";

import { NextIntlClientProvider, useLocale, useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import { joined, type MessageTree } from "@/lib/preferences/view";
import { type ComponentType, createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";

const Around = createContext<MessageTree>({});

const CATALOGUES: Record<string, () => Promise<MessageTree>> = {
  en: () => import("@/messages/en.json").then((loaded) => loaded.default),
  "pt-BR": () => import("@/messages/pt-BR.json").then((loaded) => loaded.default),
};

const catalogues = new Map<string, Promise<MessageTree>>();

function loadWords(locale: string): Promise<MessageTree> {
  const known = catalogues.get(locale);
  if (known !== undefined) return known;
  const loading = CATALOGUES[locale]?.() ?? Promise.reject(new Error(`no catalogue of ${locale}`));
  catalogues.set(locale, loading);
  loading.catch(() => catalogues.delete(locale));
  return loading;
}

const INTENTS = ["pointermove", "pointerdown", "keydown"] as const;

const files = new Map<string, Promise<MessageTree>>();

async function fetchWords(address: string): Promise<MessageTree> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} was not read`);
  const words: MessageTree = await answer.json();
  return words;
}

function readWords(address: string, locale: string): Promise<MessageTree> {
  const known = files.get(address);
  if (known !== undefined) return known;
  const reading = fetchWords(address).catch(() => loadWords(locale));
  files.set(address, reading);
  reading.catch(() => files.delete(address));
  return reading;
}

const isServer = typeof window === "undefined";

type WordsProviderProps = { /** Or the address of their file. */ words: MessageTree | string; children: ReactNode };

/** Provides the messages of the first paint; the rest load on the first interaction. */
export function WordsProvider({ words: given, children }: WordsProviderProps) {
  const above = use(Around);
  const locale = useLocale();
  const own = typeof given === "string" ? use(isServer ? loadWords(locale) : readWords(given, locale)) : given;
  const isWhole = isServer && typeof given === "string";
  const words = useMemo(() => (isWhole ? own : joined(above, own)), [above, own, isWhole]);
  useEffect(() => {
    const gone = new AbortController();
    const begin = () => {
      gone.abort();
      loadWords(locale).catch(() => undefined);
    };
    for (const intent of INTENTS) addEventListener(intent, begin, { passive: true, signal: gone.signal });
    return () => gone.abort();
  }, [locale]);
  return (
    <Around value={words}>
      <NextIntlClientProvider locale={locale} messages={words}>
        {children}
      </NextIntlClientProvider>
    </Around>
  );
}

type LoadedPart<Props> = { Ready: ComponentType<Props>; words: MessageTree; locale: string } | { failure: unknown };

/** Offline, the requested part loads after reconnecting, and the screen and its text stay. */
function Waiting() {
  const t = useTranslations("states");
  return (
    <div className="fixed inset-x-4 bottom-4 z-50 mx-auto max-w-md">
      <Notice tone="warning" live="assertive">
        {t("partOffline")}
      </Notice>
    </div>
  );
}

/**
 * A component whose code and messages load on first use, or earlier through `load`. Unlike `lazy` it never suspends:
 * React delays content after a fallback by 300 ms, even when the code is already there.
 */
export function deferred<Props extends object>(load: () => Promise<ComponentType<Props>>, meanwhile: ReactNode = null) {
  let known: LoadedPart<Props> | null = null;
  return function Deferred(props: Props) {
    const locale = useLocale();
    const [standing, setStanding] = useState(known);
    const [isWaiting, setWaiting] = useState(false);
    const isHere = standing !== null && ("failure" in standing || standing.locale === locale);
    useEffect(() => {
      if (isHere) return;
      const gone = new AbortController();
      const settle = (reached: LoadedPart<Props>) => {
        if ("Ready" in reached) known = reached;
        if (gone.signal.aborted) return;
        setWaiting(false);
        setStanding(reached);
      };
      const begin = () => {
        Promise.all([load(), loadWords(locale)]).then(
          ([Ready, words]) => settle({ Ready, words, locale }),
          (failure: unknown) => {
            if (navigator.onLine) return settle({ failure });
            if (gone.signal.aborted) return;
            setWaiting(true);
            addEventListener("online", begin, { once: true, signal: gone.signal });
          },
        );
      };
      begin();
      return () => gone.abort();
    }, [isHere, locale]);
    if (isWaiting) return <Waiting />;
    if (standing === null || !isHere) return meanwhile;
    if ("failure" in standing) throw standing.failure;
    return (
      <NextIntlClientProvider locale={locale} messages={standing.words}>
        <standing.Ready {...props} />
      </NextIntlClientProvider>
    );
  };
}
