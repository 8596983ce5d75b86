"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { useReadFile } from "@/components/session/use-read";
import { Button, buttonClass } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Icon } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { type DrawnPage, type Drawing, type OpenedFile, openDrawing } from "./draw-file";

const WIDTHS = ["w-full", "w-[160%] max-w-none", "w-[250%] max-w-none"] as const;

type Failure = "gone" | "unread" | "undrawn" | "locked";
type Sight = { drawing: Drawing } | { failure: Failure } | null;

const NOT_FOUND = 404;

const readFailure = (error: unknown): Failure =>
  error instanceof Error && error.cause === NOT_FOUND ? "gone" : "unread";

const drawFailure = (error: unknown): Failure =>
  error instanceof Error && error.name === "PasswordException" ? "locked" : "undrawn";

function useDrawing({ href, mediaType }: OpenedFile): Sight {
  const read = useReadFile();
  const [sight, setSight] = useState<Sight>(null);
  useEffect(() => {
    const gone = new AbortController();
    let opened: Drawing | null = null;
    const settle = (reached: Sight) => {
      if (!gone.signal.aborted) setSight(reached);
    };
    const draw = async (bytes: Uint8Array<ArrayBuffer>) => {
      const drawing = await openDrawing(bytes, mediaType);
      if (gone.signal.aborted) drawing.close();
      else opened = drawing;
      settle({ drawing });
    };
    read(href, gone.signal).then(
      (bytes) => draw(bytes).catch((error: unknown) => settle({ failure: drawFailure(error) })),
      (error: unknown) => settle({ failure: readFailure(error) }),
    );
    return () => {
      gone.abort();
      opened?.close();
    };
  }, [href, mediaType, read]);
  return sight;
}

type PageState = { number: number; drawn: DrawnPage | null; hasFailed: boolean };

/** Fills what holds it: a column beside the record, or a drawer over it. */
export function FilePanel({ file }: { file: OpenedFile }) {
  const [tries, setTries] = useState(0);
  return <Contents key={tries} file={file} onRetry={() => setTries(tries + 1)} />;
}

function Toolbar({ file: { name, href }, children }: { file: OpenedFile; children?: ReactNode }) {
  const t = useTranslations("casework");
  return (
    <div className="flex flex-wrap items-center gap-x-1.5 gap-y-2 px-5 pb-3">
      {children}
      <a
        href={href}
        download
        aria-label={t("downloadNamed", { name })}
        className={cn(buttonClass("plain", "small"), "ml-auto first:ml-0")}
      >
        <Icon of="download" size={13} />
        {t("download")}
      </a>
    </div>
  );
}

function Contents({ file, onRetry }: { file: OpenedFile; onRetry: () => void }) {
  const t = useTranslations("casework.viewer");
  const sight = useDrawing(file);
  if (sight !== null && !("failure" in sight)) return <Pages file={file} drawing={sight.drawing} />;
  return (
    <>
      <Toolbar file={file} />
      {sight === null ? (
        <output className="px-5 py-3 text-muted">{t("loading")}</output>
      ) : (
        <div className="space-y-3 px-5">
          <Notice tone="warning" live="polite">
            {t(sight.failure)}
          </Notice>
          {sight.failure === "unread" ? (
            <Button size="small" onClick={onRetry}>
              {t("retry")}
            </Button>
          ) : null}
        </div>
      )}
    </>
  );
}

function Pages({ file, drawing }: { file: OpenedFile; drawing: Drawing }) {
  const t = useTranslations("casework.viewer");
  const [page, setPage] = useState<PageState>({ number: 1, drawn: null, hasFailed: false });
  const [zoom, setZoom] = useState(0);
  const { number, drawn, hasFailed } = page;
  const { pages } = drawing;
  useEffect(() => {
    let isLeft = false;
    drawing.draw(number).then(
      (next) => void (isLeft || setPage({ number, drawn: next, hasFailed: false })),
      () => void (isLeft || setPage({ number, drawn: null, hasFailed: true })),
    );
    return () => {
      isLeft = true;
    };
  }, [drawing, number]);
  const turn = (by: 1 | -1) => setPage({ number: number + by, drawn, hasFailed: false });
  const where = { page: number, pages };
  return (
    <>
      <Toolbar file={file}>
        {pages === 1 ? null : (
          <>
            <Step label={t("previous")} icon="chevron-left" isOver={number === 1} onPress={() => turn(-1)} />
            <output className="text-sm text-muted tabular-nums">{t("page", where)}</output>
            <Step label={t("next")} icon="chevron-right" isOver={number === pages} onPress={() => turn(1)} />
          </>
        )}
        <Step label={t("smaller")} icon="minus" isOver={zoom === 0} onPress={() => setZoom(zoom - 1)} />
        <Step label={t("larger")} icon="plus" isOver={zoom === WIDTHS.length - 1} onPress={() => setZoom(zoom + 1)} />
      </Toolbar>
      {hasFailed ? (
        <Notice tone="warning" live="polite" className="mx-5">
          {t("undrawn")}
        </Notice>
      ) : null}
      {drawn === null ? null : (
        <>
          {drawn.isWhole ? null : (
            <Notice tone="warning" live="polite" className="mx-5 mb-3">
              {t("incomplete")}
            </Notice>
          )}
          <Sheet
            label={t("drawn", { name: file.name, ...where })}
            picture={drawn.picture}
            width={WIDTHS[zoom] ?? WIDTHS[0]}
          />
          <p className="sr-only">{drawn.text.trim() === "" ? t("noText") : drawn.text}</p>
        </>
      )}
    </>
  );
}

type StepProps = { label: string; icon: Parameters<typeof Icon>[0]["of"]; isOver: boolean; onPress: () => void };

/** Keeps the focus at its end. */
function Step({ label, icon, isOver, onPress }: StepProps) {
  return (
    <Button
      size="small"
      tone="quiet"
      aria-label={label}
      title={label}
      aria-disabled={isOver}
      className="aria-disabled:bg-transparent"
      onClick={isOver ? undefined : onPress}
    >
      <Icon of={icon} size={14} />
    </Button>
  );
}

type SheetProps = { label: string; picture: string; width: string };

function Sheet({ label, picture, width }: SheetProps) {
  return (
    <section
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keys
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto border-t border-line bg-canvas p-3"
    >
      {/* oxlint-disable-next-line nextjs/no-img-element -- drawn here, nothing optimises it */}
      <img src={picture} alt={label} className={cn("h-auto bg-surface shadow-control", width)} />
    </section>
  );
}
