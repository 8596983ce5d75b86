"use client";

import { catchError } from "next/dist/client/components/catch-error";
import { type ReactNode, startTransition, useEffect, useState, useTransition } from "react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { failureIn } from "@/lib/errors/result";
import { deferred } from "./deferred";
import { FailedView } from "./failed-view";

const StaleNotice = deferred(() => import("@/components/live/stale-notice").then((loaded) => loaded.StaleNotice));

const Unkept = catchError((_props: object, { error, retry }) => <FailedView error={error} retry={retry} />);

type Read = { shown: ReactNode; asOf: string };

type Attempt = { children: ReactNode; kept: Read | null; forget: () => void; isCompact: boolean };

const Kept = catchError<{ attempt: Attempt }>(({ attempt }, { error, retry, reset }) => (
  <Unread attempt={attempt} error={error} retry={retry} reset={reset} />
));

/** What may not be read any longer does not stay on the screen. */
const TAKEN_AWAY: readonly string[] = ["unauthenticated", "forbidden"];

type UnreadProps = { attempt: Attempt; error: unknown; retry: () => void; reset: () => void };

function Unread({ attempt: { children, kept, forget, isCompact }, error, retry, reset }: UnreadProps) {
  const t = useTranslations("common");
  const [isRetrying, startRetry] = useTransition();
  const [failed, setFailed] = useState(children);
  const failure = failureIn(error);
  const isFirst = kept?.shown === children;

  useEffect(() => {
    if (isFirst) forget();
  }, [isFirst, forget]);
  useEffect(() => {
    if (failed === children) return;
    startTransition(() => {
      setFailed(children);
      reset();
    });
  }, [failed, children, reset]);

  if (kept === null || isFirst || TAKEN_AWAY.includes(failure.kind))
    return <FailedView error={error} retry={retry} isCompact={isCompact} />;
  return (
    <>
      <StaleNotice fresh={{ asOf: kept.asOf, failure }} trouble="failed" isOnDemand>
        <Button size="small" isBusy={isRetrying} onClick={() => startRetry(retry)} className="ml-2">
          {t("retry")}
        </Button>
      </StaleNotice>
      <Unkept>{kept.shown}</Unkept>
    </>
  );
}

function AsRead({ children, onRead }: { children: ReactNode; onRead: (shown: ReactNode) => void }) {
  useEffect(() => onRead(children), [children, onRead]);
  return children;
}

type SectionBoundaryProps = {
  children: ReactNode;
  /** Another part of the page says at length what is amiss. */ isCompact?: boolean;
};

/** A part of a page that fails alone. What was read before stays, with its age, where a refresh cannot read it anew. */
export function SectionBoundary({ children, isCompact = false }: SectionBoundaryProps) {
  const [kept, setKept] = useState<Read | null>(null);
  const [{ keep, forget }] = useState(() => ({
    keep: (shown: ReactNode) => setKept({ shown, asOf: new Date().toISOString() }),
    forget: () => setKept(null),
  }));
  return (
    <Kept attempt={{ children, kept, forget, isCompact }}>
      <AsRead onRead={keep}>{children}</AsRead>
    </Kept>
  );
}
