"use client";

import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import { CopyButton } from "@/components/table/copy-button";
import { SafeLink } from "@/components/table/safe-link";
import { Button, buttonClass } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";
import { DeniedButton } from "@/components/ui/denied-button";
import { type Revealed, type RevealTarget, SHOWN_FOR_MS } from "@/lib/privacy/view";
import { formatTime } from "@/lib/text/format";

const SECOND_MS = 1_000;

/** Seconds left; `onOver` at the end, and when the page is hidden for good. */
function useCountdown(onOver: () => void): number {
  const [until] = useState(() => Date.now() + SHOWN_FOR_MS);
  const [leftMs, setLeftMs] = useState(SHOWN_FOR_MS);
  useEffect(() => {
    const timer = setInterval(() => {
      const left = until - Date.now();
      if (left <= 0) onOver();
      else setLeftMs(left);
    }, SECOND_MS);
    // A page restored from the back-forward cache comes back without it.
    window.addEventListener("pagehide", onOver);
    return () => {
      clearInterval(timer);
      window.removeEventListener("pagehide", onOver);
    };
  }, [until, onOver]);
  return Math.ceil(leftMs / SECOND_MS);
}

const Mark = ({ children }: { children: string }) => (
  <span aria-hidden className="max-w-full truncate text-[0.625rem] leading-2.5 text-muted select-none">
    {children}
  </span>
);

/** Two lines name the reader, so that a photograph of the screen does too. */
function RevealedDocument({ shown, onOver }: { shown: Revealed; onOver: () => void }) {
  const t = useTranslations("privacy");
  const locale = useLocale();
  const left = useCountdown(onOver);
  const mark = `${shown.shownTo} · ${formatTime(shown.at, locale)}`;
  return (
    <>
      <span className="relative z-1 -my-2.5 inline-flex max-w-full flex-col items-center rounded border border-warning/30 bg-warning-tint px-3 py-0.5">
        <Mark>{mark}</Mark>
        <span className="max-w-full leading-5 font-medium wrap-anywhere text-ink select-all">{shown.text}</span>
        <Mark>{mark}</Mark>
      </span>
      {shown.link === null ? null : <SafeLink link={shown.link} />}
      <CopyButton text={shown.text} label={t("copyDocument")} />
      <span aria-hidden className="text-sm text-muted tabular-nums">
        {t("hidesIn", { seconds: left })}
      </span>
      <span className="sr-only">{t("shownFor", { seconds: SHOWN_FOR_MS / SECOND_MS })}</span>
    </>
  );
}

const loadDialog = () => import("./reveal-dialog");
const RevealDialog = deferred(() => loadDialog().then((loaded) => loaded.RevealDialog));

type DocumentRevealProps = {
  masked: string;
  kind: RevealTarget["kind"];
  id: string;
  field?: RevealTarget["field"];
  member?: number | null;
  /** Of an account's information. */
  part?: { path: string; label: string };
  denial: string | null;
};

function RevealMark({ isAlone, isShown }: { isAlone: boolean; isShown: boolean }) {
  const t = useTranslations("privacy");
  return (
    <>
      {isShown ? <Icon of="eye-off" size={13} /> : <Icon of="eye" size={13} />}
      <span className={isAlone ? undefined : "sr-only"}>{isShown ? t("hide") : t("reveal")}</span>
    </>
  );
}

/** For a minute, in this component alone: in no cache, address or title. */
export function DocumentReveal({
  masked,
  denial,
  kind,
  id,
  part,
  field = "document",
  member = null,
}: DocumentRevealProps) {
  const t = useTranslations("privacy");
  const [isAsking, setAsking] = useState(false);
  const [shown, setShown] = useState<Revealed | null>(null);
  const hide = useCallback(() => setShown(null), []);
  const isAlone = part === undefined;
  const named = isAlone ? masked : part.label;

  if (denial !== null) {
    return (
      <>
        <span className="font-medium text-ink">{masked}</span>
        <DeniedButton reason={denial} className={buttonClass("quiet", "small")}>
          <RevealMark isAlone={isAlone} isShown={false} />
          {isAlone ? null : <span className="sr-only">{named}</span>}
        </DeniedButton>
      </>
    );
  }
  return (
    <>
      <output className="inline-flex min-w-0 flex-wrap items-center gap-2">
        {shown === null ? (
          <span className="font-medium text-ink">{masked}</span>
        ) : (
          <RevealedDocument shown={shown} onOver={hide} />
        )}
      </output>
      <Button
        tone="quiet"
        size="small"
        aria-label={shown === null ? t("revealNamed", { document: named }) : undefined}
        onClick={() => (shown === null ? setAsking(true) : hide())}
        onFocus={() => void loadDialog()}
        onPointerEnter={() => void loadDialog()}
      >
        <RevealMark isAlone={isAlone} isShown={shown !== null} />
      </Button>
      {isAsking ? (
        <RevealDialog
          named={named}
          target={{ kind, id, member, path: part?.path ?? null, field: isAlone ? field : "information" }}
          onClose={() => setAsking(false)}
          onRevealed={(revealed) => {
            setAsking(false);
            setShown(revealed);
          }}
        />
      ) : null}
    </>
  );
}
