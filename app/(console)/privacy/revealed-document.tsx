"use client";

import { useLocale, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { CopyButton } from "@/components/copy-button";
import { type Revealed, SHOWN_FOR_MS } from "@/lib/customer";
import { formatTime } from "@/lib/format";

const SECOND_MS = 1_000;

/** Seconds until it is hidden again; `onOver` then, and when the page goes out of sight for good. */
function useCountdown(onOver: () => void): number {
  const [until] = useState(() => Date.now() + SHOWN_FOR_MS);
  const [leftMs, setLeftMs] = useState(SHOWN_FOR_MS);
  useEffect(() => {
    const timer = setInterval(() => {
      const left = until - Date.now();
      if (left <= 0) onOver();
      else setLeftMs(left);
    }, SECOND_MS);
    // A page that comes back from the browser's memory comes back without it.
    window.addEventListener("pagehide", onOver);
    return () => {
      clearInterval(timer);
      window.removeEventListener("pagehide", onOver);
    };
  }, [until, onOver]);
  return Math.ceil(leftMs / SECOND_MS);
}

const Mark = ({ children }: { children: string }) => (
  <span aria-hidden className="max-w-full truncate text-[0.625rem] leading-3 text-muted select-none">
    {children}
  </span>
);

/** The document in clear, between two lines that say whose eyes it is for: a photograph of the screen says who took it. */
export function RevealedDocument({ shown, onOver }: { shown: Revealed; onOver: () => void }) {
  const t = useTranslations("privacy");
  const locale = useLocale();
  const left = useCountdown(onOver);
  const mark = `${shown.shownTo} · ${formatTime(shown.at, locale)}`;
  return (
    <>
      <span className="inline-flex max-w-full flex-col items-center rounded border border-warning/30 bg-warning-tint px-3 py-1">
        <Mark>{mark}</Mark>
        <span className="leading-5 font-medium text-ink select-all">{shown.text}</span>
        <Mark>{mark}</Mark>
      </span>
      <CopyButton text={shown.text} label={t("copyDocument")} />
      <span aria-hidden className="text-sm text-muted tabular-nums">
        {t("hidesIn", { seconds: left })}
      </span>
      <span className="sr-only">{t("shownFor", { seconds: SHOWN_FOR_MS / SECOND_MS })}</span>
    </>
  );
}
