"use client";

import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import { CopyButton } from "@/components/table/copy-button";
import { SafeLink } from "@/components/table/safe-link";
import { useAction } from "@/components/session/use-action";
import { Button, buttonClass } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";
import { DeniedButton } from "@/components/ui/denied-button";
import { revealDocument } from "@/lib/accounts/actions";
import { type Revealed, type RevealTarget, SHOWN_FOR_MS } from "@/lib/privacy/view";
import { formatTime } from "@/lib/text/format";
import { useOpenReason } from "./use-open-reason";

const SECOND_MS = 1_000;

/** Seconds left; `onOver` runs at the end, and when the page is hidden for good. */
function useCountdown(onOver: () => void): number {
  const [until] = useState(() => Date.now() + SHOWN_FOR_MS);
  const [leftMs, setLeftMs] = useState(SHOWN_FOR_MS);
  useEffect(() => {
    const timer = setInterval(() => {
      const left = until - Date.now();
      if (left <= 0) onOver();
      else setLeftMs(left);
    }, SECOND_MS);
    // A page restored from the back-forward cache must not show it.
    window.addEventListener("pagehide", onOver);
    return () => {
      clearInterval(timer);
      window.removeEventListener("pagehide", onOver);
    };
  }, [until, onOver]);
  return Math.ceil(leftMs / SECOND_MS);
}

const Mark = ({ words }: { words: readonly string[] }) => (
  <span
    aria-hidden
    className="flex max-w-full flex-wrap justify-center gap-x-1.5 text-[0.625rem] leading-3 text-muted select-none"
  >
    {words.map((word) => (
      <span key={word} className="wrap-anywhere">
        {word}
      </span>
    ))}
  </span>
);

/** Two lines name the reader, so that a photograph of the screen does too. */
function RevealedDocument({ shown, onOver }: { shown: Revealed; onOver: () => void }) {
  const t = useTranslations("privacy");
  const locale = useLocale();
  const left = useCountdown(onOver);
  const mark = [shown.shownTo, formatTime(shown.at, locale)];
  return (
    <span data-revealed className="min-w-0">
      <span className="flex items-center gap-1">
        <span className="flex min-w-0 flex-col items-center rounded border border-warning/30 bg-warning-tint px-2 py-0.5">
          <Mark words={mark} />
          <span className="leading-5 font-medium wrap-anywhere text-ink select-all">{shown.text}</span>
          <Mark words={[...mark, t("hidesIn", { seconds: left })]} />
        </span>
        <CopyButton text={shown.text} label={t("copyDocument")} />
      </span>
      {shown.link === null ? null : <SafeLink link={shown.link} />}
      <span className="sr-only">{t("shownFor", { seconds: SHOWN_FOR_MS / SECOND_MS })}</span>
    </span>
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
  /** A field of the account's information. */
  part?: { path: string; label: string };
  denial: string | null;
};

function RevealMark({ isAlone, isShown }: { isAlone: boolean; isShown: boolean }) {
  const t = useTranslations("privacy");
  return (
    <>
      {isShown ? <Icon of="eye-off" size={13} /> : <Icon of="eye" size={13} />}
      {isAlone || isShown ? (
        <span className={isAlone ? undefined : "sr-only"}>{isShown ? t("hide") : t("reveal")}</span>
      ) : null}
    </>
  );
}

/** Shown for a minute in this component alone, never in a cache, URL or title. */
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
  const reason = useOpenReason({ kind, id });
  const { pending, failure, run } = useAction(revealDocument);
  const [isAsking, setAsking] = useState(false);
  const [shown, setShown] = useState<Revealed | null>(null);
  const hide = useCallback(() => setShown(null), []);
  const isAlone = part === undefined;
  const named = isAlone ? masked : part.label;

  if (denial !== null) {
    return (
      <>
        <span className="font-medium text-ink">{masked}</span>
        {isAlone && kind !== "kyc" ? (
          <DeniedButton reason={denial} className={buttonClass("quiet", "small")}>
            <RevealMark isAlone isShown={false} />
          </DeniedButton>
        ) : null}
      </>
    );
  }
  const target = { kind, id, member, path: part?.path ?? null, field: isAlone ? field : "information" } as const;
  const reveal = () => {
    if (!reason.isOpen()) return setAsking(true);
    run(target, setShown, ({ kind: why }) => {
      if (why !== "forbidden") return;
      reason.close();
      setAsking(true);
    });
  };
  const parts = (
    <>
      <output className="inline-flex min-w-0 items-center gap-1 font-medium text-ink">
        {shown === null ? masked : <RevealedDocument shown={shown} onOver={hide} />}
      </output>
      <Button
        tone="quiet"
        size="small"
        className={isAlone || shown !== null ? "shrink-0" : "shrink-0 eye-mark"}
        isBusy={pending}
        aria-label={shown === null ? t("revealNamed", { document: named }) : undefined}
        onClick={shown === null ? reveal : hide}
        onFocus={() => void loadDialog()}
        onPointerEnter={() => void loadDialog()}
      >
        {isAlone || shown !== null ? <RevealMark isAlone={isAlone} isShown={shown !== null} /> : null}
      </Button>
      {isAsking ? (
        <RevealDialog
          named={named}
          target={target}
          onClose={() => setAsking(false)}
          onRevealed={(revealed) => {
            reason.open();
            setAsking(false);
            setShown(revealed);
          }}
        />
      ) : null}
      {failure === null || isAsking || shown !== null ? null : (
        <span role="alert" className="text-sm text-negative">
          {failure.message}
        </span>
      )}
    </>
  );
  return isAlone ? <span className="flex max-w-full min-w-0 items-center gap-x-2">{parts}</span> : parts;
}
